"""The cost against a knob: a column for each value, and dots where it was measured.

A column is in two colours: up to the ideal, and what goes beyond it. Between columns the ideal is a faint line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

from rich.color import Color
from rich.style import Style
from textual.strip import Strip

from warpviz.scale import label_start, labelled, powers_of_two, ticks
from warpviz.tui.render.text import Look, Part, between, cut, length, strip_of

_BROADEST = 16  # characters from one column to the next
_ROUND_IT = 3  # rows for the title, the axis and the values under it
_ROWS_A_TICK = 3
_LONGEST_NAME = 12
_NOUNS = {
    "wavefronts": ("pass", "passes", "conflicts"),
    "sectors": ("sector", "sectors", "more than ideal"),
    "requests": ("request", "requests", "more than ideal"),
}


@dataclass(frozen=True)
class Chart:
    """values: in the order of the columns. predicted, ideal: of each value, None where it is in error.

    measured: by value, before rounding. cursor: the value that the knob has. unit: of all of these, "wavefronts",
    "sectors" or "requests". name: of the knob.
    """

    values: tuple[int, ...]
    predicted: tuple[int | None, ...]
    ideal: tuple[int | None, ...]
    measured: Mapping[int, float]
    cursor: int
    unit: str
    name: str

    @cached_property
    def top(self) -> int:
        """The upper end of the upright axis."""
        counts = [count for count in (*self.predicted, *self.ideal) if count is not None]
        return max([1, *counts, *map(ceil, (m - 0.5 for m in self.measured.values()))])


@dataclass(frozen=True)
class _Column:
    """What one column shows of its values: the most. x: its first character, from the left edge of the chart."""

    values: tuple[int, ...]
    x: int
    predicted: int | None
    ideal: int | None
    measured: float | None
    value: int  # the one that costs most


@dataclass(frozen=True)
class _Plot:
    """left: the first character of the columns. pitch: characters from one column to the next; each is `bar` broad.
    together: values that share a column, at most."""

    columns: tuple[_Column, ...]
    left: int
    pitch: int
    bar: int
    room: int
    together: int


def chart_strips(chart: Chart, width: int, height: int, look: Look) -> list[Strip]:
    """The chart in at most `height` strips of exactly `width` columns: a title with the cursor's value and cost, the
    columns, their axis with the cursor's mark, and values under it. Where the height does not suffice, the title."""
    if height < 1 or width < 1:
        return []
    plot = _plot(chart, width)
    lines = [_title(chart, plot, width, look)]
    rows = height - _ROUND_IT
    if rows > 0 and plot.columns:
        marks = _marks(chart.top, rows)
        lines += [_row(chart, plot, row, rows, marks.get(row), look) for row in reversed(range(rows))]
        lines += [_axis(chart, plot, look), _values(chart, plot, look)]
    return [strip_of(line, width, look) for line in lines]


