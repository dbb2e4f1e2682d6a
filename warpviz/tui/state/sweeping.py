"""The cost over a knob: what is known of it, and when it has to be worked out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from warpviz.expression import ExpressionError, Pattern
from warpviz.expression.rewrite import with_width
from warpviz.hardware import WORD_BYTES
from warpviz.sweep import WIDTH, WIDTHS
from warpviz.tui.measuring import NOT_LOOKED, Measuring
from warpviz.tui.state.setup import Setup

if TYPE_CHECKING:
    from warpviz.sweep import Sweep
    from warpviz.tui.state.view import View

_MOST_POINTS = 1025


@dataclass(frozen=True)
class Swept:
    """Which sweep: of a setup's access over these values of a knob, or of `width`, the bytes a lane. What the setup
    itself has of it is of no account."""

    setup: Setup
    access: int
    name: str
    values: Sequence[int]


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


def sweeps_width(view: View) -> bool:
    """Whether the sweep goes over the width, which stands behind the knobs."""
    return view.over_width or not view.knobs


def swept(view: View) -> Swept:
    """The sweep that the panel shows: of the access on the screen over the chosen knob, or the width."""
    if sweeps_width(view):
        patterns = list(view.setup.patterns)
        patterns[view.access] = _plain_width(view.pattern)
        return Swept(replace(view.setup, patterns=tuple(patterns)), view.access, WIDTH, WIDTHS)
    chosen = view.knobs[view.knob]
    knobs = tuple(replace(knob, value=knob.minimum) if knob == chosen else knob for knob in view.knobs)
    values = chosen.values()
    few = values[:: -(-len(values) // _MOST_POINTS)]
    return Swept(replace(view.setup, knobs=knobs), view.access, chosen.name, few)


def swept_value(view: View) -> int:
    """The present value of what the sweep goes over."""
    if not sweeps_width(view):
        return view.knobs[view.knob].value
    return view.shown.access.width if view.shown else WORD_BYTES


@lru_cache(maxsize=16)
def _plain_width(pattern: Pattern) -> Pattern:
    """The same for every width that an access is given."""
    try:
        return with_width(pattern, WORD_BYTES)
    except ExpressionError:
        return pattern


def needs_sweep(view: View) -> Swept | None:
    """The sweep that is to be worked out for the open panel; None when there is nothing to do."""
    if view.panel != "sweep" or view.before_edit is not None:
        return None
    wanted = swept(view)
    return None if view.sweeping.of == wanted else wanted
