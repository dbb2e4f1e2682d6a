"""The panels round the picture: what is looked at, the knobs, the animation, the facts."""

from __future__ import annotations

from collections.abc import Iterable

from textual.strip import Strip

from warpviz.scene import Knob
from warpviz.tui.render.facts import Fact, Tone, tone_style
from warpviz.tui.render.heading import heading
from warpviz.tui.render.picture import legend
from warpviz.tui.render.text import Look, Part, between, cut, flow, length, printable, strip_of
from warpviz.tui.state import SPEEDS, View, remarks

_OPERATIONS = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldmatrix": "ldmatrix"}
FACT_NAME = 11  # columns for a fact's name


def title_strip(view: View, width: int, look: Look) -> Strip:
    """The scene, which of its accesses, and what kind of access it is."""
    bar = look.palette.bar
    left: list[Part] = [(f" {heading(view.scene)}", look.palette.strong)]
    if len(view.patterns) > 1:
        name = printable(view.scene.accesses[view.access].name)
        left.append((f"  {look.glyphs.right} {name} ({view.access + 1} of {len(view.patterns)})", bar))
    kinds = [[view.scene.arch]]
    if view.shown:
        access = view.shown.access
        short = [access.space, _OPERATIONS[access.op]]
        kinds = [[printable(view.shown.evaluation.element_type), *short, view.scene.arch], short]
    rights: list[list[Part]] = [[(f" {look.glyphs.dot} ".join(kind) + " ", bar)] for kind in kinds]
    right = next((right for right in rights if length(left) + length(right) < width), [])
    return strip_of([(text, style + bar) for text, style in between(left, right, width, look)], width, bar)


def expression_strip(view: View, width: int, look: Look) -> Strip:
    """The expression, and the knobs at the right."""
    palette = look.palette
    knobs = knob_parts(view, look)
    expression: list[Part] = [(f" {printable(view.pattern.expression)}", palette.strong)]
    if view.pattern.where:
        expression.append((f"   where {printable(view.pattern.where)}", palette.quiet))
    return strip_of(between(expression, cut(knobs, width // 2, look), width, look), width, look.palette.blank)


def knob_parts(view: View, look: Look) -> list[Part]:
    """Every knob with its value; the chosen one between arrows."""
    parts: list[Part] = []
    for index, knob in enumerate(view.knobs):
        parts += _knob(knob, index == view.knob, look)
    return parts


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


def remark_strips(view: View, width: int, look: Look) -> list[Strip]:
    """The first remark, on as many lines as it needs."""
    facts = remark_facts(view)
    if not facts:
        return []
    text = look.palette.text
    strips = []
    for number, line in enumerate(flow(_said(facts[0].said, look), width - FACT_NAME - 2)):
        lead = f" {'' if number else facts[0].name:<{FACT_NAME}}"
        strips.append(strip_of([(lead, look.palette.quiet), *line], width, text))
    return strips


def remark_facts(view: View) -> list[Fact]:
    """Warnings, what the scene says as far as it is turned over (the last first), and what is assumed."""
    shown = view.shown
    warnings = [Fact("warning", ((str(notice), "bad"),)) for notice in (shown.evaluation.warnings if shown else ())]
    said = [Fact(name, ((text, "text"),)) for name, text in reversed(remarks(view)[: view.remark + 1])]
    assumed = [Fact("assumed", ((text, "quiet"),)) for text in (shown.assumptions if shown else ())]
    return [*warnings, *said, *assumed]


def error_strips(view: View, width: int, look: Look, text_at: int) -> list[Strip]:
    """What is wrong with the present text: under its place when it fits there, else with the place in words.

    text_at: the screen column of the expression's first character.
    """
    error = view.error
    if error is None:
        return []
    bad = look.palette.bad
    lines: list[list[Part]] = [[(" ", bad), *line] for line in flow([(printable(str(error)), bad)], width - 2)]
    at = text_at + error.column - 1
    in_field = error.source == "expression" and error.line == 1 and len(view.pattern.expression) + text_at < width
    if in_field and at + 2 + len(error.sentence) <= width:
        lines = [[(" " * at + look.glyphs.place, bad), (f" {printable(error.sentence)}", bad)]]
    return [strip_of(line, width, look.palette.blank) for line in lines]


def status_strip(view: View, width: int, look: Look, rows: str) -> Strip:
    """Where the animation is, which rows are in sight, and what the marks mean."""
    palette, glyphs = look.palette, look.glyphs
    mark = glyphs.play if view.playing else glyphs.pause
    left: list[Part] = [(f" {mark} ", palette.strong), (f"{_place(view):<18}", palette.strong)]
    if view.playing:
        left.append((f"{SPEEDS[view.speed]:g} a second  ", palette.quiet))
    left.append((rows, palette.text))
    of_lanes, of_memory = legend(view.shown.rows if view.shown else (), look)
    right = of_memory + of_lanes if length(left + of_memory + of_lanes) < width else of_lanes
    return strip_of(between(left, right, width, look), width, palette.blank)


def _place(view: View) -> str:
    """The animation's place in words."""
    if view.shown is None:
        return ""
    unit, steps = view.shown.schedule.unit, len(view.shown.schedule.steps)
    if not steps:
        return "no lane takes part"
    if view.position > steps:
        return "all served"
    return f"{unit} {view.position} of {steps}" if view.position else "all waiting"


def fact_strip(fact: Fact, width: int, look: Look) -> Strip:
    """A fact on one line: of its pieces as many as fit whole, the first in any case."""
    name: list[Part] = [(f" {printable(fact.name):<{FACT_NAME}}", look.palette.quiet)]
    pieces = fact.said
    while len(pieces) > 1 and length(name) + length(_said(pieces, look)) > width:
        pieces = pieces[:-1]
    return strip_of(cut([*name, *_said(pieces, look)], width, look), width, look.palette.blank)


def fits(fact: Fact, width: int, look: Look) -> bool:
    """Whether all that a fact says fits on one line."""
    return 1 + FACT_NAME + length(_said(fact.said, look)) <= width


def tall_fact_strips(facts: Iterable[Fact], width: int, look: Look) -> list[Strip]:
    """Each fact under its name, on as many lines as it needs, with a blank line behind it."""
    text = look.palette.text
    strips = []
    for fact in facts:
        strips.append(strip_of([(printable(fact.name), look.palette.quiet)], width, text))
        strips += [strip_of([("  ", text), *line], width, text) for line in flow(_said(fact.said, look), width - 3)]
        strips.append(strip_of([], width, text))
    return strips


def _said(pieces: tuple[tuple[str, Tone], ...], look: Look) -> list[Part]:
    """The pieces with three blanks between them."""
    parts: list[Part] = []
    for text, tone in pieces:
        parts += [(printable(text), tone_style(look.palette, tone)), ("   ", look.palette.text)]
    return parts[:-1]
