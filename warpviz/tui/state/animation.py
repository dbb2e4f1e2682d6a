"""The animation: steps, play and pause, speed."""

from __future__ import annotations

from dataclasses import replace

from warpviz.tui.opening import Opening
from warpviz.tui.state.comparing import pinned_at
from warpviz.tui.state.view import View, evaluated

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # steps a second


def begun(view: View, opening: Opening) -> View:
    """Evaluated, with A pinned if the opening has one, and paused at the step that it names, if it names one."""
    view = evaluated(view if opening.pinned is None else pinned_at(view, dict(opening.pinned)))
    return view if opening.step is None else _go(view, view.end if opening.step == "end" else opening.step)


def step(view: View, by: int) -> View:
    """Pause so many steps further on, or at the nearer end."""
    return _go(view, view.position + by)


def first(view: View) -> View:
    """Pause before the first step."""
    return _go(view, 0)


def last(view: View) -> View:
    """Pause with everything served."""
    return _go(view, view.end)


def play_or_pause(view: View) -> View:
    """Pause; or play on, from the beginning when everything is served."""
    if view.playing:
        return replace(view, playing=False)
    return replace(view, playing=True, position=0 if view.position >= view.end else view.position)


def advance(view: View) -> View:
    """One step of the running animation; it pauses when everything is served."""
    position = min(view.position + 1, view.end)
    return replace(view, position=position, playing=view.playing and position < view.end)


def change_speed(view: View, by: int) -> View:
    """Faster or slower, within SPEEDS."""
    return replace(view, speed=min(max(view.speed + by, 0), len(SPEEDS) - 1))


def _go(view: View, position: int) -> View:
    return replace(view, position=min(max(position, 0), view.end), playing=False)
