"""The lines of a kernel, and beside each what its accesses cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rich.style import Style
from textual.strip import Strip

from warpviz.kernel.lines import LineCost
from warpviz.tui.code_table import CodeRow, CodeTable, Distance, Order, distance
from warpviz.tui.glyphs import Glyphs
from warpviz.tui.measured_kernel import MeasuredKernel
from warpviz.tui.palette import Palette
from warpviz.tui.render.text import Look, Part, cut, length, strip_of

_BAR = 6  # cells
_STANDING_OUT = 0.05  # of the cost: below, what is far from its ideal is written, but does not shout
_MEASURED, _MARK = 11, 2  # columns of what was measured, and of its mark alone
_LEAST_CODE = {"measured": 18, "bar": 28, "conflicts": 36, "requests": 46, "unit": 46}  # columns for the code beside


@dataclass(frozen=True)
class Columns:
    """Their widths in characters, with the blanks between them; 0: left out. number: of the line, with the cursor's
    mark. access: op and memory space. each, unit, measured, ideal: of a request. share: of the kernel's cost, its bar
    and percent."""

    number: int
    code: int
    access: int = 0
    requests: int = 0
    each: int = 0
    measured: int = 0
    unit: int = 0
    ideal: int = 0
    conflicts: int = 0
    bar: int = 0
    share: int = 0


class MeasuredTable(NamedTuple):
    """The code, and what a GPU showed of it; None: nothing."""

    code: CodeTable
    measured: MeasuredKernel | None = None


@lru_cache(maxsize=16)
def columns(made: MeasuredTable, width: int) -> Columns:
    """What fits beside the code, the most telling first. They stand close to the longest line."""
    table, costs = made.code, made.code.costs
    number = len(str(len(table.lines))) + 3
    if not costs:
        return Columns(number, max(width - number, 0))
    longest = 2 + max(length([(text, Style.null()) for text, _ in line]) for line in table.lines)
    taken = {
        "access": 1 + _widest("access", (table.name_of(cost.kind) for cost in costs)),
        "each": 9,
        "ideal": 7,
        "share": 7,
    }
    wanted = {
        "measured": _MEASURED,
        "bar": _BAR + 1,
        "conflicts": 1 + _widest("conflicts", (f"{cost.count.conflicts:,}" for cost in costs)),
        "requests": 1 + _widest("requests", (f"{cost.count.requests:,}" for cost in costs)),
        "unit": 1 + _widest("", (cost.unit for cost in costs)),
    }
    if not any(cost.count.conflicts for cost in costs):
        del wanted["conflicts"]
    if made.measured is None:
        del wanted["measured"]
    room = width - number - sum(taken.values())
    for name, size in wanted.items():
        if room - size >= min(_LEAST_CODE[name], longest):
            taken[name] = size
            room -= size
    if made.measured is not None and "measured" not in taken:
        taken["measured"] = _MARK
        room -= _MARK
    return Columns(number, max(min(room, longest), 0), **taken)


def _widest(head: str, texts: Iterable[str]) -> int:
    return max(len(head), *map(len, texts))


def head_strip(made: MeasuredTable, order: Order, width: int, look: Look) -> Strip:
    """Over the columns: what they are."""
    quiet, places = look.palette.quiet, columns(made, width)
    said = "the lines that touch memory, hottest first" if order == "hottest" else ""
    code = cut([(said, quiet)], max(places.code - 1, 0), look)
    parts: list[Part] = [(" " * places.number, quiet), *code, (" " * (places.code - length(code)), quiet)]
    if made.code.costs:
        share = f"{'share':>{places.bar + places.share - 1}}"
        heads = Cells("access", "requests", "per req", "", "measured", "ideal", "conflicts", share)
        parts += [(text, quiet) for text in _laid_out(heads, places).values()]
    return strip_of(parts, width, look)


class Cells(NamedTuple):
    """What stands in the columns behind the code. The bar stands before the share."""

    access: str
    requests: str
    each: str
    unit: str
    measured: str
    ideal: str
    conflicts: str
    share: str


def _laid_out(cells: Cells, places: Columns) -> dict[str, str]:
    """Each text in its column, as wide as that; none where it is left out."""
    return {
        "access": f" {cells.access:<{places.access - 1}}",
        "requests": f"{cells.requests:>{places.requests}}" if places.requests else "",
        "each": f"{cells.each:>{places.each - 1}} ",
        "unit": f" {cells.unit:<{places.unit - 1}}" if places.unit else "",
        "measured": _cell(cells.measured, places.measured),
        "ideal": f"{cells.ideal:>{places.ideal}}",
        "conflicts": f"{cells.conflicts:>{places.conflicts}}" if places.conflicts else "",
        "share": f"{cells.share:>{places.share - 1}} ",
    }


def _cell(text: str, width: int) -> str:
    """At the right; where only a mark fits, its last character, and no word."""
    if width == _MARK:
        return f"{'' if text.isalpha() else text[-1:]:>{width}}"
    return f"{text:>{width}}" if width else ""


def code_strips(
    made: MeasuredTable, order: Order, top: int, place: int | None, width: int, height: int, look: Look
) -> list[Strip]:
    """The rows in sight from `top` on. place: the one that the cursor is on."""
    seen = range(top, min(top + height, len(made.code.rows(order))))
    return [_row_strip(made, order, row, row == place, width, look) for row in seen]


@lru_cache(maxsize=512)
def _row_strip(made: MeasuredTable, order: Order, place: int, chosen: bool, width: int, look: Look) -> Strip:
    palette, places, table = look.palette, columns(made, width), made.code
    row = table.rows(order)[place]
    mark = look.glyphs.play if chosen else " "
    number = str(row.line or "?") if row.shows_line else ""
    warned = row.shows_line and row.line in table.dangerous
    parts: list[Part] = [
        (f" {mark}", palette.strong),
        (f"{number:>{places.number - 3}}", palette.bad if warned else palette.strong if chosen else palette.quiet),
        ("!" if warned else " ", palette.bad),
    ]
    code = list(_code(table, row, chosen, order == "hottest", palette)) if row.shows_line else []
    code = cut(code, places.code - 1, look)
    parts += [*code, (" " * (places.code - length(code)), palette.text)]
    if row.cost is not None:
        parts += _cost_parts(row.cost, made, places, look)
    if not chosen or palette.text.bgcolor is None:
        return strip_of(parts, width, look)
    ground = Style(bgcolor=palette.bar.bgcolor)
    raised = [(text, style + ground if style.bgcolor == palette.text.bgcolor else style) for text, style in parts]
    return strip_of(raised, width, look, palette.blank + ground)


def _code(table: CodeTable, row: CodeRow, chosen: bool, alone: bool, palette: Palette) -> Iterator[Part]:
    """What touches memory stands out; what is aside stands back. alone: without the lines around it, so that it need
    not be indented as they are."""
    pieces = table.lines[row.line - 1] if row.line else (("no line of the file is known", "aside"),)
    plain = palette.quiet if row.cost is None else palette.strong if chosen else palette.text
    styles = {"aside": palette.dim, "code": plain, "keyword": palette.hues[0].of("waiting", 0)}
    for place, (text, meaning) in enumerate(pieces):
        yield text.lstrip() if alone and place == 0 else text, styles[meaning]


def _cost_parts(cost: LineCost, made: MeasuredTable, places: Columns, look: Look) -> Iterator[Part]:
    palette, far = look.palette, distance(cost)
    counted, is_equal = _measured(cost, made.measured, look.glyphs)
    tone, count = distance_style(far, palette), cost.count
    ideal = cost.ideal_per_request
    cells = Cells(
        made.code.name_of(cost.kind),
        f"{count.requests:,}",
        _number(cost.per_request),
        cost.unit,
        counted,
        "" if ideal is None else _number(ideal),
        f"{count.conflicts:,}" if cost.kind.space == "shared" else "",
        f"{cost.share:.0%}",
    )
    texts = _laid_out(cells, places)
    yield texts["access"], palette.text
    yield texts["requests"], palette.quiet
    yield from _each(texts["each"], tone, palette.fullest if far == "far" and cost.share >= _STANDING_OUT else tone)
    yield texts["unit"], palette.quiet
    yield texts["measured"], palette.good if is_equal else palette.bad
    yield texts["ideal"], palette.quiet
    yield texts["conflicts"], tone if count.conflicts else palette.quiet
    if places.bar:
        yield from _bar(cost.share, tone, look)
    yield texts["share"], palette.text


def _measured(cost: LineCost, measured: MeasuredKernel | None, glyphs: Glyphs) -> tuple[str, bool]:
    """What stands beside a predicted request, and whether it is what was predicted."""
    row = measured.rows.get(cost.kind) if measured is not None else None
    if row is None or row.is_equal:
        return glyphs.equal if row else "", True
    return glyphs.unequal if row.each is None else f"{_number(row.each)} {glyphs.unequal}", False


def _each(text: str, plain: Style, style: Style) -> Iterator[Part]:
    """The number with a blank at either side in its style."""
    number = text.strip()
    yield text[: -len(number) - 2], plain
    yield f" {number} ", style


def _bar(share: float, tone: Style, look: Look) -> Iterator[Part]:
    glyphs: Glyphs = look.glyphs
    full = min(_BAR, max(1, round(share * _BAR))) if share else 0
    yield " " + glyphs.bar_full * full, tone
    yield glyphs.bar_empty * (_BAR - full), look.palette.faint


def distance_style(far: Distance, palette: Palette) -> Style:
    """How what is so far from its ideal is written."""
    return {"ideal": palette.good, "near": palette.text, "far": palette.bad, "unknown": palette.text}[far]


def _number(value: float) -> str:
    return f"{value:.2f}"
