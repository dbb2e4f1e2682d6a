"""The cost against a knob: a column for each value, and dots where it was measured.

A column is in two colours: up to the ideal, and what goes beyond it. A dot stands on what was measured, so that it
hides nothing of the column under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from typing import Literal

from rich.color import Color
from rich.style import Style
from textual.strip import Strip

from warpviz.scale import Axis, label_start, labelled, powers_of_two
from warpviz.tui.glyphs import ASCII
from warpviz.tui.render.text import Look, Part, between, cut, length, strip_of

_BROADEST = 16  # characters from one column to the next
_ROUND_IT = 3  # rows for the title, the axis and the values under it
_ROWS_A_TICK = 3  # at least, where the axis is in equal steps
_LONGEST_NAME = 12
_NOUNS = {
    "wavefronts": ("pass", "passes", "conflicts"),
    "sectors": ("sector", "sectors", "over ideal"),
    "requests": ("request", "requests", "over ideal"),
}


@dataclass(frozen=True)
class Chart:
    """values: in the order of the columns. predicted, ideal: of each value, None where it is in error.

    measured: by value, before rounding. cursor: the value that the knob has. unit: of all of these, "wavefronts",
    "sectors" or "requests". name: of the knob. origin: "measured" here and now, or "recorded" elsewhere before.
    """

    values: tuple[int, ...]
    predicted: tuple[int | None, ...]
    ideal: tuple[int | None, ...]
    measured: Mapping[int, float]
    cursor: int
    unit: str
    name: str
    origin: Literal["measured", "recorded"]

    @cached_property
    def axis(self) -> Axis:
        """The upright axis, as high as the largest count."""
        counts = [count for count in (*self.predicted, *self.ideal) if count is not None]
        return Axis(max([1, *counts, *map(ceil, (m - 0.5 for m in self.measured.values()))]))


@dataclass(frozen=True)
class _Column:
    """What one column shows of its values: the most. x: its first character, from the left edge of the chart."""

    values: tuple[int, ...]
    x: int
    predicted: int | None
    ideal: int | None
    measured: float | None
    value: int  # the one that costs most

    @property
    def dot(self) -> float | None:
        """The count that the dot stands on: the predicted one when what was measured rounds to it."""
        return self.predicted if self.measured is not None and round(self.measured) == self.predicted else self.measured


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
    bars = rows - 1 if chart.measured else rows  # the dots of the highest columns stand above them
    if bars > 0 and plot.columns:
        marks = _marks(chart.axis, bars)
        lines += [_row(chart, plot, row, bars, marks.get(row), look) for row in reversed(range(rows))]
        lines += [_axis(chart, plot, look), _values(chart, plot, look)]
    return [strip_of(line, width, look) for line in lines]


def value_at(chart: Chart, width: int, x: int) -> int | None:
    """The value whose column is at this character of a chart of this width; of several the one that costs most."""
    plot = _plot(chart, width)
    if x < plot.left or (x - plot.left) // plot.pitch >= len(plot.columns):
        return None
    return plot.columns[(x - plot.left) // plot.pitch].value


def _plot(chart: Chart, width: int) -> _Plot:
    left = len(str(chart.axis.top)) + 3
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
    """The cursor's value and cost; what the marks mean, with the cursor's figures; what a column shows of several
    values. Where the width does not suffice: shorter, then less."""
    palette = look.palette
    name = cut([(chart.name, palette.strong)], _LONGEST_NAME, look)
    left: list[Part] = [(" ", palette.text), *name, (f" = {chart.cursor}: ", palette.strong), _cost(chart, look)]
    figures = _figures(chart)
    of_dot: dict[str, str] = {word: figure for word, figure in figures.items() if word == chart.origin}
    full, measured, bare = (_legend(chart, some, 2, look) for some in (figures, of_dot, {}))
    tight = _legend(chart, {}, 1, look)
    long, short = _notes(plot, look)
    choices = [(full, long), (full, short), (measured, short), (bare, short), (tight, short), (tight, []), ([], short)]
    fits = ((legend, note) for legend, note in choices if length([*left, *legend, *note]) < width)
    legend, note = next(fits, ([], []))
    return between([*left, *legend], note, width, look)


def _notes(plot: _Plot, look: Look) -> tuple[list[Part], list[Part]]:
    """What a column shows of several values, long and short; nothing when each value has its own."""
    if plot.together == 1:
        return [], []
    quiet = look.palette.quiet
    return [(f"each column: most of {plot.together} values", quiet)], [(f"most of {plot.together}", quiet)]


def _cost(chart: Chart, look: Look) -> Part:
    """The predicted cost at the cursor."""
    palette = look.palette
    if chart.cursor not in chart.values:
        return "outside this sweep", palette.quiet
    predicted = chart.predicted[chart.values.index(chart.cursor)]
    return ("no cost, in error", palette.bad) if predicted is None else (_amount(predicted, chart.unit), palette.strong)


def _figures(chart: Chart) -> dict[str, str]:
    """The other figures at the cursor, by their words in the legend."""
    if chart.cursor not in chart.values:
        return {}
    place = chart.values.index(chart.cursor)
    predicted, ideal, measured = chart.predicted[place], chart.ideal[place], chart.measured.get(chart.cursor)
    figures: dict[str, str] = {}
    if measured is not None:
        figures[chart.origin] = f"{measured:g}" if measured == int(measured) else f"{measured:.2f}"
    if predicted is not None and ideal is not None:
        figures |= {"ideal": f"{ideal:,}", _NOUNS[chart.unit][2]: f"{predicted - ideal:,}"}
    return figures


def _legend(chart: Chart, figures: Mapping[str, str], gap: int, look: Look) -> list[Part]:
    """Every mark of the chart with its word, and its figure where there is one. gap: blanks between two of them."""
    palette, glyphs = look.palette, look.glyphs
    ideal, beyond = _inks(look)
    marks = [(glyphs.bar_full, ideal, "ideal"), (glyphs.bar_full, beyond, _NOUNS[chart.unit][2])]
    if ideal == beyond:
        marks = [(glyphs.bar_full, ideal, "predicted")]
    if chart.measured:
        marks.append((glyphs.measured, palette.strong, chart.origin))
    if None in chart.predicted:
        marks.append((glyphs.unequal, palette.bad, "in error"))
    parts: list[Part] = []
    for mark, style, word in marks:
        figure = f" {figures[word]}" if word in figures else ""
        parts += [(" " * gap, palette.text), (mark, style), (f" {word}", palette.quiet), (figure, palette.strong)]
    if ideal == beyond and "ideal" in figures:
        parts += [("  ideal ", palette.quiet), (figures["ideal"], palette.strong)]
    return [(" ", palette.text), *parts]


def _row(chart: Chart, plot: _Plot, row: int, bars: int, mark: int | None, look: Look) -> list[Part]:
    """One row of the plot, counted from below. bars: the rows that the highest column has."""
    palette, glyphs = look.palette, look.glyphs
    number = "" if mark is None else str(mark)
    rule = glyphs.column_rule if mark is None else glyphs.tick
    parts: list[Part] = [(f" {number:>{plot.left - 3}} ", palette.quiet), (rule, palette.faint)]
    for column in plot.columns:
        parts += _cells(chart, column, plot.bar, row, bars, look)
        parts.append((" " * (plot.pitch - plot.bar), palette.blank))
    return parts


def _cells(chart: Chart, column: _Column, bar: int, row: int, bars: int, look: Look) -> list[Part]:
    """One row of one column: `bar` characters."""
    palette, glyphs = look.palette, look.glyphs
    lit = palette.bar.bgcolor if chart.cursor in column.values else None
    text, style = _block(column, chart.axis, row, bars, look)
    behind = style.color if text else lit
    if not text:
        text, style = " ", _over(palette.blank, lit)
    if column.predicted is None and row == 0:
        return _with_mark(text, style, bar, glyphs.unequal, _over(palette.bad, lit))
    if column.dot is not None and _row_on(column.dot, chart.axis, bars) == row:
        return _with_mark(text, style, bar, glyphs.measured, _over(palette.strong, behind))
    return [(text * bar, style)]


def _with_mark(text: str, style: Style, bar: int, mark: str, marked: Style) -> list[Part]:
    before = (bar - 1) // 2
    return [(text * before, style), (mark, marked), (text * (bar - 1 - before), style)]


def _block(column: _Column, axis: Axis, row: int, bars: int, look: Look) -> tuple[str, Style]:
    """The character of a column in a row and its style; no character above the column.

    A character that cannot show both the ideal and what goes beyond it shows what goes beyond it.
    """
    levels = look.glyphs.levels
    ideal, beyond = _inks(look)
    height, good = (_height(n or 0, axis, bars) - row for n in (column.predicted, column.ideal))
    if height <= 0:
        return "", ideal
    if good >= min(height, 1):
        return _level(levels, height), ideal
    if good > 0 and height >= 1 and beyond.color is not None and look.glyphs is not ASCII:
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
def _height(count: float, axis: Axis, bars: int) -> float:
    """Rows, in eighths; what is not nothing has one eighth at least. bars: the rows of the axis."""
    eighths = round(axis.share(count) * bars * 8)
    return max(eighths, 1) / 8 if count > 0 else 0.0


def _row_on(count: float, axis: Axis, bars: int) -> int:
    """The row of what stands on this count: the first above a column of it."""
    return min(ceil(_height(count, axis, bars)), bars)


def _marks(axis: Axis, bars: int) -> dict[int, int]:
    """The numbers at the upright axis by the row in which a column of so many ends, the upper end in any case."""
    numbers = axis.ticks(bars if axis.doubles else bars // _ROWS_A_TICK)
    return {ceil(_height(number, axis, bars)) - 1: number for number in numbers if number}


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
