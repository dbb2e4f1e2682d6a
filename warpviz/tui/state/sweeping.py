"""The cost over a knob: what is known of it, and when it has to be worked out again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from warpviz.tui.measuring import NOT_LOOKED, Measuring
from warpviz.tui.state.setup import Setup

if TYPE_CHECKING:
    from warpviz.sweep import Sweep
    from warpviz.tui.state.view import View

_MOST_POINTS = 1025


@dataclass(frozen=True)
class Swept:
    """Which sweep: of a setup's access over a knob, whose own value is of no account."""

    setup: Setup
    access: int
    knob: int

    @property
    def values(self) -> range:
        """The values of the knob, spread out so that they are not too many."""
        values = self.setup.knobs[self.knob].values()
        return values[:: -(-len(values) // _MOST_POINTS)]


@dataclass(frozen=True)
class Sweeping:
    """of: which sweep. sweep: the predictions; None before they are worked out, and when they cannot be, for the reason
    `said`. measuring: how far a measurement of it is. measured: (value of the knob, what was measured there).
    origin: "measured" by the GPU here, or "recorded": it ships with the program."""

    of: Swept | None = None
    sweep: Sweep | None = None
    said: str = "working it out"
    measuring: Measuring = NOT_LOOKED
    measured: tuple[tuple[int, float], ...] = ()
    origin: Literal["measured", "recorded"] = "measured"


NOT_SWEPT = Sweeping()


def swept(view: View) -> Swept | None:
    """The sweep that the panel shows: of the access on the screen over the chosen knob; None without a knob."""
    if not view.knobs:
        return None
    chosen = view.knobs[view.knob]
    knobs = tuple(replace(knob, value=knob.minimum) if knob == chosen else knob for knob in view.knobs)
    return Swept(replace(view.setup, knobs=knobs), view.access, view.knob)


def needs_sweep(view: View) -> Swept | None:
    """The sweep that is to be worked out for the open panel; None when there is nothing to do."""
    wanted = swept(view) if view.panel == "sweep" and view.before_edit is None else None
    return None if view.sweeping.of == wanted else wanted
