"""The cost against a knob, drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.tui.glyphs import ASCII, UNICODE
from warpviz.tui.palette import palette
from warpviz.tui.render.chart import Chart, chart_strips, value_at
from warpviz.tui.render.text import Look

DARK = Look(palette("rgb", "dark"), UNICODE)
MONO = Look(palette("mono", "dark"), ASCII)
STRIDES = tuple(range(65))
PASSES = tuple(gcd(k, 32) if k else 1 for k in STRIDES)
STRIDE = Chart(STRIDES, PASSES, (1,) * 65, {}, 8, "wavefronts", "k")
PAD = Chart((0, 1, 2, 3), (32, 1, 2, 1), (1, 1, 1, 1), {0: 32.01, 1: 1.0}, 0, "wavefronts", "pad")


def lines(chart: Chart, width: int, height: int, look: Look = DARK) -> list[str]:
    return [strip.text for strip in chart_strips(chart, width, height, look)]


def column(drawn: list[str], x: int) -> str:
    """The characters of the plot at this place, from below."""
    return "".join(line[x] for line in reversed(drawn[1:-2]))


def place_of(chart: Chart, value: int, width: int) -> int:
    return next(x for x in range(width) if value_at(chart, width, x) == value)


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    """Any chart whose cursor is one of its values."""
    first, step = draw(st.integers(-40, 100)), draw(st.sampled_from([1, 2, 3, 8]))
    predicted = draw(st.lists(st.none() | st.integers(0, 1024), min_size=1, max_size=400))
    values = tuple(first + step * i for i in range(len(predicted)))
    ideal = tuple(None if count is None else draw(st.integers(0, count)) for count in predicted[:20])
    ideal += tuple(None if count is None else min(count, 1) for count in predicted[20:])
    measured = draw(st.dictionaries(st.sampled_from(values), st.floats(0, 1100), max_size=30))
    name = draw(st.sampled_from(["k", "pad", "a_name_of_some_length"]))
    unit = draw(st.sampled_from(["wavefronts", "sectors", "requests"]))
    return Chart(values, tuple(predicted), ideal, measured, draw(st.sampled_from(values)), unit, name)


@given(charts(), st.integers(40, 200), st.integers(1, 40), st.sampled_from([DARK, MONO]))
def test_strips_have_the_size_that_was_asked_for(chart: Chart, width: int, height: int, look: Look) -> None:
    strips = chart_strips(chart, width, height, look)
    assert 1 <= len(strips) <= height
    assert {strip.cell_length for strip in strips} == {width}
    assert look is DARK or all(strip.text.isascii() for strip in strips)


@given(charts(), st.integers(40, 200), st.integers(5, 40))
def test_no_number_is_clipped(chart: Chart, width: int, height: int) -> None:
    title, *rows, _, under = lines(chart, width, height)
    predicted = chart.predicted[chart.values.index(chart.cursor)]
    assert f"= {chart.cursor}: " in title
    if predicted is not None:
        assert re.search(rf": {predicted:,} (pass|passes|sectors?|requests?)\b", title)
    assert "…" not in title or len(chart.name) > 12
    assert set(map(int, under.split())) <= set(chart.values)
    marks = [int(found[0]) for row in rows if (found := re.findall(r"^ +(\d+) ┤", row))]
    assert marks == sorted(marks, reverse=True)
    assert marks[0] == chart.top


@given(charts(), st.integers(40, 200), st.integers(5, 40), st.sampled_from([DARK, MONO]))
def test_the_cursor_is_marked_under_its_column(chart: Chart, width: int, height: int, look: Look) -> None:
    *_, axis, under = lines(chart, width, height, look)
    (x,) = (x for x, char in enumerate(axis) if char == look.glyphs.place)
    shown = value_at(chart, width, x)
    assert shown is not None
    assert abs(chart.values.index(shown) - chart.values.index(chart.cursor)) < len(chart.values) / 8 + 1
    assert str(chart.cursor) in under.split()
    assert abs(under.index(str(chart.cursor)) - x) <= len(under.split()[0]) + len(str(chart.cursor))


@given(charts(), st.integers(40, 200))
def test_every_column_has_a_value_and_nothing_else(chart: Chart, width: int) -> None:
    found = [value for x in range(width) if (value := value_at(chart, width, x)) is not None]
    assert found == sorted(found)
    assert set(found) <= set(chart.values)
    counts = [count for count in chart.predicted if count is not None]
    shown = [count for value in found if (count := chart.predicted[chart.values.index(value)]) is not None]
    assert max(shown, default=None) == max(counts, default=None)
    assert value_at(chart, width, 0) is None


def test_columns_are_as_high_as_the_costs() -> None:
    drawn = lines(STRIDE, 80, 35)  # 32 rows for 32 passes
    for value, count in zip(STRIDES, PASSES, strict=True):
        assert len(column(drawn, place_of(STRIDE, value, 80)).rstrip()) == count


def test_dots_stand_where_the_columns_end() -> None:
    chart = replace(STRIDE, measured={k: count + 0.01 for k, count in zip(STRIDES, PASSES, strict=True)})
    for look in (DARK, MONO):
        drawn = lines(chart, 80, 35, look)
        dots = [column(drawn, place_of(chart, value, 80)).index(look.glyphs.measured) + 1 for value in STRIDES]
        assert dots == list(PASSES)
    off = lines(replace(STRIDE, measured={8: 20.0}), 80, 35)
    assert column(off, place_of(STRIDE, 8, 80)).index("●") == 19


def test_the_title_says_the_cost_at_the_cursor() -> None:
    assert lines(STRIDE, 80, 10)[0].startswith(" k = 8: 8 passes   ideal 1 ")
    measured = lines(replace(STRIDE, measured={8: 8.012}), 100, 10)[0]
    assert measured.startswith(" k = 8: 8 passes   measured 8.01   ideal 1 ")
    assert "● measured" in measured
    sectors = Chart((0, 1), (1, None), (1, None), {0: 1.0}, 0, "sectors", "o")
    assert lines(sectors, 60, 8)[0].startswith(" o = 0: 1 sector   measured 1   ideal 1")
    assert lines(replace(sectors, cursor=1), 60, 8)[0].startswith(" o = 1: no cost, in error")
    assert lines(replace(sectors, cursor=7), 60, 8)[0].startswith(" o = 7: outside this sweep")


def test_a_gap_is_marked() -> None:
    gap = Chart((0, 1, 2), (4, None, 4), (1, None, 1), {}, 0, "wavefronts", "k")
    for look in (DARK, MONO):
        drawn = lines(gap, 40, 10, look)
        assert drawn[-3].count(look.glyphs.unequal) == 1
        assert value_at(gap, 40, drawn[-3].index(look.glyphs.unequal)) == 1


def test_the_ideal_is_told_from_the_conflicts_by_colour_and_by_a_line() -> None:
    row = chart_strips(PAD, 60, 10, DARK)[-3]
    colours = {segment.style.color for segment in row if "█" in segment.text and segment.style}
    assert len(colours) <= 2
    assert DARK.palette.good.color in {
        s.style.color for strip in chart_strips(PAD, 60, 35, DARK) for s in strip if s.style
    }
    assert "▔" in lines(PAD, 60, 35)[-3]
    assert "-" in lines(PAD, 60, 35, MONO)[-3]


def test_several_values_share_a_column_where_there_is_no_room() -> None:
    title = lines(STRIDE, 40, 8)[0]
    assert "most of 2" in title
    many = replace(STRIDE, values=tuple(range(1040)), predicted=PASSES * 16, ideal=(1,) * 1040, cursor=1000)
    title, *rest = lines(many, 80, 12)
    assert "each column: most of 16 values" in title
    assert "1000" in rest[-1]
    assert "most of" not in lines(STRIDE, 80, 8)[0]


@pytest.mark.parametrize("height", [1, 3, 4, 5])
def test_low_charts(height: int) -> None:
    drawn = lines(PAD, 40, height)
    assert len(drawn) == (1 if height < 4 else height)
    assert drawn[0].startswith(" pad = 0: 32 passes")


def test_no_room_and_no_values() -> None:
    assert chart_strips(PAD, 40, 0, DARK) == []
    empty = Chart((), (), (), {}, 0, "wavefronts", "k")
    assert lines(empty, 40, 8)[0].startswith(" k = 0: outside this sweep")
    assert value_at(empty, 40, 20) is None


def test_a_column_of_nothing_is_empty() -> None:
    none = Chart((0, 1), (0, 3), (0, 1), {}, 0, "wavefronts", "k")
    assert column(lines(none, 40, 10), place_of(none, 0, 40)).strip(" ▁─▔") == ""
