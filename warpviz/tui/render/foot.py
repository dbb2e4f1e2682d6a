"""The lines under the picture: where the animation is, and predicted beside measured."""

from __future__ import annotations

from functools import lru_cache

from textual.strip import Strip

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render.comparison import comparison
from warpviz.tui.render.facts import Fact, joined, predicted
from warpviz.tui.render.head import remark_facts
from warpviz.tui.render.lines import fact_strip, fits, tall_fact_strips, window
from warpviz.tui.render.measured import measured
from warpviz.tui.render.panel import panel_facts
from warpviz.tui.render.picture import legend
from warpviz.tui.render.text import Look, between, length, printable, strip_of
from warpviz.tui.shown import Shown
from warpviz.tui.state import SPEEDS, View


def status_strip(view: View, width: int, body: int, look: Look) -> Strip:
    """Where the animation is, which rows are in sight, and what the marks mean. body: memory rows that fit."""
    palette, glyphs = look.palette, look.glyphs
    mark = glyphs.play if view.playing else glyphs.pause
    left = [(f" {mark} ", palette.strong), (f"{progress(view):<18}", palette.strong)]
    if view.notice:
        left.append((printable(view.notice), palette.good))
        return strip_of(between(left, [], width, look), width, look)
    if view.playing:
        left.append((f"{SPEEDS[view.speed]:g} a second  ", palette.quiet))
    total = len(view.shown.rows) if view.shown else 0
    if total > body > 0:
        left.append((f"rows {view.top + 1}-{min(view.top + body, total)} of {total}", palette.text))
    of_lanes, of_memory = legend(view.shown.rows if view.shown else (), look)
    legends = (of_memory + of_lanes, of_lanes)
    right = next((one for one in legends if length(left + one) < width), [])
    return strip_of(between(left, right, width, look), width, look)


def progress(view: View) -> str:
    """The animation's place in words."""
    if view.shown is None:
        return ""
    unit, steps = view.shown.schedule.unit, len(view.shown.schedule.steps)
    if not steps:
        return "no lane takes part"
    if view.position > steps:
        return "all served"
    return f"{unit} {view.position} of {steps}" if view.position else "all waiting"


def fact_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """Predicted and measured, in so many lines; A and B and their difference when two are compared."""
    if view.shown is None or not height:
        return []
    if view.pinned is not None:
        return [fact_strip(fact, width, look) for fact in comparison(view, view.pinned, look.glyphs)[:height]]
    costs = _predicted(view.shown, look.glyphs)
    if len(costs) >= height:
        costs = (joined(costs),)
    shown = joined(measured(view.shown, view.measuring, look.glyphs))
    if not fits(shown, width, look):
        shown = joined(measured(view.shown, view.measuring, look.glyphs, brief=True))
    return [fact_strip(fact, width, look) for fact in (*costs, shown)]


def side_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """The facts, everything that the scene says, and the open panel, beside the picture: as much of it as fits."""
    strips = side_lines(view, width, look)
    seen = window(strips, view.panel_top, height)
    if view.panel_top + height < len(strips):
        more = [(f"{look.glyphs.skipped} page down for more", look.palette.quiet)]
        seen[-1] = strip_of(more, width, look)
    return seen


def side_lines(view: View, width: int, look: Look) -> list[Strip]:
    """All that stands beside the picture when there is room."""
    if view.shown is None:
        return []
    says_why = view.panel == "why"  # at more length
    costs = [fact for fact in _predicted(view.shown, look.glyphs) if not (says_why and fact.name == "why")]
    measurements = measured(view.shown, view.measuring, look.glyphs)
    if view.panel == "evidence":  # at more length
        measurements = measurements[:1]
    facts = [*costs, *measurements, *remark_facts(view), *panel_facts(view, look.glyphs)]
    return [strip_of([], width, look), *tall_fact_strips(facts, width, look)]


@lru_cache(maxsize=64)
def _predicted(shown: Shown, glyphs: Glyphs) -> tuple[Fact, ...]:
    return predicted(shown, glyphs)
