"""Strips of the picture, asserted directly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip

from tests.tui.conftest import at, opened, texts
from warpviz.tui import state
from warpviz.tui.glyphs import ASCII
from warpviz.tui.palette import palette
from warpviz.tui.render.frame import moment_of
from warpviz.tui.render.geometry import geometry, side_width
from warpviz.tui.render.memory import memory_strips
from warpviz.tui.render.picture import state_of
from warpviz.tui.render.text import Look
from warpviz.tui.state import View


def picture_of(view: View, width: int, height: int, look: Look) -> list[Strip]:
    moment = moment_of(view)
    assert moment is not None
    return memory_strips(moment, width, height, look)


def test_lanes_banks_and_passes_stand_in_the_same_columns(look: Look) -> None:
    view = at(opened("s[k*lane]", k=16), 2)
    lane, marks, bank, first, second, *_ = texts(picture_of(view, 80, 20, look))
    assert lane.rstrip() == ("     lane │ 0 1 2 3 4 5 6 7│ 8 9101112131415│1617181920212223│2425262728293031│")
    assert marks.startswith("          │ ✓ ✓ ● ● · · · ·│ · ·")
    assert bank.startswith("     bank │ 0 1 2")
    assert first.startswith("   pass 1 │ 0              │                │ 1              │")
    assert second.startswith("▶  pass 2 │ 2              │                │ 3              │")


def test_bytes_moved_for_nothing_show_once_they_have_moved(look: Look) -> None:
    view = opened("in[3*lane]", declarations="const float* in;")
    served = texts(picture_of(view, 80, 20, look))
    assert served[3].startswith("       +0 │ 0░░░░ 1░░░░ 2░░│░░ 3░░░░ 4░░░░ 5│░░░░ 6░░░░ 7░░░░│ 8░░░░ 9░░░░10░░│")
    waiting = texts(picture_of(at(view, 0), 80, 20, look))
    assert "░" not in "".join(waiting)


def test_a_word_that_lanes_share_is_marked(look: Look) -> None:
    rows = texts(picture_of(opened("s[lane/8]"), 80, 20, look))
    assert rows[3].startswith("   pass 1 │0+8+1624  ")
    broad = texts(picture_of(opened("s[lane/8]"), 112, 20, look))
    assert " 0+ 8+16+24+" in broad[3] + broad[4]


def test_waiting_now_and_served_differ_without_colour() -> None:
    mono = Look(palette("mono", "dark"), ASCII)
    view = at(opened("s[16*lane]"), 2)
    rows = dict(zip("024", picture_of(view, 80, 20, mono)[3:6], strict=True))
    styles = [
        [segment.style for segment in row if number in segment.text.replace("|", "").split()][-1]
        for number, row in rows.items()
    ]
    assert all(style is not None and style.color is None for style in styles)
    assert len(set(map(str, styles))) == 3
    assert "".join(texts(picture_of(view, 80, 20, mono))).isascii()


@pytest.mark.parametrize("width", [60, 72, 79, 80, 100, 139, 160, 250])
@pytest.mark.parametrize("expression", ["s[k*lane]", "((float4*)s)[k*lane]", "in[k*lane]"])
def test_every_strip_has_the_width_that_was_asked_for(look: Look, width: int, expression: str) -> None:
    view = opened(expression, declarations="const float* in; __shared__ float s[8192];", k=5)
    picture_width = width - side_width(width)
    strips = picture_of(view, picture_width, 40, look)
    assert {strip.cell_length for strip in strips} == {picture_width}


@given(st.integers(52, 400))
def test_a_column_is_found_where_it_is_drawn(width: int) -> None:
    where = geometry(width)
    assert where.end <= width
    for column in range(32):
        for x in range(where.x(column), where.x(column) + where.cell):
            assert where.column_at(x) == column
    outside = set(range(width)) - {x for c in range(32) for x in range(where.x(c), where.x(c) + where.cell)}
    assert {where.column_at(x) for x in outside} == {None}


@pytest.mark.parametrize(("position", "states"), [(0, "www"), (1, "nww"), (3, "ssn"), (4, "sss")])
def test_the_state_of_a_step(position: int, states: str) -> None:
    assert "".join(state_of(step, position)[0] for step in range(3)) == states


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 40), st.integers(1, 61))
def test_the_row_that_is_served_is_in_sight(top: int, row: int, body: int, total: int) -> None:
    row = min(row, total - 1)
    first = state.follow(top, row, body, total)
    assert first <= row < first + body
    assert 0 <= first <= max(total - body, 0)
