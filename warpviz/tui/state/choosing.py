"""Which knob, access, lane and panel; and turning the chosen knob."""

from __future__ import annotations

from dataclasses import replace

from warpviz.expression import ExpressionError
from warpviz.expression.rewrite import with_width
from warpviz.hardware import LANES
from warpviz.sweep import WIDTH, WIDTHS
from warpviz.tui.opening import Panel
from warpviz.tui.state.animation import step
from warpviz.tui.state.editing import edit
from warpviz.tui.state.history import recorded
from warpviz.tui.state.sweeping import sweeps_width
from warpviz.tui.state.view import View, evaluated, remarks


def turn_knob(view: View, by: int) -> View:
    """The chosen knob turned by so many of its steps, within its range."""
    return turn_to(view, view.knobs[view.knob].value + by * view.knobs[view.knob].step) if view.knobs else view


def turn_to(view: View, value: int) -> View:
    """The chosen knob at the value nearest to this one that it takes. Turns of one knob in a row are undone at once."""
    knob = view.knobs[view.knob]
    values = knob.values()
    nearest = min(max(value, values[0]), values[-1])
    nearest -= (nearest - values[0]) % knob.step
    if nearest == knob.value:
        return view
    knobs = (*view.knobs[: view.knob], replace(knob, value=nearest), *view.knobs[view.knob + 1 :])
    turned = recorded(replace(view, setup=replace(view.setup, knobs=knobs)), view.setup, turned=knob.name)
    return evaluated(turned)


def turn_width(view: View, by: int) -> View:
    """The next width that a lane can move, or the one before; a notice where the access cannot have it."""
    at = WIDTHS.index(view.shown.access.width) + by if view.shown else 0
    return set_width(view, WIDTHS[at]) if 0 <= at < len(WIDTHS) else view


def set_width(view: View, width: int) -> View:
    """The access with so many bytes a lane."""
    try:
        wider = edit(replace(view, notice=""), with_width(view.pattern, width))
    except ExpressionError as error:
        return replace(view, notice=f"no {width} bytes a lane: {error.sentence}")
    if wider.error is not None:
        return replace(view, notice=f"no {width} bytes a lane: {wider.error.sentence}")
    return recorded(wider, view.setup, turned=WIDTH)


def sideways(view: View, by: int) -> View:
    """So many steps of the animation; in the sweep so many values along the chart."""
    if view.panel != "sweep":
        return step(view, by)
    return turn_width(view, by) if sweeps_width(view) else turn_knob(view, by)


def sweep_to(view: View, value: int) -> View:
    """What the sweep goes over, at this value."""
    return set_width(view, value) if sweeps_width(view) else turn_to(view, value)


def choose_knob(view: View, by: int) -> View:
    """The next knob, or the one before, round and round; in the sweep the width comes behind the last."""
    if view.panel == "sweep":
        count = len(view.knobs) + 1
        at = ((len(view.knobs) if sweeps_width(view) else view.knob) + by) % count
        over_width = at == len(view.knobs)
        return replace(view, over_width=over_width, knob=view.knob if over_width else at)
    return replace(view, knob=(view.knob + by) % len(view.knobs)) if view.knobs else view


def choose_access(view: View, by: int) -> View:
    """The scene's next access, or the one before, round and round, shown from its beginning when it is playing."""
    access = (view.access + by) % len(view.setup.patterns)
    return view if access == view.access else evaluated(replace(view, access=access))


def choose_lane(view: View, lane: int) -> View:
    """The lane whose numbers are substituted; 32 comes round to 0."""
    return replace(view, lane=lane % LANES)


def next_lane(view: View, by: int) -> View:
    """The lane so many further on, round and round."""
    return choose_lane(view, view.lane + by)


def light_up(view: View) -> View:
    """From the chosen lane alone to all that lies in its bank (global memory: its sector), and back."""
    return replace(view, lit="lane" if view.lit == "place" else "place")


def show_panel(view: View, panel: Panel) -> View:
    """Open this panel in place of any other; close it when it is open."""
    return replace(view, panel="" if view.panel == panel else panel, panel_top=0)


def turn_over(view: View) -> View:
    """From the scene's question to its hint, to its answer, and back to the question."""
    return replace(view, remark=(view.remark + 1) % max(len(remarks(view)), 1))
