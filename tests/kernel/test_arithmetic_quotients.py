"""Quotients, roots and approximate functions of f32 and f64."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BRIEF, F32, F64, is_tiny, result, rounded
from tests.kernel.float_values import (
    DOUBLE_ROWS,
    INF,
    MODES,
    NAN,
    SINGLE_ROWS,
    TINY32,
    TINY64,
    Row,
    assert_same,
    flushed,
)


@pytest.mark.parametrize("mode", MODES)
@BRIEF
@given(rows=SINGLE_ROWS)
def test_quotients_and_roots_f32(mode: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    quotients = [expected_quotient(a, b, mode, F32) for a, b, _ in rows]
    assert_same(result(f"div.{mode}.f32", first, second), quotients, rows)
    inverses = [expected_quotient(1.0, a, mode, F32) for a in first]
    assert_same(result(f"rcp.{mode}.f32", first), inverses, rows)
    assert_same(result(f"sqrt.{mode}.f32", first), [expected_root(a, mode, F32) for a in first], rows)
    small = [(flushed(a), flushed(b)) for a, b, _ in rows]
    flushed_quotients = []
    for a, b in small:
        usual = expected_quotient(a, b, mode, F32)
        is_exact = math.isfinite(a) and math.isfinite(b) and a and b
        tiny = is_exact and is_tiny(Fraction(a) / Fraction(b), mode)
        flushed_quotients.append(math.copysign(0.0, usual) if tiny else usual)
    assert_same(result(f"div.{mode}.ftz.f32", first, second), flushed_quotients, rows)


@pytest.mark.parametrize("mode", MODES)
@BRIEF
@given(rows=DOUBLE_ROWS)
def test_quotients_and_roots_f64(mode: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    quotients = [expected_quotient(a, b, mode, F64) for a, b, _ in rows]
    assert_same(result(f"div.{mode}.f64", first, second), quotients, rows)
    assert_same(result(f"rcp.{mode}.f64", first), [expected_quotient(1.0, a, mode, F64) for a in first], rows)
    assert_same(result(f"sqrt.{mode}.f64", first), [expected_root(a, mode, F64) for a in first], rows)


def expected_quotient(a: float, b: float, mode: str, form: Any) -> float:
    sign = math.copysign(1, a) * math.copysign(1, b)
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return NAN
    if math.isinf(a) or b == 0:
        return sign * INF
    if a == 0 or math.isinf(b):
        return sign * 0.0
    return rounded(Fraction(a) / Fraction(b), form, mode)


def expected_root(a: float, mode: str, form: Any) -> float:
    if a == 0 or math.isnan(a) or a == INF:
        return a
    if a < 0:
        return NAN
    # The root to 200 bits, and a last one that says whether more follow: enough for every mode.
    exact = Fraction(a) * 2**2400
    whole = math.isqrt(int(exact * 4**200))
    inexact = Fraction(whole) ** 2 != exact * 4**200
    return rounded(Fraction(2 * whole + inexact, 2 ** (1200 + 200 + 1)), form, mode)


APPROXIMATE: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "lg2": math.log2,
    "ex2": lambda x: 2.0**x,
    "tanh": math.tanh,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "rcp": lambda x: 1 / x,
    "sqrt": math.sqrt,
}


@pytest.mark.parametrize("opcode", APPROXIMATE)
@BRIEF
@given(numbers=st.lists(st.floats(0.0625, 6.0, width=32), min_size=1, max_size=20))
def test_approximate_functions(opcode: str, numbers: list[float]) -> None:
    exact = [APPROXIMATE[opcode](number) for number in numbers]
    near = [pytest.approx(number, rel=3e-7, abs=3e-7) for number in exact]
    assert result(f"{opcode}.approx.f32", numbers) == near
    if opcode != "tanh":
        assert result(f"{opcode}.approx.ftz.f32", numbers) == near


def test_approximate_functions_at_the_edges() -> None:
    assert_same(result("rsqrt.approx.f32", [0.0, -0.0, INF, -1.0]), [INF, -INF, 0.0, NAN], range(4))
    assert_same(result("lg2.approx.f32", [0.0, INF, -1.0, TINY32]), [-INF, INF, NAN, -149.0], range(4))
    assert_same(result("lg2.approx.ftz.f32", [TINY32, 1.0]), [-INF, 0.0], range(2))
    assert_same(result("ex2.approx.f32", [-INF, INF, -149.0]), [0.0, INF, TINY32], range(3))
    assert_same(result("ex2.approx.ftz.f32", [-149.0, -126.0]), [0.0, 2.0**-126], range(2))
    assert_same(result("sin.approx.f32", [INF, -0.0]), [NAN, -0.0], range(2))
    assert_same(result("rcp.approx.ftz.f32", [TINY32, -TINY32, 2.0**127]), [INF, -INF, 0.0], range(3))


def test_division_by_large_numbers_is_approximated_to_zero() -> None:
    large = 1.5 * 2.0**126
    assert_same(result("div.approx.f32", [large, -1.0, INF], [large] * 3), [0.0, -0.0, NAN], range(3))
    assert_same(result("div.full.f32", [large, 3.0, INF], [large, 2.0, large]), [1.0, 1.5, INF], range(3))
    assert_same(result("div.approx.f32", [3.0, 1.0, 1.0], [2.0, INF, 2.0**126]), [1.5, 0.0, 2.0**-126], range(3))


def test_gross_functions_of_f64_keep_the_upper_half() -> None:
    (third,) = result("rcp.approx.ftz.f64", [3.0])
    assert third == pytest.approx(1 / 3, rel=1e-6)
    assert third.hex() == "0x1.5555500000000p-2"
    assert_same(result("rcp.approx.ftz.f64", [TINY64, -0.0]), [INF, -INF], range(2))
    assert result("rsqrt.approx.ftz.f64", [4.0]) == [0.5]
    assert result("rsqrt.approx.f64", [9.0]) == [1 / 3]
