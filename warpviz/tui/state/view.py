"""View: everything that is on the explorer's screen, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from warpviz.expression import ExpressionError, Pattern
from warpviz.scene import Knob, Scene
from warpviz.sweep import WIDTH
from warpviz.tui.measuring import NOT_LOOKED, Measuring
from warpviz.tui.opening import Opening, Panel
from warpviz.tui.shown import Shown, show
from warpviz.tui.state.setup import Pinned, Setup, named_values
from warpviz.tui.state.sweeping import NOT_SWEPT, Sweeping

if TYPE_CHECKING:
    from warpviz.tui.state.advising import Advised

Lit = Literal["lane", "place"]

_START_SPEED = 3


@dataclass(frozen=True)
class View:
    """What is on the explorer's screen.

    setup: as edited. access, knob, lane: the chosen ones, by index. position: of the animation, 0 (before anything) to
    `end` (everything served). speed: an index into SPEEDS. remark: which of the scene's question, hint and answer is
    turned up. top: the first memory row in sight. lit: what stands out, the chosen lane alone or all that lies in its
    bank (global memory: its sector) too. panel: which one is open; panel_top: its first line in sight. shown: the last
    access that could be evaluated; None before the first. error: why the present setup cannot be evaluated. pinned: A,
    to compare with. advised: what would mend a setup. sweeping: the cost over a knob; over_width: over
    the bytes a lane instead. past, future: the setups that
    undo and redo lead to. turned: the knob whose turning was the last change; empty after any other. before_edit: the
    setup when the field was opened; None while it is closed. notice: a sentence about the last key.
    """

    scene: Scene
    setup: Setup
    access: int = 0
    knob: int = 0
    lane: int = 1
    position: int = 0
    playing: bool = False
    speed: int = _START_SPEED
    remark: int = 0
    top: int = 0
    lit: Lit = "lane"
    panel: Panel = ""
    panel_top: int = 0
    shown: Shown | None = None
    error: ExpressionError | None = None
    measuring: Measuring = NOT_LOOKED
    pinned: Pinned | None = None
    advised: Advised | None = None
    sweeping: Sweeping = NOT_SWEPT
    past: tuple[Setup, ...] = ()
    future: tuple[Setup, ...] = ()
    over_width: bool = False
    turned: str = ""
    before_edit: Setup | None = None
    notice: str = ""

    @property
    def pattern(self) -> Pattern:
        """The pattern of the access on the screen."""
        return self.setup.patterns[self.access]

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """The knobs with their present values."""
        return self.setup.knobs

    @property
    def values(self) -> dict[str, int]:
        """The knobs' present values by name."""
        return self.setup.values

    @property
    def named_values(self) -> dict[str, int]:
        """The values of the names that stand in the access on the screen; of none while its text is in error."""
        return {} if self.error else named_values(self.setup, self.access)

    @property
    def end(self) -> int:
        """The animation's last position: everything on the screen is served."""
        ends = [shown.end for shown in (self.shown, self.pinned and self.pinned.shown) if shown]
        return max(ends, default=0)


def open_scene(scene: Scene) -> View:
    """The scene as it begins, not evaluated yet."""
    return View(scene, Setup(tuple(access.pattern for access in scene.accesses), scene.knobs, scene.arch))


def open_at(scene: Scene, opening: Opening) -> View:
    """The scene where an explorer begins, not evaluated yet; playing when the opening names no step."""
    view = open_scene(scene)
    knob = next((index for index, knob in enumerate(scene.knobs) if knob.name == opening.knob), 0)
    return replace(
        view,
        setup=replace(view.setup, recording=opening.recording),
        access=opening.access,
        knob=knob,
        over_width=opening.knob == WIDTH and all(knob.name != WIDTH for knob in scene.knobs),
        lane=opening.lane,
        panel=opening.panel,
        playing=opening.step is None,
    )


def evaluated(view: View) -> View:
    """The view with its access evaluated; with the error and the last good picture when that fails.

    The animation stays where it is, or at the end when it was at the end.
    """
    try:
        shown = show(view.pattern, view.values, view.setup.arch)
    except ExpressionError as error:
        return replace(view, error=error, measuring=NOT_LOOKED)
    at_end = view.shown is None or view.position >= view.end
    after = replace(view, shown=shown, error=None, measuring=NOT_LOOKED)
    return replace(after, position=after.end if at_end and not view.playing else min(view.position, after.end))


def standing(view: View) -> View:
    """The view without what the animation changes: equal as long as only the picture and its status differ."""
    return replace(view, position=0, playing=False, top=0)


def remarks(view: View) -> list[tuple[str, str]]:
    """What the scene has to say, in order: question, hint, answer, each with its name. Nothing of an edited access."""
    scene = view.scene
    if view.pattern != scene.accesses[view.access].pattern:
        return []
    said = [("question", scene.question), ("hint", scene.hint), ("answer", scene.answer)]
    return [(name, text) for name, text in said if text]
