"""Floating-point numbers to test with, where rounding is hard: short ones, neighbours of one, the ends of the range."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from tests.kernel.arithmetic import F32, f32_of, f64_of, rounded, same

MODES = ["rn", "rz", "rm", "rp"]
INF, NAN = math.inf, math.nan
TINY32, TINY64 = 2.0**-149, 2.0**-1074


def scaled(greatest: int, width: int) -> st.SearchStrategy[float]:
    """Short numbers at any exponent: their products and sums meet halfway between two floats, and cancel."""

    def build(steps: int, exponent: int) -> float:
        number = math.ldexp(steps, exponent)
        return f32(number) if width == 32 else number

    reach = 130 if width == 32 else 990
    return st.builds(build, st.integers(-greatest, greatest), st.integers(-reach - 60, reach))


def f32(number: float) -> float:
    return number if number == 0 or not math.isfinite(number) else rounded(Fraction(number), F32)


def near_one(bits: int) -> st.SearchStrategy[float]:
    return st.builds(
        lambda low, up: math.ldexp(1 + math.ldexp(low, -bits), up), st.integers(-64, 64), st.integers(-2, 2)
    )


EDGES32 = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, TINY32, -TINY32, 2.0**-126, f32_of(0x7F7FFFFF), f32_of(0x007FFFFF)]
EDGES64 = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, TINY64, -TINY64, 2.0**-1022, f64_of(0x7FEFFFFFFFFFFFFF)]
SINGLES = st.one_of(
    st.sampled_from(EDGES32),
    st.integers(0, (1 << 32) - 1).map(f32_of),
    scaled(1 << 13, 32),
    near_one(23),
)
DOUBLES = st.one_of(
    st.sampled_from(EDGES64),
    st.integers(0, (1 << 64) - 1).map(f64_of),
    st.floats(width=64),
    scaled(1 << 27, 64),
    near_one(52),
)
SINGLE_ROWS = st.lists(st.tuples(SINGLES, SINGLES, SINGLES), min_size=1, max_size=30)
DOUBLE_ROWS = st.lists(st.tuples(DOUBLES, DOUBLES, DOUBLES), min_size=1, max_size=30)
Row = tuple[float, float, float]


def assert_same(found: list[float], expected: list[float], rows: Any) -> None:
    for one, other, row in zip(found, expected, rows, strict=True):
        assert same(one, other), (row, one.hex(), other.hex())


def flushed(number: float) -> float:
    return math.copysign(0.0, number) if abs(number) < 2.0**-126 else number
