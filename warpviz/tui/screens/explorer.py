"""The explorer: one access at a time, its lanes above its memory, pass by pass."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widgets import Input

from warpviz.scene import Scene, shipped_scenes
from warpviz.tui import state
from warpviz.tui.command_line import command_line, lacking
from warpviz.tui.commands import Commands, bound_keys, explorer_commands, scene_commands
from warpviz.tui.footer import footer_keys
from warpviz.tui.keys import APPLY_KEYS, EXPLORER_KEYS, LAST_KEYS
from warpviz.tui.measuring import Measurer, Measuring, can_measure, refuse
from warpviz.tui.messages import (
    AdviceFound,
    Left,
    Measured,
    MeasureFailed,
    MeasureProgressed,
    Refused,
    SceneChosen,
    SweepFound,
)
from warpviz.tui.opening import Opening
from warpviz.tui.render.geometry import SIDE_FROM
from warpviz.tui.render.text import Look
from warpviz.tui.saving import save
from warpviz.tui.screens.base import bindings_of
from warpviz.tui.screens.copied import CopiedScreen
from warpviz.tui.screens.frame import FrameScreen
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.screens.save import SaveScreen
from warpviz.tui.screens.setup_form import SetupForm
from warpviz.tui.screens.stage import PresentingScreen
from warpviz.tui.state import View, presenting
from warpviz.tui.thinking import find_advice, find_sweep
from warpviz.tui.to_measure import AccessesToMeasure
from warpviz.tui.topics import topics_of
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from warpviz.gpu.request import Counters

_WHILE_EDITING = ("back", "page")


class ExplorerScreen(FrameScreen):
    """Shows one scene: edits it, measures it, and hands it on."""

    KEYS = EXPLORER_KEYS
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(EXPLORER_KEYS),
        *(Binding(digit, f"do('apply_fix', {digit})", show=False) for digit in APPLY_KEYS),
    ]
    DEFAULT_CSS = """
    ExplorerScreen { layers: below above; }
    ExplorerScreen #frame, ExplorerScreen #keys { layer: below; }
    ExplorerScreen #edit { layer: above; offset: 0 1; }
    ExplorerScreen.editing #edit { display: block; }
    """

    def __init__(self, scene: Scene, opening: Opening, look: Look, measurer: Measurer) -> None:
        super().__init__(state.open_at(scene, opening), look)
        self._measurer = measurer
        self._serial = 0
        self._opening = opening

    def compose(self) -> ComposeResult:
        yield self.frame_view()
        yield StripView(lambda w, h: [self._key_strip(w)], id="keys")
        yield TextField(id="edit")
        yield self.too_small_view()

    def on_mount(self) -> None:
        self.call_after_refresh(self._evaluate_first)

    def _evaluate_first(self) -> None:
        view = state.begun(self.view, self._opening)
        if self.look.motion == "reduced" and view.playing:
            view = state.first(view)
        if self.size.width >= SIDE_FROM and not view.panel:
            view = state.show_panel(view, "why")  # there is room for it
        if view.error is not None and view.shown is None:
            self.post_message(Refused(view.error))
        else:
            self.present(view)

    def changed(self) -> None:
        self.query_one("#keys", StripView).redraw()
        self._think()

    def _think(self) -> None:
        """Have worked out what the open panel needs."""
        if state.needs_advice(self.view):
            self._in_thread("advice", partial(find_advice, self.view.setup))
        wanted = state.needs_sweep(self.view)
        if wanted is not None:
            self.view = replace(self.view, sweeping=state.Sweeping(wanted))
            self._in_thread("sweep", partial(find_sweep, wanted))

    def _in_thread(self, group: str, find: Any) -> None:
        """Post the message that `find` makes; a later call for the same group makes an earlier one void."""
        self.run_worker(lambda: self.post_message(find()), thread=True, exclusive=True, group=group)

    def on_advice_found(self, message: AdviceFound) -> None:
        self.present(replace(self.view, advised=message.advised))

    def on_sweep_found(self, message: SweepFound) -> None:
        if self.view.sweeping.of == message.sweeping.of:
            self.present(replace(self.view, sweeping=message.sweeping))

    # Measuring

    def action_measure(self, counters: Counters = "auto") -> None:
        """Ask the GPU for what is on the screen. What runs already is ended: the latest request counts."""
        evaluations = state.to_measure(self.view)
        if not evaluations or self.view.shown is None:
            return
        if not can_measure():
            shown, setup = self.view.shown, self.view.setup
            self.present(replace(self.view, measuring=refuse(shown.access, setup.arch, setup.recording)))
            return
        self._serial += 1
        self.present(state.begin_measuring(self.view, self._serial))
        asked = AccessesToMeasure(self._serial, evaluations, self.view.pattern.launch, counters)
        self._measurer.start(asked, self.post_message)

    def on_measure_progressed(self, message: MeasureProgressed) -> None:
        self._told(Measuring("running", message.serial, message.said))

    def on_measured(self, message: Measured) -> None:
        self.present(state.arrived(self.view, message.serial, message.outcomes))

    def on_measure_failed(self, message: MeasureFailed) -> None:
        self._told(Measuring("failed", message.serial, message.sentence))

    def _told(self, news: Measuring) -> None:
        self.present(state.told(self.view, news.serial, news))

    # Sharing

    def action_copy(self) -> None:
        """The command line goes to the terminal's clipboard (OSC 52), and is shown for terminals without one."""
        line = command_line(self.view)
        self.app.copy_to_clipboard(line)
        self.app.push_screen(CopiedScreen(line, lacking(self.view), self.look))

    def action_save(self) -> None:
        view = replace(self.view, playing=False, notice="")
        self.present(view)
        name = re.sub(r"\W+", "-", view.scene.name).strip("-") or "warpviz"
        write = partial(save, view, self.look, self.frame.size)
        self.app.push_screen(SaveScreen(f"{name}.svg", write, self.look), self._saved)

    def _saved(self, path: Path | None) -> None:
        if path is not None:
            self.present(replace(self.view, notice=f"saved: {path}"))

    # Editing the expression

    def action_edit(self) -> None:
        field = self.query_one(TextField)
        self.add_class("editing")
        with field.prevent(Input.Changed):
            field.value = self.view.pattern.expression
        field.focus()
        self.present(state.begin_edit(self.view))

    @on(Input.Changed, "#edit")
    def follow_edit(self, event: Input.Changed) -> None:
        """The picture follows while the text can be evaluated; else the error stands under the field."""
        self.present(state.edit(self.view, replace(self.view.pattern, expression=event.value)))

    @on(Input.Submitted, "#edit")
    def keep_edit(self) -> None:
        """Leave the field with its text; a text in error keeps the field open."""
        if self.view.error is None:
            self._end_edit(state.keep_edit(self.view))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While the field is open its text is edited, knobs are turned, and nothing else."""
        if self.view.before_edit is None or action in _WHILE_EDITING:
            return super().check_action(action, parameters)
        return action == "do" and parameters[0] == "turn_knob" and super().check_action(action, parameters)

    def action_edit_all(self) -> None:
        """Open the form with everything that is asked; what is kept there is one edit."""
        self.present(replace(self.view, playing=False))
        form = SetupForm(self.view, self.look)
        self.app.push_screen(form, lambda _: self._adopt(form.kept))

    def _adopt(self, kept: View | None) -> None:
        if kept is not None and kept.setup != self.view.setup:
            self.present(state.adopt(replace(self.view, knob=kept.knob), kept.setup))

    def _end_edit(self, view: View) -> None:
        self.remove_class("editing")
        self.set_focus(None)
        self.present(view)

    def action_back(self) -> None:
        """Close what is open last; with nothing open, leave."""
        if self.view.before_edit is not None:
            self._end_edit(state.take_back(self.view))
        elif state.running(self.view):
            self._measurer.cancel()
            self._told(Measuring("failed", self._serial, "cancelled"))
        elif self.view.panel:
            self.action_do("show_panel", "")
        elif self.view.remark:
            self.present(replace(self.view, remark=0))
        else:
            self.present(replace(self.view, playing=False))
            self.post_message(Left(self.view.scene, state.own_scene(self.view)))

    def action_present(self) -> None:
        """Present it; afterwards go on where the presenting ended."""
        if self.view.shown is None:
            return
        self.present(replace(self.view, playing=False))
        screen = PresentingScreen(self.view, self.look)
        self.app.push_screen(screen, lambda _: self.present(presenting.leave(screen.stage, self.view)))

    def action_help(self) -> None:
        self.present(replace(self.view, playing=False))
        self.app.push_screen(HelpScreen(self.own_keys(), self.look, topics_of(self.view, self.look)))

    def action_commands(self) -> None:
        """Find a command by typing it; a field that is open is left first."""
        if self.view.before_edit is None:
            self.present(replace(self.view, playing=False))
            own = explorer_commands(self.view, self.run_action, bound_keys(self))
            scenes = scene_commands(shipped_scenes(), self._leave_for)
            self.app.push_screen(Commands([*own, *scenes], self.look))

    def _leave_for(self, scene: Scene) -> None:
        self.app.post_message(Left(self.view.scene, state.own_scene(self.view)))
        self.app.post_message(SceneChosen(scene))

    def _key_strip(self, width: int) -> Strip:
        last = LAST_KEYS if self.view.before_edit is None else ()
        return self.foot_strip(footer_keys(self.view), width, last)
