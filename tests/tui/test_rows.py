"""The rows of the memory picture."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.access import Access
from warpviz.model import schedule
from warpviz.tui.rows import MemoryRow, Row, RuleRow, colours, fullest_banks, ranges, rows_of

LANE = np.arange(32)


def memory_rows(rows: tuple[Row, ...]) -> list[MemoryRow]:
    return [row for row in rows if isinstance(row, MemoryRow)]


def rows_for(addresses: object, **kind: object) -> tuple[Row, ...]:
    return rows_of(schedule(Access.of(addresses, **kind)))  # type: ignore[arg-type]


def test_a_pass_is_a_row_whose_blocks_lie_in_their_banks() -> None:
    first, second, *_ = memory_rows(rows_for(8 * 4 * LANE, space="shared"))
    assert [(block.column, block.lanes) for block in first.blocks] == [(0, (0,)), (8, (1,)), (16, (2,)), (24, (3,))]
    assert [(block.column, block.lanes) for block in second.blocks] == [(0, (4,)), (8, (5,)), (16, (6,)), (24, (7,))]
    assert first.note == "lanes 0-3"


def test_a_wide_lane_is_one_block_over_its_banks() -> None:
    rows = rows_for(16 * LANE, space="shared", width=16)
    assert [row.text for row in rows if isinstance(row, RuleRow)] == [
        "phase 1: lanes 0-7",
        "phase 2: lanes 8-15",
        "phase 3: lanes 16-23",
        "phase 4: lanes 24-31",
    ]
    assert [(block.column, block.span) for block in memory_rows(rows)[0].blocks] == [(4 * i, 4) for i in range(8)]


def test_a_broadcast_is_one_block_and_a_conflict_a_pile_of_different_hues() -> None:
    (broadcast,) = memory_rows(rows_for(0 * LANE, space="shared"))
    assert [block.lanes for block in broadcast.blocks] == [tuple(range(32))]
    pile = [row.blocks[0] for row in memory_rows(rows_for(128 * LANE, space="shared"))]
    assert {block.column for block in pile} == {0}
    assert all(above.colour.hue != below.colour.hue for above, below in itertools.pairwise(pile))


def test_words_side_by_side_have_different_tints() -> None:
    (row,) = memory_rows(rows_for(4 * LANE, space="shared"))
    tints = [block.colour.tint for block in row.blocks]
    assert all(left != right for left, right in itertools.pairwise(tints))


def test_a_moved_sector_fills_its_line_with_lanes_and_waste() -> None:
    (row, *_) = memory_rows(rows_for(12 * LANE, space="global"))
    first_sector = [(block.column, block.span, block.lanes) for block in row.blocks if block.step == 0]
    assert first_sector == [(0, 1, (0,)), (1, 2, ()), (3, 1, (1,)), (4, 2, ()), (6, 1, (2,)), (7, 1, ())]


def test_lines_that_are_not_touched_collapse() -> None:
    rows = rows_for(np.where(LANE < 16, 4 * LANE, 4 * LANE + 128 * 30), space="global")
    assert [row.text for row in rows if isinstance(row, RuleRow)] == ["29 lines not touched"]
    assert [row.labels[-1] for row in memory_rows(rows)] == ["+0", "+3840"]


def test_an_atomic_goes_out_in_rounds() -> None:
    rows = rows_for(4 * (LANE // 2), space="global", op="atom")
    assert [row.text for row in rows if isinstance(row, RuleRow)] == ["round 1 of 2", "round 2 of 2"]


def test_the_fullest_banks_are_those_of_the_last_pass() -> None:
    assert fullest_banks(schedule(Access.of(8 * 4 * LANE, space="shared"))) == {0, 8, 16, 24}
    assert fullest_banks(schedule(Access.of(4 * LANE, space="shared"))) == frozenset()
    one_more = np.where(LANE == 31, 128, 4 * LANE)
    assert fullest_banks(schedule(Access.of(one_more, space="shared"))) == {0}


@pytest.mark.parametrize(
    ("numbers", "text"), [([], ""), ([5], "5"), ([1, 2], "1 2"), ([0, 1, 2, 3, 8, 12, 13], "0-3 8 12 13")]
)
def test_ranges(numbers: list[int], text: str) -> None:
    assert ranges(numbers) == text


@given(
    words=st.lists(st.integers(0, 400), min_size=32, max_size=32),
    active=st.lists(st.booleans(), min_size=32, max_size=32),
    space=st.sampled_from(["shared", "global", "const"]),
    width=st.sampled_from([1, 2, 4, 8, 16]),
    op=st.sampled_from(["ld", "st"]),
)
def test_every_active_lane_is_drawn_and_nothing_overlaps(
    words: list[int], active: list[bool], space: str, width: int, op: str
) -> None:
    if space == "const":
        op = "ld"
    access = Access.of(np.array(words) * width, space=space, op=op, width=width, active=active)  # type: ignore[arg-type]
    served = schedule(access)
    rows = memory_rows(rows_of(served))
    drawn = {lane for row in rows for block in row.blocks for lane in block.lanes}
    assert drawn == {lane for lane in range(32) if active[lane]}
    assert sorted(step for row in rows for step in row.steps) == list(range(len(served.steps)))
    assert {cell.word for step in served.steps for cell in step.cells} == set(colours(served))
    for row in rows:
        columns = [column for block in row.blocks for column in range(block.column, block.column + block.span)]
        assert columns == sorted(set(columns))
        assert all(0 <= column < 32 for column in columns)