def value_at(chart: Chart, width: int, x: int) -> int | None:
    """The value whose column is at this character of a chart of this width; of several the one that costs most."""
    plot = _plot(chart, width)
    if x < plot.left or (x - plot.left) // plot.pitch >= len(plot.columns):
        return None
    return plot.columns[(x - plot.left) // plot.pitch].value


def _plot(chart: Chart, width: int) -> _Plot:
    left = len(str(chart.top)) + 3
    room = max(width - left - 1, 1)
    together = next(count for count in powers_of_two() if len(chart.values) <= count * room)
    starts = range(0, len(chart.values), together)
    pitch = min(_BROADEST, room // max(len(starts), 1))
    columns = tuple(
        _column(chart, slice(start, start + together), left + pitch * number) for number, start in enumerate(starts)
    )
    return _Plot(columns, left, pitch, max(pitch - 1, 1), room, together)


def _column(chart: Chart, part: slice, x: int) -> _Column:
    values, predicted = chart.values[part], chart.predicted[part]
    counts = [count for count in predicted if count is not None]
    ideals = [ideal for ideal in chart.ideal[part] if ideal is not None]
    measured = [chart.measured[value] for value in values if value in chart.measured]
    most = max(range(len(values)), key=lambda i: -1 if predicted[i] is None else predicted[i] or 0)
    return _Column(
        values, x, max(counts, default=None), max(ideals, default=None), max(measured, default=None), values[most]
    )


def _title(chart: Chart, plot: _Plot, width: int, look: Look) -> list[Part]:
    """The cursor's value and cost, and as much of the legend as fits whole."""
    palette = look.palette
    name = cut([(chart.name, palette.strong)], _LONGEST_NAME, look)
    left: list[Part] = [(" ", palette.text), *name, (f" = {chart.cursor}: ", palette.strong)]
    said = _said(chart, look)
    right = _note(plot, width - length([*left, *said[:1]]), look)
    while len(said) > 1 and length([*left, *said, *right]) >= width:
        said = said[:-1]
    left += said
    legend = [*_legend(chart, look), *right]
    return between(left, legend if length(left) + length(legend) + 2 <= width else right, width, look)


def _note(plot: _Plot, room: int, look: Look) -> list[Part]:
    """What a column shows of several values, in less than `room` characters; nothing when each value has its own."""
    notes = (f"each column: most of {plot.together} values", f"most of {plot.together}", "")
    note = next((note for note in notes if len(note) + 2 < room), "") if plot.together > 1 else ""
    return [(note + " ", look.palette.quiet)] if note else []


def _said(chart: Chart, look: Look) -> list[Part]:
    """The cost at the cursor, the most important first."""
    palette = look.palette
    if chart.cursor not in chart.values:
        return [("outside this sweep", palette.quiet)]
    place = chart.values.index(chart.cursor)
    predicted, ideal = chart.predicted[place], chart.ideal[place]
    if predicted is None:
        return [("no cost, in error", palette.bad)]
    said: list[Part] = [(_amount(predicted, chart.unit), palette.strong)]
    if (measured := chart.measured.get(chart.cursor)) is not None:
        figure = f"{measured:g}" if measured == int(measured) else f"{measured:.2f}"
        said.append((f"   measured {figure}", palette.strong))
    if ideal is not None:
        said.append((f"   ideal {ideal:,}", palette.good if ideal == predicted else palette.quiet))
    return said


def _legend(chart: Chart, look: Look) -> list[Part]:
    palette, glyphs = look.palette, look.glyphs
    ideal, beyond = _inks(look)
    parts: list[Part] = [(glyphs.bar_full, beyond), (" predicted  ", palette.quiet)]
    if ideal != beyond:
        parts = [(glyphs.bar_full, ideal), (" ideal  ", palette.quiet), (glyphs.bar_full, beyond)]
        parts.append((f" {_NOUNS[chart.unit][2]}  ", palette.quiet))
    if chart.measured:
        parts += [(glyphs.measured, palette.strong), (" measured  ", palette.quiet)]
    return parts


def _row(chart: Chart, plot: _Plot, row: int, rows: int, mark: int | None, look: Look) -> list[Part]:
    """One row of the columns, counted from below."""
    palette, glyphs = look.palette, look.glyphs
    number = "" if mark is None else str(mark)
    rule = glyphs.column_rule if mark is None else glyphs.tick
    parts: list[Part] = [(f" {number:>{plot.left - 3}} ", palette.quiet), (rule, palette.faint)]
    level = next((column.ideal for column in plot.columns if column.ideal is not None), None)
    for column in plot.columns:
        level = level if column.ideal is None else column.ideal
        empty = _ideal_line(level or 0, chart.top, row, rows, look)
        parts += _cells(chart, column, plot.bar, row, rows, empty, look)
        parts.append((empty * (plot.pitch - plot.bar), palette.faint))
    return parts


def _ideal_line(ideal: int, top: int, row: int, rows: int, look: Look) -> str:
    """What stands in this row where no column does."""
    rules = look.glyphs.rules
    share = _height(ideal, top, rows) - row
    return rules[min(int(share * len(rules)), len(rules) - 1)] if 0 < share <= 1 else " "


def _cells(chart: Chart, column: _Column, bar: int, row: int, rows: int, empty: str, look: Look) -> list[Part]:
    """One row of one column: `bar` characters."""
    palette, glyphs = look.palette, look.glyphs
    lit = palette.bar.bgcolor if chart.cursor in column.values else None
    text, style = _block(column, chart.top, row, rows, look)
    if not text:
        text, style = empty, _over(palette.faint, lit)
    if column.predicted is None and row == 0:
        return _with_mark(text, style, bar, glyphs.unequal, _over(palette.bad, lit))
    if column.measured is not None and _row_of(column.measured, chart.top, rows) == row:
        behind = style.color if text == glyphs.bar_full else style.bgcolor
        return _with_mark(text, style, bar, glyphs.measured, _over(palette.strong, behind))
    return [(text * bar, style)]


def _with_mark(text: str, style: Style, bar: int, mark: str, marked: Style) -> list[Part]:
    before = (bar - 1) // 2
    return [(text * before, style), (mark, marked), (text * (bar - 1 - before), style)]


def _block(column: _Column, top: int, row: int, rows: int, look: Look) -> tuple[str, Style]:
    """The character of a column in a row and its style; no character above the column."""
    levels = look.glyphs.levels
    ideal, beyond = _inks(look)
    height, good = (_height(n or 0, top, rows) - row for n in (column.predicted, column.ideal))
    if height <= 0:
        return "", ideal
    if good >= min(height, 1):
        return _level(levels, height), ideal
    if good > 0 and height >= 1 and beyond.color is not None:
        return _level(levels, good), _over(ideal, beyond.color)
    return _level(levels, height), beyond


@lru_cache(maxsize=16)
def _inks(look: Look) -> tuple[Style, Style]:
    """Of the part of a column up to the ideal, and of the part beyond it."""
    palette = look.palette
    return palette.blank + Style(color=palette.good.color), palette.blank + Style(color=palette.bad.color)


@lru_cache(maxsize=256)
def _over(style: Style, ground: Color | None) -> Style:
    """The style on a ground of this colour; None leaves it as it is."""
    return style + Style(bgcolor=ground)


def _level(levels: str, share: float) -> str:
    return levels[max(0, min(ceil(share * len(levels)) - 1, len(levels) - 1))]


@lru_cache(maxsize=4096)
def _height(count: float, top: int, rows: int) -> float:
    """Rows, in eighths; what is not nothing has one eighth at least."""
    eighths = round(count * rows * 8 / top)
    return max(eighths, 1) / 8 if count > 0 else 0.0


def _row_of(count: float, top: int, rows: int) -> int:
    """The row in which a column of this count ends."""
    return max(0, min(ceil(_height(count, top, rows)) - 1, rows - 1))


def _marks(top: int, rows: int) -> dict[int, int]:
    """The numbers at the upright axis by row, the upper end in any case."""
    numbers = ticks(top, max(1, rows // _ROWS_A_TICK))
    return {_row_of(number, top, rows): number for number in numbers if number}


def _axis(chart: Chart, plot: _Plot, look: Look) -> list[Part]:
    """The lower axis, with a mark under the cursor's column."""
    palette, glyphs = look.palette, look.glyphs
    parts: list[Part] = [(f" {'0':>{plot.left - 3}} ", palette.quiet), (glyphs.corner, palette.faint)]
    for column in plot.columns:
        rule = glyphs.row_rule * plot.pitch
        if chart.cursor in column.values:
            before = (plot.bar - 1) // 2
            after = plot.pitch - before - 1
            parts += [(rule[:before], palette.faint), (glyphs.place, palette.strong), (rule[:after], palette.faint)]
        else:
            parts.append((rule, palette.faint))
    return parts


def _values(chart: Chart, plot: _Plot, look: Look) -> list[Part]:
    """Values under their columns, the cursor's among them."""
    palette = look.palette
    cursor = next((column for column in plot.columns if chart.cursor in column.values), None)
    shown = [column.values[0] for column in plot.columns]
    centres = [column.x - plot.left + plot.bar / 2 for column in plot.columns]
    labels = [(shown[i], centres[i]) for i in labelled(shown, centres, 1, plot.room)]
    if cursor is not None:
        own = (chart.cursor, cursor.x - plot.left + plot.bar / 2)
        labels = sorted([own, *(label for label in labels if not _touch(label, own, plot.room))], key=lambda it: it[1])
    parts: list[Part] = [(" " * plot.left, palette.text)]
    for value, centre in labels:
        start = _start((value, centre), plot.room)
        parts.append((" " * (plot.left + start - length(parts)), palette.text))
        is_cursor = cursor is not None and value == chart.cursor
        parts.append((str(value), palette.chosen if is_cursor else palette.quiet))
    return parts


def _start(label: tuple[int, float], room: int) -> int:
    return int(label_start(len(str(label[0])), label[1], room))


def _touch(one: tuple[int, float], other: tuple[int, float], room: int) -> bool:
    first, second = sorted([one, other], key=lambda label: _start(label, room))
    return _start(first, room) + len(str(first[0])) + 1 >= _start(second, room)


def _amount(count: int, unit: str) -> str:
    singular, plural, _ = _NOUNS[unit]
    return f"{count:,} {singular if count == 1 else plural}"
