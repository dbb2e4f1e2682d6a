"""A beside B: an access is pinned as A, and the one on the screen is B."""

from __future__ import annotations

from dataclasses import replace

from warpviz.tui.state.editing import adopt
from warpviz.tui.state.setup import Pinned
from warpviz.tui.state.view import View


def pin(view: View) -> View:
    """Pin the present access as A; unpin it when one is pinned."""
    if view.pinned is not None:
        unpinned = replace(view, pinned=None)
        return replace(unpinned, position=min(view.position, unpinned.end))
    pinned = _present(view)
    return view if pinned is None else replace(view, pinned=pinned)


def swap(view: View) -> View:
    """A on the screen to be edited, and what was there pinned in its place."""
    pinned, present = view.pinned, _present(view)
    if pinned is None or present is None:
        return view
    swapped = adopt(replace(view, access=pinned.access, pinned=present), pinned.setup)
    return replace(swapped, measuring=pinned.measuring)


def _present(view: View) -> Pinned | None:
    """What is on the screen, when it could be evaluated."""
    if view.shown is None or view.error is not None:
        return None
    return Pinned(view.setup, view.access, view.shown, view.measuring)
