"""The open panel: why it costs what it costs, what would mend it, or the cost over a knob."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from textual.strip import Strip

from warpviz.advice.why import why
from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render.chart import Chart, chart_strips
from warpviz.tui.render.evidence import evidence_facts
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.render.head import changed_lines
from warpviz.tui.render.lines import flowing_strips, window
from warpviz.tui.render.text import Look, Part, cut, length, strip_of
from warpviz.tui.shown import Shown
from warpviz.tui.state import Sweeping, View, advice_of, sweeps_width, swept_value
from warpviz.wording import plural

if TYPE_CHECKING:
    from warpviz.advice.fixes import Fix

_TONES: dict[str, Tone] = {"good": "good", "bad": "bad", "plain": "text"}
_CHART_LINES = 14
_TITLES = {
    "why": "why it costs what it costs",
    "fix": "what would mend it",
    "sweep": "the cost over",
    "evidence": "what was measured, and how",
}


def panel_height(view: View, width: int, look: Look) -> int:
    """The lines that the open panel fills when it has them, its title included."""
    return 1 + (_CHART_LINES if view.panel == "sweep" else len(_listed(view, width, look)))


def panel_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """The open panel: its title, and as much of it as fits."""
    if view.panel == "sweep":
        return _sweep_strips(view, width, height, look)
    strips = _listed(view, width, look)
    seen = window(strips, view.panel_top, height - 1)
    more = "" if len(seen) == len(strips) else f"{len(seen)} of {len(strips)} lines, page down for more"
    return [panel_title(_TITLES[view.panel], more, width, look), *seen]


def panel_facts(view: View, glyphs: Glyphs) -> list[Fact]:
    """What the open panel says, as facts."""
    if view.panel == "fix":
        return _fixes(view)
    if view.shown is None:
        return []
    return evidence_facts(view.shown, view.measuring, glyphs) if view.panel == "evidence" else list(_why(view.shown))


def chart_of(sweeping: Sweeping, cursor: int) -> Chart | None:
    """The chart of a sweep; None before there is one."""
    sweep = sweeping.sweep
    if sweep is None:
        return None
    return Chart(
        values=tuple(point.value for point in sweep.points),
        predicted=tuple(point.count for point in sweep.points),
        ideal=tuple(point.ideal for point in sweep.points),
        measured=dict(sweeping.measured),
        cursor=cursor,
        unit=sweep.unit,
        name=sweep.name,
        origin=sweeping.origin,
    )


def _listed(view: View, width: int, look: Look) -> list[Strip]:
    return [strip for fact in panel_facts(view, look.glyphs) for strip in flowing_strips(fact, width, look)]


@lru_cache(maxsize=16)
def _why(shown: Shown) -> tuple[Fact, ...]:
    reasons = why(shown.evaluation, shown.cost, shown.schedule)
    tones = [_TONES[reason.tone] if place == 0 else "text" for place, reason in enumerate(reasons)]
    return tuple(Fact(reason.subject, ((reason.text, tone),)) for reason, tone in zip(reasons, tones, strict=True))


def _fixes(view: View) -> list[Fact]:
    advice = advice_of(view)
    if advice is None:
        return [Fact("fix", (("looking for paddings and swizzles", "quiet"),))]
    facts = [fact for number, fix in enumerate(advice.fixes, 1) for fact in _fix(view, str(number), fix)]
    if advice.already:
        facts.insert(0, Fact("fix", ((advice.already, "good"),)))
    return facts + [Fact("no help", ((sentence, "text"),)) for sentence in advice.refusals]


def _fix(view: View, number: str, fix: Fix) -> list[Fact]:
    """What it does and what it changes; the text that it writes; what else is to know."""
    better = sum(fix.after) < sum(fix.before)
    said: list[tuple[str, Tone]] = [(fix.title, "strong"), (_changes(view, fix), "good" if better else "text")]
    if fix.extra_bytes is not None:
        said.append((f"{fix.extra_bytes:+,} bytes" if fix.extra_bytes else "no more bytes", "text"))
    facts = [Fact(number if fix.patterns else "advice", tuple(said))]
    more: list[tuple[str, Tone]] = [("; ".join(_new_texts(view, fix)), "strong"), (_remark(fix), "quiet")]
    return facts + [Fact("", (piece,)) for piece in more if piece[0]]


def _remark(fix: Fix) -> str:
    """What else is to know; and, of an index that is written otherwise, that it is so for whoever uses the array."""
    alone = len(fix.patterns) == 1 and fix.kind in ("pad", "swizzle")
    others = "whatever else reads or writes the array has to do so too" if alone else ""
    return "; ".join(part for part in (fix.remark, others) if part)


def _changes(view: View, fix: Fix) -> str:
    """The cost of every access before and after, by name where there are several."""
    names = [access.name for access in view.scene.accesses] if len(fix.before) > 1 else [""]
    steps = [
        f"{name} {a} to {b}" if a != b else f"{name} {b}"
        for name, a, b in zip(names, fix.before, fix.after, strict=True)
    ]
    return f"{plural(0, fix.unit)}: " + ", ".join(step.strip() for step in steps)


def _new_texts(view: View, fix: Fix) -> list[str]:
    """What the fix writes: the expressions that are other ones, else the lines of the declarations that are."""
    pairs = list(zip(view.setup.patterns, fix.patterns, strict=False))
    expressions = [new.expression for old, new in pairs if new.expression != old.expression]
    declarations = [changed_lines(old.declarations, new.declarations) for old, new in pairs]
    return list(dict.fromkeys(text for text in expressions or declarations if text))


def _sweep_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    sweeping = view.sweeping
    over = "width: bytes a lane" if sweeps_width(view) else view.knobs[view.knob].name
    title = panel_title(f"{_TITLES['sweep']} {over}", sweeping.measuring.said, width, look)
    chart = chart_of(sweeping, swept_value(view))
    if chart is None:
        return [title, *flowing_strips(Fact("sweep", ((sweeping.said, "quiet"),)), width, look)]
    return [title, *chart_strips(chart, width, height - 1, look)]


def panel_title(text: str, more: str, width: int, look: Look) -> Strip:
    """The rule over a panel: what it is about, and at the right what else there is to say."""
    palette, rule = look.palette, look.glyphs.row_rule
    left: list[Part] = [(f" {rule * 2} ", palette.faint), (text, palette.strong), (" ", palette.faint)]
    right: list[Part] = [(f" {more} ", palette.quiet)] if more else []
    dashes: Part = (rule * max(width - length(left) - length(right), 0), palette.faint)
    return strip_of(cut([*left, dashes, *right], width, look), width, look)
