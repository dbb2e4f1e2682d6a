"""Presenting: the cost is hidden until the audience has answered, and then one key leads step by step to the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from warpviz.tui import state
from warpviz.tui.measuring import NOT_LOOKED
from warpviz.tui.shown import Shown
from warpviz.tui.state import View

MOST_DIGITS = 3  # of a guess: no access costs a thousand passes

Remark = Literal["question", "hint", "answer"]


@dataclass(frozen=True)
class Stage:
    """What is presented. view: of it count the setup, and the chosen access and knob, the position and the measurement.
    revealed: whether the cost is on the screen. guess: the digits of the audience's answer. remark: which of the
    scene's remarks is on the screen, where it has it."""

    view: View
    revealed: bool = False
    guess: str = ""
    remark: Remark = "question"

    @property
    def shown(self) -> Shown | None:
        """The present access; None when it cannot be evaluated."""
        return None if self.view.error else self.view.shown

    @property
    def said(self) -> str:
        """The remark's text; empty when the scene has none."""
        return dict(state.remarks(self.view)).get(self.remark, "")

    @property
    def everything_served(self) -> bool:
        """Whether the access is through; one that cannot be evaluated has nothing to go through."""
        return self.shown is None or (self.revealed and self.view.position >= self.shown.end)

    @property
    def next_access(self) -> str | None:
        """The name of the access that comes after this one; None for the last."""
        return next((access.name for access in self.view.scene.accesses[self.view.access + 1 :]), None)

    @property
    def has_answer(self) -> bool:
        """Whether the scene's answer is still to come: it follows the last access."""
        return self.next_access is None and self.remark != "answer" and "answer" in dict(state.remarks(self.view))

    @property
    def at_end(self) -> bool:
        """Whether nothing comes any more."""
        return self.everything_served and self.next_access is None and not self.has_answer

    @property
    def at_beginning(self) -> bool:
        """Whether nothing comes before."""
        return not self.revealed and not self.view.access and self.remark != "answer"


def begin(view: View) -> Stage:
    """The explorer's access, its cost hidden. A measurement that is not there yet stays with the explorer."""
    measuring = NOT_LOOKED if view.measuring.measurement is None else view.measuring
    return _hidden(replace(view, measuring=measuring))


def leave(stage: Stage, view: View) -> View:
    """The explorer's view, which may have got a measurement meanwhile, at the place that the stage is at."""
    there = stage.view
    measuring = view.measuring if there.shown is view.shown and there.error is view.error else there.measuring
    return replace(
        view,
        setup=there.setup,
        access=there.access,
        knob=there.knob,
        position=there.position,
        shown=there.shown,
        error=there.error,
        measuring=measuring,
    )


def forward(stage: Stage) -> Stage:
    """One further: the cost, each step of the access, the next access with its cost hidden; last the scene's answer."""
    shown = stage.shown
    if shown is not None and not stage.revealed:
        return replace(stage, revealed=True)
    if shown is not None and stage.view.position < shown.end:
        return _at(stage, stage.view.position + 1)
    if stage.next_access is not None:
        return choose_access(stage, 1)
    return replace(stage, remark="answer") if stage.has_answer else stage


def backward(stage: Stage) -> Stage:
    """One back on the way that `forward` goes. An access that comes again so has everything served."""
    if stage.remark == "answer":
        return replace(stage, remark="question")
    if stage.revealed:
        return _at(stage, stage.view.position - 1) if stage.view.position else replace(stage, revealed=False)
    return stage if stage.at_beginning else last(choose_access(stage, -1))


def choose_access(stage: Stage, by: int) -> Stage:
    """The scene's next access, or the one before, round and round; its cost hidden."""
    chosen = state.choose_access(stage.view, by)
    return stage if chosen is stage.view else _hidden(chosen)


def first(stage: Stage) -> Stage:
    """Before the first step. A cost that is hidden stays so."""
    return _at(stage, 0)


def last(stage: Stage) -> Stage:
    """Everything served, and so the cost revealed."""
    return stage if stage.shown is None else _at(replace(stage, revealed=True), stage.shown.end)


def turn_over(stage: Stage) -> Stage:
    """Hide the cost, for another answer; or reveal it."""
    if stage.shown is None:
        return stage
    return _hidden(stage.view) if stage.revealed else replace(stage, revealed=True)


def type_digit(stage: Stage, digit: int) -> Stage:
    """Another digit of the guess, as long as the cost is hidden."""
    if stage.revealed or len(stage.guess) == MOST_DIGITS:
        return stage
    return replace(stage, guess=stage.guess.lstrip("0") + str(digit))


def erase(stage: Stage) -> Stage:
    """Without the guess's last digit; without a guess to change, one back."""
    return backward(stage) if stage.revealed or not stage.guess else replace(stage, guess=stage.guess[:-1])


def turn_knob(stage: Stage, by: int) -> Stage:
    """The chosen knob turned by so many of its steps, and the cost hidden again."""
    turned = state.turn_knob(stage.view, by)
    return stage if turned is stage.view else _hidden(turned)


def choose_knob(stage: Stage, by: int) -> Stage:
    """The next knob, or the one before, round and round."""
    return replace(stage, view=state.choose_knob(stage.view, by))


def hint(stage: Stage) -> Stage:
    """The hint in place of the question, and back."""
    has_hint = "hint" in dict(state.remarks(stage.view))
    return replace(stage, remark="hint" if has_hint and stage.remark != "hint" else "question")


def _hidden(view: View) -> Stage:
    return Stage(replace(view, position=0, playing=False))


def _at(stage: Stage, position: int) -> Stage:
    return replace(stage, view=replace(stage.view, position=position))
