"""A beside B: an access is pinned as A, and the one on the screen is B."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from warpviz.tui.state.editing import adopt
from warpviz.tui.state.measuring import looked_up
from warpviz.tui.state.setup import Pinned
from warpviz.tui.state.view import View, evaluated


def pin(view: View) -> View:
    """Pin the present access as A; unpin it when one is pinned."""
    if view.pinned is not None:
        unpinned = replace(view, pinned=None)
        return replace(unpinned, position=min(view.position, unpinned.end))
    pinned = _present(view)
    return view if pinned is None else replace(view, pinned=pinned)


def pinned_at(view: View, values: Mapping[str, int]) -> View:
    """With the present access at these values of some knobs as A; without A where it cannot be evaluated there."""
    knobs = tuple(replace(knob, value=values.get(knob.name, knob.value)) for knob in view.knobs)
    there = evaluated(replace(view, setup=replace(view.setup, knobs=knobs)))
    return replace(view, pinned=_present(looked_up(there)))


def swap(view: View) -> View:
    """A on the screen to be edited, and what was there pinned in its place."""
    pinned, present = view.pinned, _present(view)
    if pinned is None or present is None:
        return replace(view, notice="nothing is pinned: a pins this access as A")
    swapped = adopt(replace(view, access=pinned.access, pinned=present), pinned.setup)
    return replace(swapped, measuring=pinned.measuring)


def _present(view: View) -> Pinned | None:
    """What is on the screen, when it could be evaluated."""
    if view.shown is None or view.error is not None:
        return None
    return Pinned(view.setup, view.access, view.shown, view.measuring)
