"""The picture: 32 lanes above, the memory below, in the same 32 columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rich.style import Style
from textual.strip import Strip

from warpviz.hardware import LANES
from warpviz.tui.palette import HUES, State
from warpviz.tui.render.geometry import GROUP, Geometry
from warpviz.tui.render.text import Look, Part, cut, strip_of
from warpviz.tui.rows import Block, Colour, MemoryRow, Row, RuleRow

HEAD_ROWS = 3  # lane numbers, lane states, the columns' heading
_NO_LINE = Style(underline=False)
_LANE_DIGITS = "0123456789abcdefghijklmnopqrstuv"


@dataclass(frozen=True, eq=False)
class Canvas:
    """Where and with what a picture is drawn. width: its characters."""

    geometry: Geometry
    look: Look
    width: int


def state_of(step: int, position: int) -> State:
    """How the step with this index looks at a position of the animation.

    Position 0 is before anything, k is while the k-th step is served, one past the last is after everything.
    """
    if step == position - 1:
        return "now"
    return "served" if step < position - 1 else "waiting"


def lane_number_strip(canvas: Canvas, active: frozenset[int], lit: frozenset[int]) -> Strip:
    """The lanes' numbers; the lit ones stand out, inactive ones step back."""
    palette = canvas.look.palette
    plain = (palette.text, palette.quiet if canvas.geometry.cell <= 2 else palette.text)
    styles = [
        palette.chosen if lane in lit else plain[lane & 1] if lane in active else palette.faint for lane in range(LANES)
    ]
    return _columns(canvas, "lane", [_number(lane, canvas.geometry.cell) for lane in range(LANES)], styles)


def lane_state_strip(
    canvas: Canvas, steps: tuple[int | None, ...], colours: tuple[Colour, ...], position: int
) -> Strip:
    """A mark under each lane: waiting, now or served, in the colour of the word that it wants.

    steps: the step that serves each lane, None for an inactive lane. colours: each lane's.
    """
    glyphs, palette = canvas.look.glyphs, canvas.look.palette
    marks = {"waiting": glyphs.waiting, "now": glyphs.now, "served": glyphs.served}
    texts, styles = [], []
    for step, colour in zip(steps, colours, strict=True):
        if step is None:
            texts.append(glyphs.inactive.rjust(canvas.geometry.cell))
            styles.append(palette.faint)
            continue
        state = state_of(step, position)
        texts.append(marks[state].rjust(canvas.geometry.cell))
        styles.append(palette.hues[colour.hue % HUES].of(state, colour.tint))
    if canvas.look.motion == "reduced":
        return _columns(canvas, "", texts, [palette.text] * LANES, rules=palette.text)
    return _columns(canvas, "", texts, styles)


def heading_strip(canvas: Canvas, unit: str, busy: frozenset[int], lit: frozenset[int]) -> Strip:
    """What the columns are: banks, the sectors of a line, or words. busy: the fullest banks. lit: columns."""
    if unit == "sector":
        return _sector_heading(canvas)
    palette, geometry = canvas.look.palette, canvas.geometry
    plain = (palette.quiet, palette.dim if geometry.cell <= 2 else palette.quiet)
    styles = [
        palette.fullest if column in busy else palette.strong if column in lit else plain[column & 1]
        for column in range(LANES)
    ]
    texts = [_number(column, geometry.cell) for column in range(LANES)]
    return _columns(canvas, "bank" if unit == "pass" else "word", texts, styles)


