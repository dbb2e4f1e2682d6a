"""The lines above the picture: what is looked at, the knobs, the chosen lane or an error, what the scene says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from textual.strip import Strip

from warpviz.expression import Pattern
from warpviz.hardware import base_arch
from warpviz.model.rules import MEASURED_ARCH
from warpviz.scene import Knob
from warpviz.tui.render.facts import Fact, lane_fact
from warpviz.tui.render.heading import title_parts
from warpviz.tui.render.lines import fact_strip, fits, flowing_strips
from warpviz.tui.render.text import Look, Part, between, cut, flow, length, printable, strip_of
from warpviz.tui.shown import Shown
from warpviz.tui.state import View, remarks

_OPERATIONS = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldmatrix": "ldmatrix"}
_EXPRESSION_AT = 1  # the screen column of the expression's first character


def title_strip(view: View, width: int, look: Look) -> Strip:
    """The scene, which of its accesses, and what kind of access it is."""
    bar = look.palette.bar
    left = title_parts(view, look)
    measured_arch = base_arch(view.setup.arch) == MEASURED_ARCH
    arch = view.setup.arch if measured_arch else f"{view.setup.arch} (assumed)"
    kinds = [[arch]]
    if view.shown:
        access = view.shown.access
        short = [access.space, _OPERATIONS[access.op]]
        kinds = [[printable(view.shown.evaluation.element_type), *short, arch], [*short, arch], short]
    rights: list[list[Part]] = [[(f" {look.glyphs.dot} ".join(kind) + " ", bar)] for kind in kinds]
    right = next((right for right in rights if length(left) + length(right) < width), [])
    return strip_of([(text, style + bar) for text, style in between(left, right, width, look)], width, look, bar)


def expression_strip(view: View, width: int, look: Look) -> Strip:
    """The expression, and the knobs at the right."""
    palette = look.palette
    knobs = knob_parts(view, look)
    expression: list[Part] = [(f" {printable(view.pattern.expression)}", palette.strong)]
    if view.pattern.where:
        expression.append((f"   where {printable(view.pattern.where)}", palette.quiet))
    return strip_of(between(expression, cut(knobs, width // 2, look), width, look), width, look)


def caption_strip(
    letter: str, pattern: Pattern, other: Pattern, values: Mapping[str, int], width: int, look: Look
) -> Strip:
    """Over one of two pictures: which it is, its expression, the values that its names have, and what else it has that
    the other has not: its operation, its condition, lines of its declarations."""
    palette = look.palette
    given = ", ".join(f"{printable(name)} = {value}" for name, value in values.items())
    own = [_OPERATIONS[pattern.op]] if pattern.op != other.op else []
    own += [f"where {printable(pattern.where)}"] if pattern.where and pattern.where != other.where else []
    own += [printable(changed_lines(other.declarations, pattern.declarations))]
    parts: list[Part] = [
        (f" {letter} ", palette.chosen),
        (f" {printable(pattern.expression)}", palette.strong),
        *((f"   {part}", palette.text) for part in [given, *own] if part),
    ]
    return strip_of(cut(parts, width, look), width, look)


def changed_lines(before: str, after: str) -> str:
    """The lines of a text that the text before it has not, on one line."""
    old = before.splitlines()
    return " ".join(line.strip() for line in after.splitlines() if line not in old)


def knob_parts(view: View, look: Look) -> list[Part]:
    """Every knob with its value; the chosen one between arrows."""
    parts: list[Part] = []
    for index, knob in enumerate(view.knobs):
        parts += _knob(knob, index == view.knob, look)
    return parts


def knob_under(view: View, width: int, x: int, look: Look) -> tuple[int, int] | None:
    """The knob at character x of the expression's line, and which way its arrow turns it: -1, 1; 0 elsewhere."""
    start = width - length(knob_parts(view, look))
    for index, knob in enumerate(view.knobs):
        for text, _ in _knob(knob, index == view.knob, look):
            if start <= x < start + len(text):
                return index, {look.glyphs.left: -1, look.glyphs.right: 1}.get(text.strip(), 0)
            start += len(text)
    return None


def _knob(knob: Knob, chosen: bool, look: Look) -> list[Part]:
    palette, glyphs = look.palette, look.glyphs
    width = max(len(str(knob.minimum)), len(str(knob.maximum)))
    value = f" {knob.value:>{width}} "
    if not chosen:
        return [(f" {printable(knob.name)} ", palette.quiet), (f" {value} ", palette.text)]
    style = palette.strong
    return [
        (f" {printable(knob.name)} ", style),
        (glyphs.left, palette.quiet),
        (value, palette.chosen),
        (glyphs.right + " ", palette.quiet),
    ]


def lane_strips(view: View, width: int, look: Look) -> list[Strip]:
    """Under the expression: what is wrong with it, or the chosen lane's numbers."""
    if view.error:
        return error_strips(view, width, look)
    return [_lane_strip(view.shown, view.lane, width, look)] if view.shown else []


def error_strips(view: View, width: int, look: Look) -> list[Strip]:
    """What is wrong with the present text: under its place when it fits there, else with the place in words."""
    error = view.error
    if error is None:
        return []
    bad = look.palette.bad
    lines: list[list[Part]] = [[(" ", bad), *line] for line in flow([(printable(str(error)), bad)], width - 2)]
    at = _EXPRESSION_AT + error.column - 1
    in_field = error.source == "expression" and error.line == 1
    in_field = in_field and len(view.pattern.expression) + _EXPRESSION_AT < width
    if in_field and at + 2 + len(error.sentence) <= width:
        lines = [[(" " * at + look.glyphs.place, bad), (f" {printable(error.sentence)}", bad)]]
    return [strip_of(line, width, look) for line in lines]


def remark_strips(view: View, width: int, look: Look) -> list[Strip]:
    """The first remark, on as many lines as it needs."""
    facts = remark_facts(view)
    return flowing_strips(facts[0], width, look) if facts else []


def remark_facts(view: View) -> list[Fact]:
    """Warnings, what the scene says as far as it is turned over (the last first), and what is assumed."""
    shown = view.shown
    warnings = [Fact("warning", ((str(notice), "bad"),)) for notice in (shown.evaluation.warnings if shown else ())]
    turned_up, left = remarks(view)[: view.remark + 1], remarks(view)[view.remark + 1 :]
    said = [Fact(name, ((text, "text"),)) for name, text in reversed(turned_up)]
    if said and left:
        said[0] = Fact(said[0].name, (*said[0].said, (f"h: {left[0][0]}", "quiet")))
    assumed = [Fact("assumed", ((text, "quiet"),)) for text in (shown.assumptions if shown else ())]
    return [*warnings, *said, *assumed]


@lru_cache(maxsize=64)
def _lane_strip(shown: Shown, lane: int, width: int, look: Look) -> Strip:
    fact = lane_fact(shown, lane, look.glyphs)
    if not fits(fact, width, look):
        fact = lane_fact(shown, lane, look.glyphs, brief=True)
    return fact_strip(fact, width, look)
