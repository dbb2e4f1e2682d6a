"""Editing the setup: what is typed, lanes switched off, a fix adopted; undo, redo and reset."""

from __future__ import annotations

from dataclasses import replace

from warpviz.access import Access
from warpviz.expression import ExpressionError, Pattern
from warpviz.hardware import LANES
from warpviz.scene import DEFAULT_KNOB_RANGE, Knob
from warpviz.tui.shown import read
from warpviz.tui.state.history import recorded, set_up
from warpviz.tui.state.setup import Setup
from warpviz.tui.state.view import View, evaluated, open_scene


def edit(view: View, pattern: Pattern) -> View:
    """The access with other texts. A name that has no knob yet gets one, from 0 to 64, at 1, and is chosen; a knob
    whose name stands in no access any more goes."""
    patterns = (*view.setup.patterns[: view.access], pattern, *view.setup.patterns[view.access + 1 :])
    return with_patterns(view, patterns)


def begin_edit(view: View) -> View:
    """A field is open; the animation rests."""
    return replace(view, before_edit=view.setup, playing=False)


def keep_edit(view: View) -> View:
    """Close the field with what it holds."""
    before = view.before_edit
    closed = replace(view, before_edit=None)
    return closed if before is None else recorded(closed, before)


def take_back(view: View) -> View:
    """Close the field with what it held at first."""
    before = view.before_edit
    return view if before is None else replace(set_up(view, before), before_edit=None)


def adopt(view: View, setup: Setup) -> View:
    """Another setup in one step."""
    return recorded(set_up(view, setup), view.setup)


def toggle_lane(view: View) -> View:
    """The chosen lane switched off or on: the condition becomes a mask of the lanes that are active then."""
    if view.shown is None or view.error is not None:
        return view
    mask = active_mask(view.shown.access) ^ (1 << view.lane)
    return keep_edit(edit(begin_edit(view), replace(view.pattern, where=condition_of(mask))))


def condition_of(mask: int) -> str:
    """The condition that holds in the lanes of a mask alone; bit l is lane l. Empty for all of them.

    >>> condition_of(0x55555555)
    '0x55555555 >> lane & 1'
    """
    return "" if mask == (1 << LANES) - 1 else f"{mask:#010x} >> lane & 1"


def active_mask(access: Access) -> int:
    """The active lanes of a batch of one; bit l is lane l."""
    return sum(1 << lane for lane, is_active in enumerate(access.active[0]) if is_active)


def reset(view: View) -> View:
    """The scene as it begins, with the access, lane, speed and panel of now; undo takes it back."""
    fresh = open_scene(view.scene)
    begun = replace(fresh, access=view.access, lane=view.lane, speed=view.speed, panel=view.panel, past=view.past)
    return recorded(evaluated(begun), view.setup)


def with_patterns(view: View, patterns: tuple[Pattern, ...]) -> View:
    """Every access with other texts; see `edit`."""
    try:
        names = [name for pattern in patterns for name in read(pattern).free_names]
    except ExpressionError as error:
        return replace(view, setup=replace(view.setup, patterns=patterns), error=error)
    low, high = DEFAULT_KNOB_RANGE
    kept = tuple(knob for knob in view.knobs if knob.name in names)
    new = tuple(Knob(name, 1, low, high) for name in dict.fromkeys(names) if name not in view.values)
    chosen = [index for index, knob in enumerate(kept) if knob == view.knobs[view.knob]]
    knob = len(kept) if new else next(iter(chosen), 0)
    return evaluated(replace(view, setup=replace(view.setup, patterns=patterns, knobs=kept + new), knob=knob))
