"""The screen program: a gallery of scenes, an explorer for one of them, and a user's kernels.

The first paint comes before numpy, the expression language or anything of a GPU is loaded.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen

from warpviz.tui.config import DEFAULTS, Config, choose_motion, user_config
from warpviz.tui.glyphs import Glyphs, choose_glyphs
from warpviz.tui.keys import KEY_TABLES
from warpviz.tui.opening import AT_THE_START, KernelToOpen, Opening
from warpviz.tui.palette import Depth, Theme, colour_depth, next_theme, own_colours, palette
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.screens.opening import OpeningScreen
from warpviz.tui.terminal import console_for, textual_theme

if TYPE_CHECKING:
    from warpviz.expression import ExpressionError
    from warpviz.gpu import Probe
    from warpviz.scene import Scene
    from warpviz.tui.measuring import Measurer
    from warpviz.tui.messages import AccessesWanted, KernelLeft, Left, Refused, SceneChosen

_SIGNALLED = 128  # added to a signal's number it is the exit code of a program that the signal ended
INTERRUPTED = _SIGNALLED + signal.SIGINT
_ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


class WarpvizApp(App[None]):
    """Opens the explorer on a scene as `opening` says, or a kernel, or for None the gallery.

    gallery: the scenes to choose from; those that ship with the program when left out. make_probe: what measures.
    depth, glyphs: what the terminal can show; found out from the environment and `config` when left out.
    """

    TITLE = "warpviz"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        to_open: Scene | KernelToOpen | None,
        opening: Opening = AT_THE_START,
        *,
        gallery: tuple[Scene, ...] | None = None,
        make_probe: Callable[[], Probe] | None = None,
        depth: Depth | None = None,
        glyphs: Glyphs | None = None,
        config: Config = DEFAULTS,
    ) -> None:
        self._depth: Depth = depth or colour_depth(config.colours)
        super().__init__(ansi_color=not own_colours(self._depth))
        self.console = console_for(self._depth, self.console)
        self.no_color = self._depth == "mono"
        self._glyphs = glyphs or choose_glyphs(ascii_wished=config.ascii)
        self._motion = choose_motion(config.motion)
        self._to_open = to_open
        self._opening = opening
        self._gallery = gallery
        self._make_probe = make_probe or _new_probe
        self._measurer: Measurer | None = None
        self.refusal: ExpressionError | None = None
        self._wear(config.theme)
        self._keymap = config.keymap
        self.set_keymap(dict(config.keymap))

    @property
    def look(self) -> Look:
        """The colours and characters of now."""
        return Look(palette(self._depth, self._palette_theme), self._glyphs, self._motion, self._keymap)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colour exactly when the depth says so; Textual would be led by NO_COLOR alone, even an empty one."""
        filters = [one for one in super().get_line_filters() if not isinstance(one, Monochrome | NoColor)]
        return [*filters, NoColor()] if self.no_color else filters

    def get_default_screen(self) -> Screen[None]:
        """What is painted first: the gallery, or what can be shown of something else before numpy is loaded."""
        return self._new_gallery() if self._to_open is None else OpeningScreen(self._to_open, self.look)

    def on_load(self) -> None:
        """Before the terminal is taken over: leave it in order, whatever signal ends the program."""
        loop = asyncio.get_running_loop()
        for name in _ENDING_SIGNALS:
            # Windows has no such handlers, and an app in a thread may not set them.
            with suppress(AttributeError, NotImplementedError, ValueError, RuntimeError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self.exit, None, _SIGNALLED + number)

    def on_mount(self) -> None:
        if isinstance(self._to_open, KernelToOpen):
            self.call_after_refresh(self._open_kernel, self._to_open)
        elif self._to_open is not None:
            self.call_after_refresh(self._open, self._to_open, self._opening)

    def on_scene_chosen(self, message: SceneChosen) -> None:
        self._open(message.scene, AT_THE_START)

    def on_left(self, message: Left) -> None:
        """From an explorer to the screen that it was opened from; where there is none to see, to a new gallery, which
        is told what was edited as one that is there is."""
        self._leave(message.scene.name)
        if message.own is not None and self.screen.id == "gallery":
            from warpviz.tui.messages import SceneKept

            self.screen.post_message(SceneKept(message.own))

    def on_kernel_left(self, message: KernelLeft) -> None:
        self._leave()

    def on_accesses_wanted(self, message: AccessesWanted) -> None:
        from warpviz.tui.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(message.prepared, message.at, message.code, self.look))

    def on_refused(self, message: Refused) -> None:
        """Leave a scene that cannot be shown: `run` says why where the user's shell is again."""
        self.refusal = message.error
        self.exit()

    def on_unmount(self) -> None:
        if self._measurer is not None:
            self._measurer.close()

    def action_interrupt(self) -> None:
        """Leave as a program does that is interrupted."""
        self.exit(return_code=INTERRUPTED)

    def action_next_theme(self) -> None:
        """From dark to light to high contrast, and round again."""
        self._wear(next_theme(self._depth, self._palette_theme))
        for screen in self.screen_stack:
            if isinstance(screen, LookScreen):
                screen.wear(self.look)

    def _wear(self, theme: Theme) -> None:
        self._palette_theme = theme
        textual = textual_theme(self._depth, theme)
        self.register_theme(textual)
        self.theme = textual.name

    def _open(self, scene: Scene, opening: Opening) -> None:
        from warpviz.tui.screens.explorer import ExplorerScreen

        self.push_screen(ExplorerScreen(scene, opening, self.look, self._one_measurer()))

    def _open_kernel(self, asked: KernelToOpen) -> None:
        from warpviz.tui.screens.kernel import KernelScreen

        self.push_screen(KernelScreen(asked, self.look, self._one_measurer()))

    def _one_measurer(self) -> Measurer:
        from warpviz.tui.measuring import Measurer

        self._measurer = self._measurer or Measurer(self._make_probe)
        return self._measurer

    def _leave(self, chosen: str = "") -> None:
        """To the screen below; where that is only what was painted first, to a new gallery. chosen: a scene there."""
        if isinstance(self.screen_stack[-2], OpeningScreen):
            self.switch_screen(self._new_gallery(chosen))
        else:
            self.pop_screen()

    def _new_gallery(self, chosen: str = "") -> Screen[None]:
        """chosen: the name of a scene."""
        from warpviz.scene import shipped_scenes
        from warpviz.tui.screens.gallery import GalleryScreen

        return GalleryScreen(shipped_scenes() if self._gallery is None else self._gallery, self.look, chosen)


def _new_probe(device: str | None = None) -> Probe:
    from warpviz.gpu import Probe

    return Probe(device)


def run(to_open: Scene | KernelToOpen | None, opening: Opening = AT_THE_START, device: str | None = None) -> int:
    """Show the screen until the user leaves; returns the exit code. device: the GPU that measures, see Probe.

    Raises ConfigError before the screen opens, when the user's configuration cannot be followed; and ExpressionError,
    the terminal restored, when the scene's first access cannot be evaluated.
    """
    app = WarpvizApp(to_open, opening, make_probe=partial(_new_probe, device), config=user_config(KEY_TABLES))
    app.run()
    if app.refusal is not None:
        raise app.refusal
    return app.return_code or 0
