"""The presenting mode: the explorer's access, large, its cost hidden until the audience has answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from warpviz.tui.keys import DIGIT_KEYS, PRESENTING_KEYS
from warpviz.tui.render.stage import stage_strips
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen, bindings_of
from warpviz.tui.screens.help import HelpScreen
from warpviz.tui.state import View, looked_up, presenting, remarks
from warpviz.tui.state.presenting import Stage
from warpviz.tui.widgets.strip_view import StripView


class PresentingScreen(LookScreen):
    """Presents a view. Each key turns one Stage into the next, and `present` shows what differs."""

    KEYS = PRESENTING_KEYS
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(PRESENTING_KEYS),
        *(Binding(digit, f"do('type_digit', {digit})", show=False) for digit in DIGIT_KEYS),
    ]
    DEFAULT_CSS = "PresentingScreen #stage { height: 1fr; }"

    def __init__(self, view: View, look: Look) -> None:
        super().__init__(look)
        self.stage = _measured(presenting.begin(view))

    def compose(self) -> ComposeResult:
        yield StripView(lambda w, h: stage_strips(self.stage, w, h, self.look), id="stage")
        yield StripView(lambda w, h: [self._key_strip(w)], id="keys")
        yield self.too_small_view()

    def present(self, stage: Stage) -> None:
        """Make this the stage, and show what differs."""
        self.stage = _measured(stage)
        self.redraw()

    def action_do(self, name: str, *arguments: Any) -> None:
        """What `presenting` calls by this name."""
        self.present(getattr(presenting, name)(self.stage, *arguments))

    def action_back(self) -> None:
        self.dismiss()

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.own_keys(), self.look))

    def _key_strip(self, width: int) -> Strip:
        stage, view = self.stage, self.stage.view
        idle = {
            "forward": stage.at_end,
            "backward": stage.at_beginning,
            "erase": stage.revealed or stage.shown is None,
            "conceal": not stage.revealed,
            "next_access": len(view.setup.patterns) < 2,
            "turn_up": not view.knobs,
            "next_knob": len(view.knobs) < 2,
            "hint": "hint" not in dict(remarks(view)),
        }
        keys = [(key.shown, key.brief) for key in PRESENTING_KEYS if key.brief and not idle.get(key.id)]
        return self.foot_strip(keys, width)


def _measured(stage: Stage) -> Stage:
    """With the measurement that ships with the program, when there is none of its own."""
    return replace(stage, view=looked_up(stage.view))
