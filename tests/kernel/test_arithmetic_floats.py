"""f32 and f64 instructions against exact fractions, rounded once by the obvious rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernel.arithmetic import (
    BRIEF,
    F32,
    F64,
    applied,
    f32_of,
    f64_of,
    is_tiny,
    operation,
    result,
    rounded,
    same,
)
from warpviz.kernel.machine.arithmetic import UnknownFormError

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


def expected_fma(a: float, b: float, c: float, mode: str, form: Any) -> float:
    """a * b + c by fractions; what is not finite, and the sign of a zero, by the rules of IEEE 754."""
    if not (math.isfinite(a) and math.isfinite(b)):
        product = NAN if 0 in (a, b) else a * b
        return product + c
    if not math.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return rounded(exact, form, mode)
    negative = {math.copysign(1, a) * math.copysign(1, b) < 0, math.copysign(1, c) < 0}
    return -0.0 if negative == {True} or (len(negative) == 2 and mode == "rm") else 0.0


def expected_sum(opcode: str, a: float, b: float, mode: str, form: Any) -> float:
    if opcode == "mul":
        zero = math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b))
        return expected_fma(a, b, zero, mode, form)
    return expected_fma(a, 1.0, -b if opcode == "sub" else b, mode, form)


def assert_same(found: list[float], expected: list[float], rows: Any) -> None:
    for one, other, row in zip(found, expected, rows, strict=True):
        assert same(one, other), (row, one.hex(), other.hex())


@pytest.mark.parametrize("mode", MODES)
@BRIEF
@given(rows=SINGLE_ROWS)
@example(rows=[(1 + 2.0**-12, 1 + 2.0**-12, 2.0**-80), (1 + 2.0**-12, 1 - 2.0**-12, -(2.0**-80))])
@example(rows=[(2.0**-75, 2.0**-75, TINY32), (2.0**-75, 1.5 * 2.0**-75, 0.0), (1.0, -1.0, 1.0)])
def test_fma_f32(mode: str, rows: list[Row]) -> None:
    expected = [expected_fma(*row, mode, F32) for row in rows]
    assert_same(result(f"fma.{mode}.f32", *zip(*rows, strict=True)), expected, rows)
    assert_same(result(f"mad.{mode}.f32", *zip(*rows, strict=True)), expected, rows)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opcode", ["add", "sub", "mul"])
@BRIEF
@given(rows=SINGLE_ROWS)
def test_sums_f32(opcode: str, mode: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    expected = [expected_sum(opcode, a, b, mode, F32) for a, b, _ in rows]
    assert_same(result(f"{opcode}.{mode}.f32", first, second), expected, rows)


@pytest.mark.parametrize("mode", MODES)
@BRIEF
@given(rows=DOUBLE_ROWS)
@example(rows=[(1 + 2.0**-30, 1 + 2.0**-30, 2.0**-300), (2.0**-600, 2.0**-600, TINY64), (2.0**600, 2.0**600, -INF)])
@example(rows=[(2.0**1000, 2.0**24, -(2.0**1023)), (1.0, -1.0, 1.0), (2.0**-540, 2.0**-540, 2.0**-1022)])
def test_fma_f64(mode: str, rows: list[Row]) -> None:
    expected = [expected_fma(*row, mode, F64) for row in rows]
    assert_same(result(f"fma.{mode}.f64", *zip(*rows, strict=True)), expected, rows)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opcode", ["add", "sub", "mul"])
@BRIEF
@given(rows=DOUBLE_ROWS)
def test_sums_f64(opcode: str, mode: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    expected = [expected_sum(opcode, a, b, mode, F64) for a, b, _ in rows]
    assert_same(result(f"{opcode}.{mode}.f64", first, second), expected, rows)


def flushed(number: float) -> float:
    return math.copysign(0.0, number) if abs(number) < 2.0**-126 else number


@pytest.mark.parametrize("mode", MODES)
@BRIEF
@given(rows=SINGLE_ROWS)
@example(rows=[(f32_of(0x00FFFFFF), 0.5, 0.0), (f32_of(0x00800001), f32_of(0x3F7FFFFF), 0.0)])
def test_subnormal_numbers_are_flushed(mode: str, rows: list[Row]) -> None:
    rows = [tuple(flushed(number) for number in row) for row in rows]  # type: ignore[misc]
    first, second, third = zip(*rows, strict=True)

    def finished(number: float, exact: Callable[[], Fraction]) -> float:
        tiny = math.isfinite(number) and exact() != 0 and is_tiny(exact(), mode)
        return math.copysign(0.0, number) if tiny else number

    products = [
        finished(expected_sum("mul", a, b, mode, F32), lambda a=a, b=b: Fraction(a) * Fraction(b)) for a, b, _ in rows
    ]
    assert_same(result(f"mul.{mode}.ftz.f32", first, second), products, rows)
    sums = [
        finished(expected_sum("sub", a, b, mode, F32), lambda a=a, b=b: Fraction(a) - Fraction(b)) for a, b, _ in rows
    ]
    assert_same(result(f"sub.{mode}.ftz.f32", first, second), sums, rows)
    fused = [
        finished(expected_fma(a, b, c, mode, F32), lambda a=a, b=b, c=c: Fraction(a) * Fraction(b) + Fraction(c))
        for a, b, c in rows
    ]
    assert_same(result(f"fma.{mode}.ftz.f32", first, second, third), fused, rows)


@BRIEF
@given(numbers=st.lists(SINGLES, min_size=1, max_size=20))
def test_subnormal_sources_are_flushed(numbers: list[float]) -> None:
    ones = [1.0] * len(numbers)
    kept = [flushed(number) for number in numbers]
    for found in (
        result("mul.ftz.f32", numbers, ones),
        result("add.ftz.f32", numbers, [-0.0] * len(numbers)),
        result("div.rn.ftz.f32", numbers, ones),
        result("max.ftz.f32", numbers, numbers),
        result("cvt.ftz.f32.f32", numbers),
    ):
        assert_same(found, kept, numbers)
    assert_same(result("neg.ftz.f32", numbers), [-number for number in kept], numbers)
    assert_same(result("abs.ftz.f32", numbers), [abs(number) for number in kept], numbers)


def test_saturation() -> None:
    numbers = [-INF, -2.0, -0.0, 0.0, TINY32, 0.25, 1.0, 1.5, INF, NAN]
    clamped = [0.0, 0.0, 0.0, 0.0, TINY32, 0.25, 1.0, 1.0, 1.0, 0.0]
    zeros, ones = [-0.0] * 10, [1.0] * 10
    assert_same(result("add.sat.f32", numbers, zeros), clamped, numbers)
    assert_same(result("mul.rz.sat.f32", numbers, ones), clamped, numbers)
    assert_same(result("fma.rn.sat.f32", numbers, ones, zeros), clamped, numbers)
    assert_same(result("fma.rn.ftz.sat.f32", numbers, ones, zeros), [flushed(one) for one in clamped], numbers)


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


def expected_extreme(opcode: str, a: float, b: float, keeps_nan: bool) -> float:
    if math.isnan(a) or math.isnan(b):
        return NAN if keeps_nan or (math.isnan(a) and math.isnan(b)) else a if math.isnan(b) else b
    key = lambda number: (number, math.copysign(1, number))  # noqa: E731
    return min(a, b, key=key) if opcode == "min" else max(a, b, key=key)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("opcode", ["min", "max"])
@BRIEF
@given(rows=SINGLE_ROWS)
@example(rows=[(0.0, -0.0, 0.0), (-0.0, 0.0, 0.0), (NAN, 1.0, 0.0), (1.0, NAN, 0.0), (NAN, NAN, 0.0)])
def test_extremes(opcode: str, kind: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    for nan in (False, True):
        found = result(f"{opcode}{'.NaN' * nan}.{kind}", first, second)
        assert_same(found, [expected_extreme(opcode, a, b, nan) for a, b, _ in rows], rows)
    signs = [math.copysign(1, a) * math.copysign(1, b) for a, b, _ in rows]
    magnitudes = [expected_extreme(opcode, abs(a), abs(b), False) for a, b, _ in rows]
    expected = [math.copysign(size, sign) for size, sign in zip(magnitudes, signs, strict=True)]
    assert_same(result(f"{opcode}.xorsign.abs.{kind}", first, second), expected, rows)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@BRIEF
@given(rows=SINGLE_ROWS)
def test_signs_and_classes(kind: str, rows: list[Row]) -> None:
    first, second, _ = zip(*rows, strict=True)
    assert_same(result(f"neg.{kind}", first), [-a for a in first], rows)
    assert_same(result(f"abs.{kind}", first), [abs(a) for a in first], rows)
    copied = [math.copysign(b, a) for a, b, _ in rows]
    assert_same(result(f"copysign.{kind}", first, second), copied, rows)
    least = 2.0**-126 if kind == "f32" else 2.0**-1022
    classes: dict[str, Callable[[float], bool]] = {
        "finite": math.isfinite,
        "infinite": math.isinf,
        "number": lambda a: not math.isnan(a),
        "notanumber": math.isnan,
        "normal": lambda a: math.isfinite(a) and abs(a) >= least,
        "subnormal": lambda a: 0 < abs(a) < least,
    }
    for word, holds in classes.items():
        assert result(f"testp.{word}.{kind}", first) == [holds(a) for a in first]


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


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("add.ftz.f64", 2),
        ("add.rna.f32", 2),
        ("mul.sat.f64", 2),
        ("div.f32", 2),
        ("div.approx.f64", 2),
        ("rcp.approx.f64", 1),
        ("sqrt.f32", 1),
        ("sin.f32", 1),
        ("tanh.approx.ftz.f32", 1),
        ("min.f32", 3),
        ("add.rn.f32x2", 2),
        ("fma.rn.f32.f16", 3),
    ],
)
def test_an_unknown_form_is_named(name: str, sources: int) -> None:
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, sources)


def test_a_long_row_takes_the_same_path_as_a_short_one() -> None:
    row = (1 + 2.0**-12, 1 + 2.0**-12, 2.0**-80)
    alone = result("fma.rn.f32", *([number] for number in row))
    among = applied(operation("fma.rn.f32", 3), *([number, *[0.5] * 99] for number in row))
    assert among[0] == alone[0] == expected_fma(*row, "rn", F32)
