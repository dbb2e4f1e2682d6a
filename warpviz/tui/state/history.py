"""What undo and redo go through."""

from __future__ import annotations

from dataclasses import replace

from warpviz.tui.state.setup import Setup
from warpviz.tui.state.view import View, evaluated

_MOST_UNDONE = 100


def recorded(view: View, before: Setup, turned: str = "") -> View:
    """With a place to come back to, when the setup is another one than before.

    turned: the knob whose turning has changed it; several turns of one knob in a row have one place to come back to.
    """
    if view.setup == before or view.before_edit is not None:  # a field that is open is recorded when it closes
        return view
    if turned and turned == view.turned:
        return replace(view, future=())
    return replace(view, past=(*view.past, before)[-_MOST_UNDONE:], future=(), turned=turned)


def undo(view: View) -> View:
    """The setup before the last edit."""
    if not view.past:
        return replace(view, notice="nothing to undo")
    *past, setup = view.past
    return replace(set_up(view, setup), past=tuple(past), future=(view.setup, *view.future), turned="")


def redo(view: View) -> View:
    """The setup that undo left."""
    if not view.future:
        return replace(view, notice="nothing to redo")
    setup, *future = view.future
    return replace(set_up(view, setup), past=(*view.past, view.setup), future=tuple(future), turned="")


def set_up(view: View, setup: Setup) -> View:
    """With another setup, which may have fewer knobs."""
    return evaluated(replace(view, setup=setup, knob=min(view.knob, max(len(setup.knobs) - 1, 0))))
