"""Which knob, access, lane and panel; and turning the chosen knob."""

from __future__ import annotations

from dataclasses import replace

from warpviz.hardware import LANES
from warpviz.tui.opening import Panel
from warpviz.tui.state.animation import step
from warpviz.tui.state.history import recorded
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


def sideways(view: View, by: int) -> View:
    """So many steps of the animation; in the sweep so many values along the chart."""
    return turn_knob(view, by) if view.panel == "sweep" and view.knobs else step(view, by)


def choose_knob(view: View, by: int) -> View:
    """The next knob, or the one before, round and round."""
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
