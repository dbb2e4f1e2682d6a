"""f32 and f64 instructions against exact fractions, rounded once by the obvious rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BRIEF, F32, F64, applied, f32_of, is_tiny, operation, result, rounded
from tests.kernel.float_values import (
    DOUBLE_ROWS,
    INF,
    MODES,
    NAN,
    SINGLE_ROWS,
    SINGLES,
    TINY32,
    TINY64,
    Row,
    assert_same,
    flushed,
)
from warpviz.kernel.machine.arithmetic import UnknownFormError


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


@pytest.mark.parametrize("lanes", [1, 64])
@pytest.mark.parametrize("opcode", ["min", "max"])
def test_a_signalling_nan_loses_against_a_number(opcode: str, lanes: int) -> None:
    for dtype, bits in ((np.float32, np.uint32(0x7F80_0001)), (np.float64, np.uint64(0x7FF0_0000_0000_0001))):
        found = operation(f"{opcode}.f{8 * dtype().itemsize}", 2).compute
        nan, number = np.full((1, 1, lanes), bits).view(dtype), np.full((1, 1, lanes), dtype(2.5))
        assert (found(nan, number) == 2.5).all()
        assert (found(number, nan) == 2.5).all()


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


@pytest.mark.parametrize("name", ["fma.rn.f32", "fma.rn.f64", "fma.rz.ftz.f32", "fma.rn.f16", "fma.rn.bf16x2"])
def test_long_arrays_are_done_in_pieces_of_the_same_result(name: str) -> None:
    found = operation(name, 3)
    lanes = np.arange(32, dtype=np.uint32).reshape(1, 1, 32)
    blocks = np.arange(70, dtype=np.uint32).reshape(70, 1, 1)
    warps = np.arange(9, dtype=np.uint32).reshape(1, 9, 1)
    words = [blocks * 977 + warps * 31 + lanes * 7 + 0x3C00, lanes * 77 + warps + 0x3F80, blocks + 0x4000]
    sources = [word.astype(dtype) for word, dtype in zip(words, found.reads, strict=True)]
    with np.errstate(all="ignore"):
        whole = found.compute(*sources)
        assert whole.shape == (70, 9, 32)
        for block in (0, 13, 69):
            one = found.compute(*(source[block : block + 1] if len(source) > 1 else source for source in sources))
            assert np.array_equal(one, whole[block : block + 1], equal_nan=one.dtype.kind == "f")
