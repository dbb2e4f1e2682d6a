"""f16 and bf16 instructions against exact fractions, rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BF16, BRIEF, F16, Format, applied, bf16_of, f16_of, operation, result, rounded, same
from warpviz.kernel.machine.arithmetic import UnknownFormError

BITS = st.one_of(
    st.sampled_from([0, 0x8000, 1, 0x8001, 0x3C00, 0x3F80, 0x7BFF, 0x7C00, 0xFC00, 0x7F7F, 0x7F80, 0x7E00, 0x03FF]),
    st.integers(0, 0xFFFF),
)
ROWS = st.lists(st.tuples(BITS, BITS, BITS), min_size=1, max_size=30)
FORMATS: dict[str, tuple[Callable[[int], float], Format]] = {"f16": (f16_of, F16), "bf16": (bf16_of, BF16)}
Row = tuple[int, int, int]


def nearest(number: Fraction | float, form: Format) -> float:
    """A number in the format; a float that is a zero or not finite stays."""
    if isinstance(number, float) and (number == 0 or not math.isfinite(number)):
        return number
    return rounded(Fraction(number), form)


def exact_fma(a: float, b: float, c: float) -> Fraction | float:
    """A fraction, or a float where it is a zero or not finite."""
    if not all(map(math.isfinite, (a, b, c))):
        product = math.nan if (0 in (a, b) and math.inf in (abs(a), abs(b))) else a * b
        return product + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return exact
    negative = {math.copysign(1, a) * math.copysign(1, b) < 0, math.copysign(1, c) < 0}
    return -0.0 if negative == {True} else 0.0


def exact_of_two(opcode: str, a: float, b: float) -> Fraction | float:
    if opcode == "mul":
        return exact_fma(a, b, math.copysign(0.0, math.copysign(1, a) * math.copysign(1, b)))
    return exact_fma(a, 1.0, -b if opcode == "sub" else b)


def assert_bits(found: list[int], expected: list[float], kind: str, rows: list[Row]) -> None:
    for bits, number, row in zip(found, expected, rows, strict=True):
        assert same(FORMATS[kind][0](bits), number), (row, hex(bits), number)
        assert not math.isnan(number) or bits & 0x7FFF > (0x7C00 if kind == "f16" else 0x7F80)


@pytest.mark.parametrize("kind", FORMATS)
@BRIEF
@given(rows=ROWS)
@example(rows=[(0x3C01, 0x3C01, 0x0001), (0x3F81, 0x3F80, 0x0001), (0x3F81, 0x3F81, 0x0001), (0x0080, 0x3F01, 0)])
def test_sums(kind: str, rows: list[Row]) -> None:
    of_bits, form = FORMATS[kind]
    numbers = [tuple(of_bits(bits) for bits in row) for row in rows]
    first, second, third = zip(*rows, strict=True)
    for opcode in ("add", "sub", "mul"):
        expected = [nearest(exact_of_two(opcode, a, b), form) for a, b, _ in numbers]
        assert_bits(result(f"{opcode}.{kind}", first, second), expected, kind, rows)
        assert_bits(result(f"{opcode}.rn.{kind}", first, second), expected, kind, rows)
    fused = [nearest(exact_fma(*row), form) for row in numbers]
    assert_bits(result(f"fma.rn.{kind}", first, second, third), fused, kind, rows)
    relu = [0.0 if number < 0 else number for number in fused]
    for bits, number in zip(result(f"fma.rn.relu.{kind}", first, second, third), relu, strict=True):
        assert same(abs(of_bits(bits)), abs(number))
        assert not of_bits(bits) < 0


@pytest.mark.parametrize("kind", FORMATS)
@BRIEF
@given(rows=ROWS)
def test_extremes_and_signs(kind: str, rows: list[Row]) -> None:
    of_bits = FORMATS[kind][0]
    first, second, _ = zip(*rows, strict=True)
    for opcode in ("min", "max"):
        for nan in (False, True):
            expected = []
            for a, b in ((of_bits(a), of_bits(b)) for a, b, _ in rows):
                numbers = [x for x in (a, b) if not math.isnan(x)]
                lost = not numbers or (nan and len(numbers) < 2)
                key = lambda x: (x, math.copysign(1, x))  # noqa: E731
                choose = min if opcode == "min" else max
                expected.append(math.nan if lost else choose(numbers, key=key))
            assert_bits(result(f"{opcode}{'.NaN' * nan}.{kind}", first, second), expected, kind, rows)
    assert result(f"neg.{kind}", first) == [bits ^ 0x8000 for bits in first]
    assert result(f"abs.{kind}", first) == [bits & 0x7FFF for bits in first]


@pytest.mark.parametrize("name", ["add.{}", "mul.{}", "fma.rn.{}", "max.{}", "neg.{}", "min.NaN.{}", "abs.{}"])
@pytest.mark.parametrize("kind", FORMATS)
@BRIEF
@given(rows=ROWS)
def test_pairs_are_two_of_one(kind: str, name: str, rows: list[Row]) -> None:
    sources = {"fma": 3, "neg": 1, "abs": 1}.get(name[:3], 2)
    low = list(zip(*rows, strict=True))[:sources]
    high = [column[::-1] for column in low]
    packed = [[b << 16 | a for a, b in zip(*columns, strict=True)] for columns in zip(low, high, strict=True)]
    both = zip(result(name.format(kind), *low), result(name.format(kind), *high), strict=True)
    assert result(name.format(f"{kind}x2"), *packed) == [b << 16 | a for a, b in both]


def test_flushing_and_saturation() -> None:
    subnormal, least, one = 0x03FF, 0x0400, 0x3C00
    assert result("mul.ftz.f16", [subnormal, 0x8001, least], [one] * 3) == [0, 0x8000, least]
    assert result("mul.ftz.f16", [least, least], [0x3800, one]) == [0, least]
    assert result("mul.f16", [least], [0x3800]) == [0x0200]
    assert result("add.sat.f16", [0x4000, 0xC000, 0x3800, 0x7E00], [0x8000] * 4) == [one, 0, 0x3800, 0]
    assert result("abs.ftz.f16", [0x8001, 0xBC00]) == [0, one]
    assert result("neg.ftz.f16x2", [0x3C00_0001]) == [0xBC00_8000]


@pytest.mark.parametrize("kind", FORMATS)
@BRIEF
@given(numbers=st.lists(st.integers(0, 0x7FFF), min_size=1, max_size=20))
def test_approximate_functions(kind: str, numbers: list[int]) -> None:
    of_bits, form = FORMATS[kind]
    small = [bits for bits in numbers if of_bits(bits) < 10] or [0]
    ex2 = {"f16": "ex2.approx.f16", "bf16": "ex2.approx.ftz.bf16"}[kind]
    step = 2.0 ** (2 - form.precision)
    for name, function in ((ex2, lambda x: 2.0**x), (f"tanh.approx.{kind}", math.tanh)):
        near = [pytest.approx(function(of_bits(bits)), rel=step, abs=2.0**-24) for bits in small]
        assert [of_bits(bits) for bits in result(name, small)] == near


@pytest.mark.parametrize(
    "name", ["add.rz.f16", "add.ftz.bf16", "mul.sat.bf16", "ex2.f16", "ex2.approx.bf16", "max.relu.f16", "div.f16"]
)
def test_an_unknown_form_is_named(name: str) -> None:
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, 1 if name.startswith("ex2") else 2)


HALF_SETS = {"eq": [True, False, False, False], "neu": [False, True, True, True], "nan": [False, False, False, True]}


@pytest.mark.parametrize("word", HALF_SETS)
def test_comparisons(word: str) -> None:
    first, second = [0x0000, 0x3C00, 0x3C00, 0x7E00], [0x8000, 0x4000, 0xBC00, 0x7E00]
    holds = HALF_SETS[word]
    assert result(f"setp.{word}.f16", first, second) == holds
    assert result(f"set.{word}.f16.f16", first, second) == [0x3C00 * one for one in holds]
    assert result(f"set.{word}.u16.f16", first, second) == [0xFFFF * one for one in holds]
    assert result(f"set.{word}.u32.f16", first, second) == [0xFFFF_FFFF * one for one in holds]
    pairs = [a | 0x3C00 << 16 for a in first], [b | 0x3C00 << 16 for b in second]
    high = word == "eq"
    assert applied(operation(f"setp.{word}.f16x2", 2, pair=True), *pairs) == (holds, [high] * 4)
    expected = [0x3C00 * one | (0x3C00 * high) << 16 for one in holds]
    assert result(f"set.{word}.f16x2.f16x2", *pairs) == expected
    assert result(f"set.{word}.u32.f16x2", *pairs) == [0xFFFF * one | (0xFFFF * high) << 16 for one in holds]


def test_comparisons_of_flushed_and_bf16_numbers() -> None:
    assert result("setp.gt.f16", [1], [0]) == [True]
    assert result("setp.gt.ftz.f16", [1], [0]) == [False]
    assert result("setp.lt.bf16", [0x3F80, 0xBF80, 0x7FC0], [0x4000, 0xC000, 0]) == [True, False, False]
    assert result("set.ltu.bf16.bf16", [0x7FC0], [0]) == [0x3F80]
