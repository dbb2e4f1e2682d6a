"""The cost against a knob, drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from math import gcd, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip

from tests.tui.conftest import opened
from tests.tui.measurements import measurement
from warpviz.tui import state
from warpviz.tui.glyphs import ASCII, UNICODE
from warpviz.tui.palette import palette
from warpviz.tui.render.chart import Chart, chart_strips, value_at
from warpviz.tui.render.panel import chart_of
from warpviz.tui.render.text import Look
from warpviz.tui.thinking import find_sweep

DARK = Look(palette("rgb", "dark"), UNICODE)
MONO = Look(palette("mono", "dark"), ASCII)
STRIDES = tuple(range(65))
PASSES = tuple(gcd(k, 32) if k else 1 for k in STRIDES)
STRIDE = Chart(STRIDES, PASSES, (1,) * 65, {}, 8, "wavefronts", "k", "measured")
PAD = Chart((0, 1, 2, 3), (32, 1, 2, 1), (1, 1, 1, 1), {0: 32.01, 1: 1.0}, 0, "wavefronts", "pad", "recorded")


def lines(chart: Chart, width: int, height: int, look: Look = DARK) -> list[str]:
    return [strip.text for strip in chart_strips(chart, width, height, look)]


def column(drawn: list[str], x: int) -> str:
    """The characters of the plot at this place, from below."""
    return "".join(line[x] for line in reversed(drawn[1:-2]))


def rows_of(chart: Chart, width: int) -> tuple[Strip, Strip]:
    """The lowest and the highest row of a chart whose columns have twelve."""
    strips = chart_strips(chart, width, 16, DARK)
    return strips[-3], strips[2]


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
    origin = draw(st.sampled_from(["measured", "recorded"]))
    return Chart(values, tuple(predicted), ideal, measured, draw(st.sampled_from(values)), unit, name, origin)


@given(charts(), st.integers(40, 200), st.integers(1, 40), st.sampled_from([DARK, MONO]))
def test_strips_have_the_size_that_was_asked_for(chart: Chart, width: int, height: int, look: Look) -> None:
    strips = chart_strips(chart, width, height, look)
    assert 1 <= len(strips) <= height
    assert {strip.cell_length for strip in strips} == {width}
    assert look is DARK or all(strip.text.isascii() for strip in strips)


@given(charts(), st.integers(60, 200), st.integers(5, 40))
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
    assert marks[0] == chart.axis.top


@given(charts(), st.integers(40, 200), st.integers(5, 40), st.sampled_from([DARK, MONO]))
def test_the_cursor_is_marked_under_its_column(chart: Chart, width: int, height: int, look: Look) -> None:
    *_, axis, under = lines(chart, width, height, look)
    (x,) = (x for x, char in enumerate(axis) if char == look.glyphs.place)
    shown = value_at(chart, width, x)
    assert shown is not None
    assert abs(chart.values.index(shown) - chart.values.index(chart.cursor)) < len(chart.values) / 8 + 1
    (label,) = re.finditer(rf"(?<!\S){chart.cursor}(?!\S)", under)
    assert label.start() - 1 <= x <= label.end()


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
    small = Chart(STRIDES, tuple(k % 8 for k in STRIDES), (0,) * 65, {}, 8, "wavefronts", "k", "measured")
    drawn = lines(small, 80, 10)  # 7 rows for at most 7 passes
    for value in STRIDES:
        assert len(column(drawn, place_of(small, value, 80)).rstrip()) == value % 8


def test_every_doubling_is_as_high_as_the_last_where_costs_are_large() -> None:
    drawn = lines(STRIDE, 80, 15)  # 12 rows for 1, 2, 4, 8, 16 and 32 passes
    for value, count in zip(STRIDES, PASSES, strict=True):
        assert len(column(drawn, place_of(STRIDE, value, 80)).rstrip()) == 2 * log2(count) + 2
    marks = [line[:3].strip() for line in drawn[1:-1]]
    assert marks == ["32", "", "16", "", "8", "", "4", "", "2", "", "1", "", "0"]


@pytest.mark.parametrize("look", [Look(palette("mono", "dark"), UNICODE), MONO])
@pytest.mark.parametrize("measured", [{}, dict(zip(STRIDES, map(float, PASSES), strict=True))])
def test_every_doubling_shows_in_few_rows(look: Look, measured: dict[int, float]) -> None:
    chart = replace(STRIDE, measured=measured)
    drawn = lines(chart, 80, 7, look)
    heights = []
    for value in (1, 2, 4, 8, 16, 32):
        cells = column(drawn, place_of(chart, value, 80)).replace(look.glyphs.measured, "").rstrip()
        heights.append((len(cells), look.glyphs.levels.index(cells[-1])))
    assert heights == sorted(set(heights))


def test_dots_stand_on_the_columns_and_hide_nothing_of_them() -> None:
    chart = replace(STRIDE, measured={k: count + 0.01 for k, count in zip(STRIDES, PASSES, strict=True)})
    for look in (DARK, MONO):
        for height in (7, 10, 15, 35):
            drawn, bare = lines(chart, 80, height, look), lines(STRIDE, 80, height - 1, look)
            for value in STRIDES:
                x = place_of(chart, value, 80)
                assert column(drawn, x).rstrip() == column(bare, x).rstrip() + look.glyphs.measured
    off = lines(replace(STRIDE, measured={8: 16.0}), 80, 16)  # 12 rows for the columns
    assert column(off, place_of(STRIDE, 8, 80)).index("●") == 10
    inside = lines(replace(STRIDE, measured={32: 4.0}), 80, 16)
    assert column(inside, place_of(STRIDE, 32, 80)) == "██████●█████ "


def test_a_dot_in_a_column_stands_on_its_colour() -> None:
    inside = chart_strips(replace(STRIDE, measured={32: 4.0}), 80, 16, DARK)[1 + 12 - 6]
    (dot,) = (segment.style for segment in inside if segment.text == "●")
    assert dot is not None
    assert dot.bgcolor == DARK.palette.bad.color


def test_the_title_says_the_cost_at_the_cursor_and_what_the_marks_mean() -> None:
    assert lines(STRIDE, 80, 10)[0].startswith(" k = 8: 8 passes   █ ideal 1  █ conflicts 7  ")
    measured = lines(replace(STRIDE, measured={8: 8.012}), 80, 10)[0]
    assert measured.startswith(" k = 8: 8 passes   █ ideal 1  █ conflicts 7  ● measured 8.01 ")
    assert lines(PAD, 80, 10)[0].startswith(" pad = 0: 32 passes   █ ideal 1  █ conflicts 31  ● recorded 32.01 ")
    sectors = Chart((0, 1), (1, None), (1, None), {0: 1.0}, 0, "sectors", "o", "measured")
    title = " o = 0: 1 sector   █ ideal 1  █ over ideal 0  ● measured 1  ✗ in error "
    assert lines(sectors, 80, 8)[0].startswith(title)
    title = " o = 1: no cost, in error   █ ideal  █ over ideal  ● measured  ✗ in error "
    assert lines(replace(sectors, cursor=1), 80, 8)[0].startswith(title)
    assert lines(replace(sectors, cursor=7), 60, 8)[0].startswith(" o = 7: outside this sweep")


def test_without_colour_the_title_says_the_ideal_all_the_same() -> None:
    title = " pad = 0: 32 passes   # predicted  o recorded 32.01  ideal 1 "
    assert lines(PAD, 80, 10, MONO)[0].startswith(title)


@given(charts(), st.integers(80, 200), st.integers(6, 40), st.sampled_from([DARK, MONO]))
def test_every_mark_is_explained(chart: Chart, width: int, height: int, look: Look) -> None:
    chart = replace(chart, name=chart.name[:3])
    title, *rows, _, _ = lines(chart, width, height, look)
    drawn = "".join(row[len(str(chart.axis.top)) + 3 :] for row in rows)
    if look.glyphs.measured in drawn:
        assert f"{look.glyphs.measured} {chart.origin}" in title
    if look.glyphs.unequal in drawn:
        assert f"{look.glyphs.unequal} in error" in title
    if any(level in drawn for level in look.glyphs.levels):
        assert f"{look.glyphs.bar_full} {'ideal' if look is DARK else 'predicted'}" in title
    known = look.glyphs.levels + look.glyphs.measured + look.glyphs.unequal + " "
    assert set(drawn) <= set(known)


def test_a_gap_is_marked() -> None:
    gap = Chart((0, 1, 2), (4, None, 4), (1, None, 1), {}, 0, "wavefronts", "k", "measured")
    for look in (DARK, MONO):
        drawn = lines(gap, 40, 10, look)
        assert drawn[-3].count(look.glyphs.unequal) == 1
        assert value_at(gap, 40, drawn[-3].index(look.glyphs.unequal)) == 1


def test_the_ideal_is_told_from_the_conflicts_by_colour() -> None:
    good, bad = DARK.palette.good.color, DARK.palette.bad.color
    low, high = (
        {segment.style.color for segment in strip if "█" in segment.text and segment.style}
        for strip in rows_of(PAD, 60)
    )
    assert low == {good}
    assert high == {bad}
    for look in (DARK, MONO):
        assert not any(set("▁─▔-_") & set(column(lines(PAD, 60, 16, look), x)) for x in range(6, 60))


def test_several_values_share_a_column_where_there_is_no_room() -> None:
    title = lines(STRIDE, 50, 8)[0]
    assert "most of 2" in title
    many = replace(STRIDE, values=tuple(range(1040)), predicted=PASSES * 16, ideal=(1,) * 1040, cursor=1000)
    title, *rest = lines(many, 80, 12)
    assert "each column: most of 16 values" in title
    assert "1000" in rest[-1]
    assert "most of" not in lines(STRIDE, 80, 8)[0]
    measured = replace(STRIDE, measured={16: 16.01}, cursor=16)
    assert lines(measured, 60, 8)[0] == " k = 16: 16 passes  █ ideal █ conflicts ● measured most of 2"


@pytest.mark.parametrize("height", [1, 3, 4, 5])
def test_low_charts(height: int) -> None:
    drawn = lines(PAD, 40, height)
    assert len(drawn) == (1 if height < 5 else height)
    assert drawn[0].startswith(" pad = 0: 32 passes")


def test_no_room_and_no_values() -> None:
    assert chart_strips(PAD, 40, 0, DARK) == []
    empty = Chart((), (), (), {}, 0, "wavefronts", "k", "measured")
    assert lines(empty, 40, 8)[0].startswith(" k = 0: outside this sweep")
    assert value_at(empty, 40, 20) is None


def test_a_column_of_nothing_is_empty() -> None:
    none = Chart((0, 1), (0, 3), (0, 1), {}, 0, "wavefronts", "k", "measured")
    assert column(lines(none, 40, 10), place_of(none, 0, 40)).strip() == ""


def test_dots_are_recorded_until_the_gpu_here_has_measured() -> None:
    view = state.show_panel(opened("s[k*lane]", k=8), "sweep")
    wanted = state.needs_sweep(view)
    assert wanted is not None
    view = replace(view, sweeping=find_sweep(wanted).sweeping)
    recorded = chart_of(view.sweeping, 8)
    assert recorded is not None
    assert recorded.origin == "recorded"
    assert "● recorded 8.00 " in lines(recorded, 80, 7)[0]
    told = [measurement(asked.access, 3.0, origin="measured") for asked in state.to_measure(view)]
    measured = chart_of(state.arrived(state.begin_measuring(view, 1), 1, told).sweeping, 8)
    assert measured is not None
    assert measured.origin == "measured"
    assert "● measured 3 " in lines(measured, 80, 7)[0]
