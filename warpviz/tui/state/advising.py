"""What would mend the setup, and adopting it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpviz.tui.state.editing import adopt, with_patterns
from warpviz.tui.state.setup import Setup
from warpviz.tui.state.view import View

if TYPE_CHECKING:
    from warpviz.advice.fixes import Advice


@dataclass(frozen=True, eq=False)
class Advised:
    """setup: the one that the advice is about."""

    setup: Setup
    advice: Advice


def needs_advice(view: View) -> bool:
    """Whether the open panel shows advice about the setup, and there is none yet."""
    return view.panel == "fix" and view.error is None and advice_of(view) is None


def advice_of(view: View) -> Advice | None:
    """What would mend the present setup; None while it is not worked out."""
    advised = view.advised
    return advised.advice if advised is not None and advised.setup == view.setup else None


def apply_fix(view: View, number: int) -> View:
    """The fix with this number, from 1, applied to every access."""
    advice = advice_of(view)
    if view.panel != "fix" or advice is None:
        return view
    if number > len(advice.fixes):
        return replace(view, notice=f"there is no fix {number}")
    fix = advice.fixes[number - 1]
    if not fix.patterns:
        return replace(view, notice=f"fix {number} is advice: it cannot be applied to the text")
    turned = tuple(replace(knob, value=fix.values.get(knob.name, knob.value)) for knob in view.knobs)
    mended = with_patterns(replace(view, setup=replace(view.setup, knobs=turned)), tuple(fix.patterns))
    if mended.error is not None:
        return replace(view, notice=f"fix {number} cannot be applied: {mended.error.sentence}")
    return replace(adopt(view, mended.setup), notice=f"applied (u takes it back): {fix.title}")