def _sector_heading(canvas: Canvas) -> Strip:
    palette = canvas.look.palette
    rule: Part = (canvas.look.glyphs.column_rule, palette.faint)
    width = GROUP * canvas.geometry.cell
    parts: list[Part] = [("line".rjust(canvas.geometry.label - 1) + " ", palette.quiet)]
    for number in range(LANES // GROUP):
        parts += [rule, ((f"sector {number}" if width > 8 else f"sec {number}").center(width), palette.quiet)]
    return strip_of([*parts, rule], canvas.width, canvas.look)


def row_strip(canvas: Canvas, row: Row, position: int, lit: frozenset[int], bare: bool = False) -> Strip:
    """One row of the memory at a position of the animation. bare: its colours alone, to make it twice as high.

    With reduced motion only the label tells the state, so that a step writes next to nothing.
    """
    if isinstance(row, RuleRow):
        return _rule_strip(canvas, row)
    states = tuple(state_of(step, position) for step in row.steps)
    return _memory_strip(canvas, row, states, lit & _lanes_of(row), bare)


@lru_cache(maxsize=512)
def _lanes_of(row: MemoryRow) -> frozenset[int]:
    return frozenset(lane for block in row.blocks for lane in block.lanes)


@lru_cache(maxsize=512)
def _memory_strip(canvas: Canvas, row: MemoryRow, states: tuple[State, ...], lit: frozenset[int], bare: bool) -> Strip:
    palette, geometry = canvas.look.palette, canvas.geometry
    now = "now" in states
    label_style = palette.strong if now else palette.text if "served" in states else palette.quiet
    state_of_step: dict[int, State] = dict(zip(row.steps, states, strict=True))
    if canvas.look.motion == "reduced":
        state_of_step = dict.fromkeys(row.steps, "served")
        label_style = palette.strong if now else palette.text
    parts: list[Part] = [(" " * geometry.label if bare else _label(canvas, row.labels, now), label_style)]
    x = geometry.label
    for block in row.blocks:
        parts.append(_ground(canvas, x, geometry.x(block.column)))
        state = state_of_step[block.step]
        text = _block_text(canvas, block, state)
        style = _block_style(canvas, block, state, lit) + (_NO_LINE if bare else Style.null())
        parts.append((" " * len(text) if bare and block.lanes else text, style))
        x = geometry.x(block.column) + block.span * geometry.cell
    parts.append(_ground(canvas, x, geometry.end))
    if geometry.note >= 12 and not bare:
        parts += cut([(f" {row.note}", palette.quiet)], geometry.note, canvas.look)
    return strip_of(parts, canvas.width, canvas.look)


@lru_cache(maxsize=64)
def _rule_strip(canvas: Canvas, row: RuleRow) -> Strip:
    palette, glyphs, label = canvas.look.palette, canvas.look.glyphs, canvas.geometry.label
    if row.skips:
        parts: list[Part] = [(f"{glyphs.skipped} ".rjust(label) + f"  {row.text}", palette.quiet)]
    else:
        tail = glyphs.row_rule * max(canvas.geometry.end - label - len(row.text) - 4, 0)
        parts = [
            (" " * label + glyphs.row_rule * 2, palette.faint),
            (f" {row.text} ", palette.quiet),
            (tail, palette.faint),
        ]
    return strip_of(parts, canvas.width, canvas.look)


def _columns(canvas: Canvas, label: str, texts: list[str], styles: list[Style], rules: Style | None = None) -> Strip:
    """A text in each of the 32 columns, with rules between the groups of eight."""
    rule: Part = (canvas.look.glyphs.column_rule, rules or canvas.look.palette.faint)
    parts: list[Part] = [(label.rjust(canvas.geometry.label - 1) + " ", canvas.look.palette.quiet)]
    for column, (text, style) in enumerate(zip(texts, styles, strict=True)):
        if column % GROUP == 0:
            parts.append(rule)
        parts.append((text, style))
    return strip_of([*parts, rule], canvas.width, canvas.look)


def _number(number: int, cell: int) -> str:
    return _LANE_DIGITS[number] if cell == 1 else str(number).rjust(cell)


def _label(canvas: Canvas, labels: tuple[str, ...], now: bool) -> str:
    """The longest label that fits, at the right; a mark at the left of the row that is served now."""
    room = canvas.geometry.label - 2
    fitting = [label for label in labels if len(label) <= room]
    return (canvas.look.glyphs.play if now else " ") + (fitting[-1] if fitting else labels[0][-room:]).rjust(room) + " "


def _ground(canvas: Canvas, start: int, end: int) -> Part:
    """Empty memory from character `start` to `end`, with the rules that fall in between."""
    palette, glyph, rules = canvas.look.palette, canvas.look.glyphs.column_rule, _rule_places(canvas.geometry)
    text = "".join(glyph if x in rules else " " for x in range(start, end))
    return text, palette.blank if text.isspace() else palette.faint


@lru_cache(maxsize=16)
def _rule_places(geometry: Geometry) -> frozenset[int]:
    return frozenset({geometry.x(column) - 1 for column in range(0, LANES, GROUP)} | {geometry.end - 1})


def _block_text(canvas: Canvas, block: Block, state: State) -> str:
    width = block.span * canvas.geometry.cell
    if not block.lanes:
        return (" " if state == "waiting" else canvas.look.glyphs.waste) * width
    number = _number(block.lanes[0], 1) if width == 1 else str(block.lanes[0])
    several = canvas.look.glyphs.several if len(block.lanes) > 1 else ""
    if block.span > 1:
        return (number + several).center(width) if len(number + several) <= width else number.rjust(width)
    return (number + several if len(number + several) <= width else number).rjust(width)


def _block_style(canvas: Canvas, block: Block, state: State, lit: frozenset[int]) -> Style:
    palette = canvas.look.palette
    hue = palette.hues[block.colour.hue % HUES]
    if not block.lanes:
        return hue.of("served", 0) if state == "now" else palette.waste
    style = hue.of(state, block.colour.tint, not lit.isdisjoint(block.lanes))
    return style + palette.shared if len(block.lanes) > 1 else style


def legend(rows: Iterable[Row], look: Look) -> tuple[list[Part], list[Part]]:
    """What the marks under the lanes mean; and what those in these rows of the memory do."""
    glyphs = look.glyphs
    blocks = [block for row in rows for block in getattr(row, "blocks", ())]
    marks = [(glyphs.served, "served"), (glyphs.now, "now"), (glyphs.waiting, "waiting")]
    more = [(glyphs.several, "shared")] if any(len(block.lanes) > 1 for block in blocks) else []
    if any(not block.lanes for block in blocks):
        more.append((glyphs.waste, "moved, not used"))
    return _explained(marks, look), _explained(more, look)


def _explained(marks: list[tuple[str, str]], look: Look) -> list[Part]:
    palette = look.palette
    return [part for mark, word in marks for part in ((f"{mark} ", palette.text), (f"{word}  ", palette.quiet))]
