"""The cost against a knob."""

from __future__ import annotations

from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.samples import counts, measurement, slope, stride
from warpviz.expression import ExpressionError, Pattern
from warpviz.gpu import Unavailable
from warpviz.sweep import Sweep, sweep

POINTER = "const float* in;"


def counted(swept: Sweep) -> list[int | None]:
    return [point.count for point in swept.points]


@given(st.integers(0, 60), st.integers(1, 40))
def test_a_stride_costs_its_common_divisor_with_the_banks(first: int, many: int) -> None:
    values = range(first, first + many)
    swept = sweep(Pattern("s[k*lane]"), "k", values, {})
    assert (swept.name, swept.unit) == ("k", "wavefronts")
    assert [point.value for point in swept.points] == list(values)
    assert counted(swept) == [gcd(k, 32) if k else 1 for k in values]
    assert {point.ideal for point in swept.points} == {1}


def test_sectors_and_the_sectors_that_the_bytes_would_fill() -> None:
    swept = sweep(Pattern("in[k*lane + 1]", POINTER), "k", range(4), {})
    assert swept.unit == "sectors"
    assert counted(swept) == [1, 5, 8, 12]
    assert [point.ideal for point in swept.points] == [1, 4, 4, 4]


def test_constant_requests() -> None:
    swept = sweep(Pattern("c[lane % n]", "__constant__ float c[64];"), "n", (1, 4, 32), {})
    assert (swept.unit, counted(swept)) == ("requests", [1, 4, 32])
    assert [point.ideal for point in swept.points] == [1, 1, 1]


def test_the_other_names_stand_still() -> None:
    assert counted(sweep(Pattern("s[k*lane + o]"), "o", range(2), {"k": 8})) == [8, 8]


def test_a_value_in_error_is_a_gap_that_says_why() -> None:
    before, gap, after = sweep(Pattern("s[lane/(k-3)]"), "k", range(2, 5), {}).points
    assert (before.count, before.error, after.count, after.error) == (1, "", 1, "")
    assert (gap.value, gap.evaluation, gap.cost, gap.count, gap.ideal) == (3, None, None, None, None)
    assert "division by zero" in gap.error


def test_one_unit_for_all_values() -> None:
    declarations = f"{POINTER} __shared__ float s[64];"
    shared, far = sweep(Pattern("*(k ? in + lane : s + lane)", declarations), "k", range(2), {}).points
    assert shared.count == 1
    assert far.count is None
    assert far.error == "in global memory here, in shared memory before"


@pytest.mark.parametrize(
    ("pattern", "over", "words"),
    [
        (Pattern("s[k*"), "k", "column"),
        (Pattern("s[lane/(k-k)]"), "k", "division by zero"),
        (Pattern("s[k*lane + j]"), "k", "j has no value"),
        (Pattern("s[lane]"), "s", "s is an array"),
        (Pattern("s[lane]"), "lane", "lane"),
    ],
)
def test_what_cannot_be_swept_at_all(pattern: Pattern, over: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words):
        sweep(pattern, over, range(1, 4), {})


def test_a_name_that_stands_nowhere_and_no_values() -> None:
    with pytest.raises(ValueError, match="q stands nowhere"):
        sweep(Pattern("s[lane]"), "q", range(3), {})
    with pytest.raises(ValueError, match="no values"):
        sweep(Pattern("s[k]"), "k", (), {})


def test_the_width_is_a_knob() -> None:
    swept = sweep(Pattern("s[k*lane]"), "width", range(17), {"k": 1})
    assert [(point.value, point.count, point.ideal) for point in swept.points] == [
        (1, 1, 1),
        (2, 1, 1),
        (4, 1, 1),
        (8, 2, 2),
        (16, 4, 4),
    ]
    assert [point.evaluation.access.width for point in swept.points if point.evaluation] == [1, 2, 4, 8, 16]
    assert counted(sweep(Pattern("in[lane]", POINTER), "width", (4, 16), {})) == [4, 16]


def test_a_name_of_its_own_comes_before_the_bytes_a_lane() -> None:
    assert counted(sweep(Pattern("s[lane*width]"), "width", (3, 32), {})) == [1, 32]


def test_widths_that_there_are_not() -> None:
    with pytest.raises(ValueError, match="none of these"):
        sweep(Pattern("s[lane]"), "width", (3, 5), {})
    with pytest.raises(ValueError, match="rows of 16 bytes"):
        sweep(Pattern("*(uint4*)&s[8*lane]", op="ldmatrix"), "width", (4, 16), {})
    narrow, word = sweep(Pattern("s[lane]", "__shared__ int s[64];", op="atom"), "width", (2, 4), {}).points
    assert (narrow.count, word.count) == (None, 1)


def test_what_was_measured_of_a_unit() -> None:
    assert measurement(stride(32), wavefronts=slope(8)).count_of("wavefronts") == 8.0
    assert measurement(wavefronts=slope(None, "noisy"), counters=counts(wavefronts=7)).count_of("wavefronts") == 7
    far = measurement(stride(4, space="global"), wavefronts=None, counters=counts(sectors=4, requests=1))
    assert far.count_of("sectors") == 4
    assert measurement(wavefronts=None, counters=Unavailable("no ncu")).count_of("sectors") is None
    assert measurement(stride(4, space="const"), wavefronts=slope(3)).count_of("requests") == 3.0
