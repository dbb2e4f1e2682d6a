"""An index and a condition, known lane by lane, as C."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.fitted import EVERY, Bools, Ints, Scenery, kind, lane
from warpviz.expression import Launch, Pattern, parse
from warpviz.expression.launch import present_lanes
from warpviz.hardware import LANES
from warpviz.kernel.fitting.conditions import condition
from warpviz.kernel.fitting.index import Form, fitted
from warpviz.kernel.fitting.lanes import lane_bits

SCENERY = Scenery(arrays=(("in", 4096),))

masks = st.one_of(
    st.just((1 << LANES) - 1),
    st.integers(1, LANES).map(lambda count: (1 << count) - 1),
    st.integers(1, (1 << LANES) - 1),
).map(lambda bits: np.array([bool(bits >> one & 1) for one in range(LANES)]))
weights = st.integers(-40, 5000)


def bit(number: int) -> Ints:
    return lane >> number & 1


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (lane * 0 + 7, "7"),
        (lane, "lane"),
        (4 * lane + 1, "4*lane + 1"),
        (31 - lane, "31 - lane"),
        (lane // 8, "lane / 8"),
        (lane % 8 + 3, "lane % 8 + 3"),
        (lane // 2 % 4, "lane / 2 % 4"),
        (33 * (lane // 8) + lane % 8 + 5, "33*(lane / 8) + lane % 8 + 5"),
        (16 * (lane % 16) + lane // 16, "16*(lane % 16) + lane / 16"),
        (lane ^ 5, "lane ^ 5"),
        ((lane % 8) ^ 3, "(lane % 8) ^ 3"),
        (lane ^ (lane >> 1), "lane ^ (lane / 2)"),
        ((lane % 4) ^ (lane // 4), "(lane % 4) ^ (lane / 4)"),
        (64 * (lane % 16) + 8 * ((lane % 8) ^ (lane // 16)), "64*(lane % 16) + 8*((lane / 16) ^ (lane % 8))"),
        (8 * ((lane % 8) ^ 3) + 1024, "8*((lane % 8) ^ 3) + 1024"),
        ((lane + 5) % 20, "(lane + 5) % 20"),
        ((3 * lane + 1) % 64, "(3*lane + 1) % 64"),
        ((lane + 2) // 7, "(lane + 2) / 7"),
        (3 * ((lane + 2) // 7) + (lane + 2) % 7 + 9, "3*((lane + 2) / 7) + (lane + 2) % 7 + 9"),
        (np.where(lane < 12, lane + 5, 3 * lane + 40), "lane < 12 ? lane + 5 : 3*lane + 40"),
    ],
)
def test_an_index_reads_as_a_person_would_write_it(values: Ints, text: str) -> None:
    assert SCENERY.index(values) == text


@pytest.mark.parametrize(
    ("values", "active", "text"),
    [
        (lane % 16, lane < 16, "lane"),
        (lane // 16 + lane % 16, lane < 16, "lane"),
        (2 * lane, lane % 2 == 0, "2*lane"),
        (lane * lane, lane == 9, "81"),
        ((lane % 8) ^ 3, lane < 8, "lane ^ 3"),
        (lane * lane, lane < 2, "lane"),
    ],
)
def test_lanes_that_take_no_part_are_of_no_account(values: Ints, active: Bools, text: str) -> None:
    assert SCENERY.index(np.where(active, values, 77), active) == text


def test_numbers_that_fill_an_int_get_more_bits() -> None:
    assert SCENERY.index(3_000_000_000 * lane + 5) == "3000000000ll*lane + 5"
    assert SCENERY.index(lane + 2_147_483_640) == "lane + 2147483640ll"
    assert SCENERY.index(200_000_000 * lane) == "200000000ll*lane"


def test_data_becomes_a_table() -> None:
    values = lane * lane * 7 % 101
    pattern = SCENERY.pattern("in", 4 * values, lane != 3, kind("global"))
    assert pattern.expression == "in[at[lane]]"
    listed = ", ".join(str(0 if one == 3 else value) for one, value in enumerate(values.tolist()))
    assert pattern.declarations == f"float* in;\nconst int at[32] = {{{listed}}};"


def test_rows_that_are_no_power_of_two_long_are_written_by_the_threads_own_index() -> None:
    scenery = Scenery(arrays=(("in", 4096),), block=(20, 10, 1))
    for warp in (0, 1, 5):
        thread = 32 * warp + lane
        active = thread < 200
        text = scenery.index(21 * (thread // 20) + thread % 20, active, warp=warp)
        assert text == "21*threadIdx.y + threadIdx.x"
    deep = Scenery(arrays=(("in", 4096),), block=(6, 2, 5))
    assert deep.index(lane // 12 * 100 + lane // 6 % 2 * 10 + lane % 6) == (
        "100*threadIdx.z + 10*threadIdx.y + threadIdx.x"
    )


@given(st.tuples(*[weights] * 5), st.integers(0, 10_000), masks)
def test_every_sum_over_the_bits_of_the_lane_is_found(each: tuple[int, ...], constant: int, active: Bools) -> None:
    values = sum((weight * bit(number) for number, weight in enumerate(each)), np.zeros(LANES, np.int64)) + constant
    values -= min(int(values.min()), 0)
    assert "at[" not in SCENERY.index(values, active)
    index = fitted(values[active], lane_bits(active), Launch())
    assert index is not None
    assert index.form is Form.STRAIGHT


@given(st.tuples(*[st.integers(0, 2047)] * 5), st.integers(0, 2047), masks)
def test_every_xor_over_the_bits_of_the_lane_is_found(each: tuple[int, ...], constant: int, active: Bools) -> None:
    values = np.full(LANES, constant)
    for number, image in enumerate(each):
        values ^= image * bit(number)
    assert "at[" not in SCENERY.index(values, active)
    index = fitted(values[active], lane_bits(active), Launch())
    assert index is not None
    assert index.form is Form.STRAIGHT


@given(st.integers(-50, 50), st.integers(0, 1000), st.integers(1, 200))
def test_remainders_are_found_where_they_show(step: int, start: int, divisor: int) -> None:
    text = SCENERY.index((step * lane + start) % divisor)
    if abs(step) * 8 < divisor:  # so that most steps are the same
        assert "at[" not in text


@given(st.integers(2, 15), st.integers(0, 100), weights, weights)
def test_rows_of_any_length_are_found(length: int, start: int, row: int, column: int) -> None:
    place = lane + start
    values = row * (place // length) + column * (place % length) + 40 * (LANES + 100)
    assert "at[" not in SCENERY.index(values)


@given(st.lists(st.integers(0, 1 << 30), min_size=LANES, max_size=LANES), masks)
def test_any_index_is_given_exactly(values: list[int], active: Bools) -> None:
    SCENERY.index(np.array(values), active)


@pytest.mark.parametrize(
    ("active", "text"),
    [
        (EVERY, ""),
        (lane == 0, "lane == 0"),
        (lane == 31, "lane == 31"),
        (lane < 8, "lane < 8"),
        (lane >= 1, "lane >= 1"),
        ((lane >= 8) & (lane < 24), "lane >= 8 && lane < 24"),
        (lane % 2 == 0, "lane % 2 == 0"),
        (lane % 4 == 3, "lane % 4 == 3"),
        (lane % 3 == 1, "lane % 3 == 1"),
        (lane % 16 < 15, "lane % 16 < 15"),
        ((lane % 2 == 0) & (lane < 8), "lane % 2 == 0 && lane < 8"),
        ((lane % 8 < 5) & (lane >= 16), "lane % 8 < 5 && lane >= 16"),
        ((lane < 8) | (lane >= 24), "lane < 8 || lane >= 24"),
        (lane != 2, "lane != 2"),
        (np.isin(lane, [0, 3, 7, 8, 30]), "(0x40000189u >> lane) & 1"),
    ],
)
def test_a_condition_reads_as_a_person_would_write_it(active: Bools, text: str) -> None:
    assert condition(lane_bits(active), 0xFFFFFFFF, Launch()) == text


@given(masks, st.sampled_from([(32, 1, 1), (40, 1, 1), (20, 10, 1), (6, 2, 5), (7, 1, 1)]), st.integers(0, 6))
def test_a_condition_holds_in_just_the_active_lanes(active: Bools, block: tuple[int, int, int], warp: int) -> None:
    warps = -(-block[0] * block[1] * block[2] // LANES)
    launch = Launch(block, warp=warp % warps)
    present = present_lanes(launch)
    active = active & present
    if not active.any():
        return
    where = condition(lane_bits(active), lane_bits(present), launch)
    access = parse(Pattern("s[lane]", where=where, launch=launch)).evaluate({}).access
    assert (access.active[0] == active).all()
    if (active == present).all():
        assert where == ""
