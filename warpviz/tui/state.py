"""The explorer's state: one frozen value, and pure functions from one state to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpviz.expression import ExpressionError, Pattern
from warpviz.hardware import LANES
from warpviz.scene import Knob, Scene
from warpviz.tui.measuring import NOT_LOOKED, Measuring
from warpviz.tui.shown import Shown, read, show

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # steps a second
_START_SPEED = 3
_NEW_KNOB_RANGE = (0, 64)


@dataclass(frozen=True)
class View:
    """What is on the explorer's screen.

    patterns: one for each access of the scene, as edited. knobs: with their present values. position: of the animation,
    0 (before anything) to shown.end (everything served). shown: the last access that could be evaluated; None before
    the first. error: why the present texts and values cannot be evaluated. speed: an index into SPEEDS.
    remark: which of the scene's question, hint and answer is turned up. top: the first memory row in sight.
    """

    scene: Scene
    patterns: tuple[Pattern, ...]
    knobs: tuple[Knob, ...]
    access: int = 0
    knob: int = 0
    lane: int = 1
    position: int = 0
    playing: bool = False
    speed: int = _START_SPEED
    remark: int = 0
    top: int = 0
    shown: Shown | None = None
    error: ExpressionError | None = None
    measuring: Measuring = NOT_LOOKED

    @property
    def pattern(self) -> Pattern:
        """The pattern of the access on the screen."""
        return self.patterns[self.access]

    @property
    def values(self) -> dict[str, int]:
        """The knobs' present values by name."""
        return {knob.name: knob.value for knob in self.knobs}

    @property
    def end(self) -> int:
        """The animation's last position."""
        return self.shown.end if self.shown else 0


def open_scene(scene: Scene) -> View:
    """The scene as it begins, not evaluated yet."""
    return View(scene, tuple(access.pattern for access in scene.accesses), scene.knobs)


def evaluated(view: View) -> View:
    """The view with its access evaluated; with the error and the last good picture when that fails.

    The animation stays where it is, or at the end when it was at the end.
    """
    try:
        shown = show(view.pattern, view.values, view.scene.arch)
    except ExpressionError as error:
        return replace(view, error=error, measuring=NOT_LOOKED)
    at_end = view.shown is None or view.position >= view.end
    position = shown.end if at_end and not view.playing else min(view.position, shown.end)
    return replace(view, shown=shown, error=None, position=position, measuring=NOT_LOOKED)


def turn_knob(view: View, by: int) -> View:
    """The chosen knob turned by so many of its steps, within its range."""
    if not view.knobs:
        return view
    knob = view.knobs[view.knob]
    values = knob.values()
    value = min(max(knob.value + by * knob.step, values[0]), values[-1])
    if value == knob.value:
        return view
    knobs = (*view.knobs[: view.knob], replace(knob, value=value), *view.knobs[view.knob + 1 :])
    return evaluated(replace(view, knobs=knobs))


def choose_knob(view: View, by: int) -> View:
    """The next knob, or the one before, round and round."""
    return replace(view, knob=(view.knob + by) % len(view.knobs)) if view.knobs else view


def choose_access(view: View, by: int) -> View:
    """The scene's next access, or the one before, round and round, shown from its beginning when it is playing."""
    access = (view.access + by) % len(view.patterns)
    return view if access == view.access else evaluated(replace(view, access=access))


def choose_lane(view: View, lane: int) -> View:
    """The lane whose numbers are substituted; 32 comes round to 0."""
    return replace(view, lane=lane % LANES)


def edit(view: View, text: str) -> View:
    """The access with another expression. A name that has no knob yet gets one, from 0 to 64, at 1, and is chosen; a
    knob whose name stands in no access any more goes."""
    pattern = replace(view.pattern, expression=text)
    patterns = (*view.patterns[: view.access], pattern, *view.patterns[view.access + 1 :])
    try:
        names = [name for pattern in patterns for name in read(pattern).free_names]
    except ExpressionError as error:
        return replace(view, patterns=patterns, error=error)
    low, high = _NEW_KNOB_RANGE
    kept = tuple(knob for knob in view.knobs if knob.name in names)
    new = tuple(Knob(name, 1, low, high) for name in dict.fromkeys(names) if name not in view.values)
    chosen = [index for index, knob in enumerate(kept) if knob == view.knobs[view.knob]]
    knob = len(kept) if new else next(iter(chosen), 0)
    return evaluated(replace(view, patterns=patterns, knobs=kept + new, knob=knob))


def reset(view: View) -> View:
    """The scene as it begins, with the access, lane and speed of now."""
    fresh = replace(open_scene(view.scene), access=view.access, lane=view.lane, speed=view.speed)
    return evaluated(fresh)


def go(view: View, position: int) -> View:
    """Pause at a position of the animation, or at its nearer end."""
    return replace(view, position=min(max(position, 0), view.end), playing=False)


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


def scroll(view: View, rows: int, body: int) -> View:
    """So many memory rows further down. body: rows that fit."""
    total = len(view.shown.rows) if view.shown else 0
    return replace(view, top=min(max(view.top + rows, 0), max(total - body, 0)))


def in_sight(view: View, body: int) -> View:
    """Scrolled so that the row that is served now is among the rows that fit."""
    if view.shown is None:
        return view
    row = view.shown.row_of_step(view.position - 1) if 0 < view.position < view.end else 0
    moving = 0 <= view.position < view.end
    return replace(view, top=follow(view.top, row if moving else view.top, body, len(view.shown.rows)))


def follow(top: int, row: int, body: int, total: int) -> int:
    """The first row in sight so that `row` is, turning whole pages so that little is written while it moves.

    >>> follow(top=0, row=9, body=8, total=32), follow(top=0, row=7, body=8, total=32)
    (8, 0)
    >>> follow(top=8, row=3, body=8, total=32)
    3
    """
    if top <= row < top + body:
        return min(top, max(total - body, 0))
    page = row - min(1, body - 1) if row >= top + body else row
    return min(max(page, 0), max(total - body, 0))


def turn_over(view: View) -> View:
    """From the scene's question to its hint, to its answer, and back to the question."""
    return replace(view, remark=(view.remark + 1) % max(len(remarks(view)), 1))


def remarks(view: View) -> list[tuple[str, str]]:
    """What the scene has to say, in order: question, hint, answer, each with its name. Nothing of an edited access."""
    scene = view.scene
    if view.pattern != scene.accesses[view.access].pattern:
        return []
    said = [("question", scene.question), ("hint", scene.hint), ("answer", scene.answer)]
    return [(name, text) for name, text in said if text]


def begin_measuring(view: View, serial: int) -> View:
    """A measurement of the present access has been asked for under this serial number."""
    return replace(view, measuring=Measuring("running", serial, "asking the GPU"))


def told(view: View, serial: int, news: Measuring) -> View:
    """What a measurement has come to; nothing new when another picture or a later request has taken its place."""
    running = view.measuring.stage == "running" and view.measuring.serial == serial
    return replace(view, measuring=news) if running else view
