"""The screen program: a gallery of scenes, and an explorer for one of them.

The first paint comes before numpy, the expression language or anything of a GPU is loaded.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from warpviz.tui.glyphs import Glyphs, choose_glyphs
from warpviz.tui.palette import DARK_BACKGROUND, LIGHT_BACKGROUND, Depth, Rgb, colour_depth, own_colours, palette
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.screens.opening import OpeningScreen

if TYPE_CHECKING:
    from warpviz.expression import ExpressionError
    from warpviz.gpu import Probe
    from warpviz.scene import Scene
    from warpviz.tui.measuring import Measurer
    from warpviz.tui.messages import Left, Refused, SceneChosen

_SIGNALLED = 128  # added to a signal's number it is the exit code of a program that the signal ended
INTERRUPTED = _SIGNALLED + signal.SIGINT
_ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_OWN_THEMES = ("warpviz-dark", "warpviz-light")
_TERMINAL_THEMES = ("ansi-dark", "ansi-light")  # with the terminal's own 16 colours


class WarpvizApp(App[None]):
    """Opens the explorer on `scene`, or the gallery when that is None.

    gallery: the scenes to choose from; those that ship with the program when left out. make_probe: what measures.
    depth, glyphs: what the terminal can show; found out from the environment when left out.
    """

    TITLE = "warpviz"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]
    CSS = "Screen { background: $background; }"

    def __init__(
        self,
        scene: Scene | None,
        *,
        gallery: tuple[Scene, ...] | None = None,
        make_probe: Callable[[], Probe] | None = None,
        depth: Depth | None = None,
        glyphs: Glyphs | None = None,
    ) -> None:
        self._depth = depth or colour_depth()
        super().__init__(ansi_color=not own_colours(self._depth))
        self._glyphs = glyphs or choose_glyphs()
        self._scene = scene
        self._gallery = gallery
        self._make_probe = make_probe
        self._measurer: Measurer | None = None
        self.refusal: ExpressionError | None = None
        self.register_theme(_theme("warpviz-dark", DARK_BACKGROUND, dark=True))
        self.register_theme(_theme("warpviz-light", LIGHT_BACKGROUND, dark=False))
        self._themes = _OWN_THEMES if own_colours(self._depth) else _TERMINAL_THEMES
        self.theme = self._themes[0]

    @property
    def look(self) -> Look:
        """The colours and characters of now."""
        return Look(palette(self._depth, self.current_theme.dark), self._glyphs)

    def get_default_screen(self) -> Screen[None]:
        """What is painted first: the gallery, or what can be shown of a scene before numpy is loaded."""
        return self._new_gallery() if self._scene is None else OpeningScreen(self._scene, self.look)

    def on_load(self) -> None:
        """Before the terminal is taken over: leave it in order, whatever signal ends the program."""
        loop = asyncio.get_running_loop()
        for name in _ENDING_SIGNALS:
            # Windows has no such handlers, and an app in a thread may not set them.
            with suppress(AttributeError, NotImplementedError, ValueError, RuntimeError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self.exit, None, _SIGNALLED + number)

    def on_mount(self) -> None:
        if self._scene is not None:
            self.call_after_refresh(self._open, self._scene)

    def on_scene_chosen(self, message: SceneChosen) -> None:
        self.push_screen(self._explorer(message.scene))

    def on_left(self, message: Left) -> None:
        """From an explorer to the gallery: the one it was opened from, or a new one."""
        if any(screen.id == "gallery" for screen in self.screen_stack):
            self.pop_screen()
        else:
            self.switch_screen(self._new_gallery())

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

    def action_flip_theme(self) -> None:
        """From dark to light and back."""
        dark, light = self._themes
        self.theme = light if self.theme == dark else dark
        for screen in self.screen_stack:
            if isinstance(screen, LookScreen):
                screen.wear(self.look)

    def _open(self, scene: Scene) -> None:
        self.push_screen(self._explorer(scene))

    def _explorer(self, scene: Scene) -> Screen[None]:
        from warpviz.tui.measuring import Measurer
        from warpviz.tui.screens.explorer import ExplorerScreen

        self._measurer = self._measurer or Measurer(self._make_probe)
        return ExplorerScreen(scene, self.look, self._measurer)

    def _new_gallery(self) -> Screen[None]:
        from warpviz.scene import shipped_scenes
        from warpviz.tui.screens.gallery import GalleryScreen

        return GalleryScreen(shipped_scenes() if self._gallery is None else self._gallery, self.look)


def run(scene: Scene | None) -> int:
    """Show the screen until the user leaves; returns the exit code.

    Raises ExpressionError, the terminal restored, when the scene's first access cannot be evaluated.
    """
    app = WarpvizApp(scene)
    app.run()
    if app.refusal is not None:
        raise app.refusal
    return app.return_code or 0


def _theme(name: str, background: Rgb, dark: bool) -> Theme:
    red, green, blue = background
    return Theme(name, primary="#56b4e9", dark=dark, background=f"rgb({red},{green},{blue})")
