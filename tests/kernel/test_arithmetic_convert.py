"""cvt against Python's integers and exact fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kernel.arithmetic import (
    BF16,
    BRIEF,
    F16,
    F32,
    F64,
    bf16_of,
    f16_of,
    f32_of,
    f64_of,
    is_tiny,
    operation,
    result,
    rounded,
    same,
    signed,
    unsigned,
)
from warpviz.kernel.machine.arithmetic import UnknownFormError

NAN, INF = math.nan, math.inf
INTEGERS = [f"{letter}{bits}" for bits in (8, 16, 32, 64) for letter in "us"]
FORMS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
OF_BITS: dict[str, Callable[[int], float]] = {"f16": f16_of, "bf16": bf16_of, "f32": f32_of, "f64": f64_of}
MODES = ["rn", "rz", "rm", "rp"]
WORDS = st.one_of(
    st.sampled_from([0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 1 << 63, (1 << 64) - 1]),
    st.integers(0, (1 << 64) - 1),
    st.builds(
        lambda ones, place, low: ((ones << place) + low) % (1 << 64),
        st.integers(0, 255),
        st.integers(0, 60),
        st.integers(-1, 1),
    ),
)
DOUBLES = st.one_of(
    st.sampled_from(
        [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, INF, -INF, NAN, 2.0**31, 2.0**63, 2.0**64, -(2.0**63), 65519.9, 65520.0]
    ),
    st.floats(width=64),
    st.floats(width=32),
    st.floats(width=16),
    st.floats(-300, 300),
    st.builds(lambda steps, down: math.ldexp(steps, down), st.integers(-(1 << 27), 1 << 27), st.integers(-160, 110)),
    st.builds(lambda steps: steps / 2, st.integers(-(1 << 34), 1 << 34)),
)
WORD_LISTS = st.lists(WORDS, min_size=1, max_size=30)
DOUBLE_LISTS = st.lists(DOUBLES, min_size=1, max_size=30)


def limits(kind: str) -> tuple[int, int]:
    bits = int(kind[1:])
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "s" else (0, (1 << bits) - 1)


def read(word: int, kind: str) -> int:
    return (signed if kind[0] == "s" else unsigned)(word, int(kind[1:]))


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
@BRIEF
@given(words=WORD_LISTS)
def test_between_integers(target: str, source: str, words: list[int]) -> None:
    bits = int(target[1:])
    numbers = [read(word, source) for word in words]
    assert result(f"cvt.{target}.{source}", words) == [unsigned(number, bits) for number in numbers]
    least, greatest = limits(target)
    clamped = [unsigned(max(least, min(greatest, number)), bits) for number in numbers]
    assert result(f"cvt.sat.{target}.{source}", words) == clamped


def test_a_signed_result_extends_into_a_wider_register() -> None:
    found = operation("cvt.s8.s32", 1).compute(np.array([[[0x1FF]]], np.int32))
    assert found.astype(np.uint32).item() == 0xFFFF_FFFF
    found = operation("cvt.u8.s32", 1).compute(np.array([[[-3]]], np.int32))
    assert found.astype(np.uint32).item() == 0xFD


def number_of(value: float, target: str) -> float:
    """A result as a number: of a 16-bit format from its bits."""
    return OF_BITS[target](int(value)) if target in ("f16", "bf16") else value


def assert_numbers(found: list[float], expected: list[float], target: str, sources: object) -> None:
    for value, number, source in zip(found, expected, sources, strict=True):  # type: ignore[call-overload]
        assert same(number_of(value, target), number), (source, value, number)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", FORMS)
@BRIEF
@given(words=WORD_LISTS)
def test_integers_to_floats(target: str, source: str, mode: str, words: list[int]) -> None:
    numbers = [read(word, source) for word in words]
    expected = [rounded(Fraction(number), FORMS[target], mode) if number else 0.0 for number in numbers]
    assert_numbers(result(f"cvt.{mode}.{target}.{source}", words), expected, target, numbers)


def test_integers_to_floats_saturate_at_one() -> None:
    assert result("cvt.rn.sat.f32.s32", [-5, 0, 1, 7]) == [0.0, 0.0, 1.0, 1.0]
    assert result("cvt.rz.sat.f64.u64", [0, 1, (1 << 64) - 1]) == [0.0, 1.0, 1.0]


def encoded(number: float, kind: str) -> float:
    """A number as a register of a float type holds it: bits for a 16-bit format."""
    if kind == "f64":
        return number
    kept = number if number == 0 or not math.isfinite(number) else rounded(Fraction(number), FORMS[kind])
    if kind == "f32":
        return kept
    if kind == "f16":
        return struct.unpack("<H", struct.pack("<e", kept))[0]
    return struct.unpack("<I", struct.pack("<f", kept))[0] >> 16


WHOLE: dict[str, Callable[[Fraction], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}


@pytest.mark.parametrize("mode", WHOLE)
@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", FORMS)
@BRIEF
@given(numbers=DOUBLE_LISTS)
def test_floats_to_integers(source: str, target: str, mode: str, numbers: list[float]) -> None:
    held = [encoded(number, source) for number in numbers]
    least, greatest = limits(target)
    bits = int(target[1:])
    expected = []
    for number in (number_of(value, source) for value in held):
        if math.isnan(number):
            expected.append(1 << (bits - 1) if source == "f64" or bits == 64 else 0)
        elif math.isinf(number):
            expected.append(unsigned(greatest if number > 0 else least, bits))
        else:
            expected.append(unsigned(max(least, min(greatest, WHOLE[mode](Fraction(number)))), bits))
    assert result(f"cvt.{mode}.{target}.{source}", held) == expected
    assert result(f"cvt.{mode}.sat.{target}.{source}", held) == expected


def test_flushed_sources() -> None:
    assert result("cvt.rpi.s32.f32", [2.0**-149, -(2.0**-149)]) == [1, 0]
    assert result("cvt.rpi.ftz.s32.f32", [2.0**-149]) == [0]
    assert result("cvt.rmi.ftz.f32.f32", [-(2.0**-149)]) == [0.0]
    assert result("cvt.ftz.f64.f32", [2.0**-149, 0.5]) == [0.0, 0.5]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("names", ["f32.f64", "f16.f64", "bf16.f64", "f16.f32", "bf16.f32", "bf16.f16", "f16.bf16"])
@BRIEF
@given(numbers=DOUBLE_LISTS)
@example(
    numbers=[1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-24 + 2.0**-50, 3.39e38, 2.0**-133.5, -65519.99, 2.0**-25, 2.0**-25.5]
)
def test_to_fewer_bits(names: str, mode: str, numbers: list[float]) -> None:
    target, source = names.split(".")
    held = [encoded(number, source) for number in numbers]
    exact = [number_of(value, source) for value in held]

    def narrowed(number: float) -> float:
        usual = number == 0 or not math.isfinite(number)
        return number if usual else rounded(Fraction(number), FORMS[target], mode)

    expected = [narrowed(number) for number in exact]
    assert_numbers(result(f"cvt.{mode}.{names}", held), expected, target, exact)
    if names == "f32.f64":
        ftz = [
            math.copysign(0.0, x) if math.isfinite(x) and x and is_tiny(Fraction(x), mode) else narrowed(x)
            for x in exact
        ]
        assert_numbers(result(f"cvt.{mode}.ftz.f32.f64", held), ftz, target, exact)
    relu = [abs(x) if x == 0 or x < 0 else x for x in (0.0 if number < 0 else number for number in expected)]
    found = result(f"cvt.{mode}.relu.{names}", held)
    assert all(same(abs(number_of(a, target)), abs(b)) for a, b in zip(found, relu, strict=True))


@pytest.mark.parametrize("names", ["f64.f32", "f32.f16", "f64.f16", "f32.bf16", "f64.bf16"])
@BRIEF
@given(numbers=DOUBLE_LISTS)
def test_to_more_bits(names: str, numbers: list[float]) -> None:
    target, source = names.split(".")
    held = [encoded(number, source) for number in numbers]
    exact = [number_of(value, source) for value in held]
    assert_numbers(result(f"cvt.{names}", held), exact, target, exact)
    clamped = [0.0 if math.isnan(x) else abs(max(0.0, min(1.0, x))) for x in exact]
    assert_numbers(result(f"cvt.sat.{names}", held), clamped, target, exact)


@pytest.mark.parametrize("mode", WHOLE)
@pytest.mark.parametrize("kind", FORMS)
@BRIEF
@given(numbers=DOUBLE_LISTS)
def test_to_whole_numbers(kind: str, mode: str, numbers: list[float]) -> None:
    held = [encoded(number, kind) for number in numbers]
    exact = [number_of(value, kind) for value in held]
    expected = [math.copysign(WHOLE[mode](Fraction(x)), x) if math.isfinite(x) else x for x in exact]
    assert_numbers(result(f"cvt.{mode}.{kind}.{kind}", held), expected, kind, exact)


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@BRIEF
@given(rows=st.lists(st.tuples(DOUBLES, DOUBLES), min_size=1, max_size=20))
def test_two_floats_in_one_word(kind: str, rows: list[tuple[float, float]]) -> None:
    high, low = ([encoded(number, "f32") for number in column] for column in zip(*rows, strict=True))
    for mode in ("rn", "rz"):
        halves = zip(result(f"cvt.{mode}.{kind}.f32", high), result(f"cvt.{mode}.{kind}.f32", low), strict=True)
        assert result(f"cvt.{mode}.{kind}x2.f32", high, low) == [up << 16 | down for up, down in halves]
    finite = result(f"cvt.rn.satfinite.{kind}x2.f32", high, low)
    greatest = 0x7BFF if kind == "f16" else 0x7F7F
    for word, numbers in zip(finite, zip(high, low, strict=True), strict=True):
        for bits, number in zip((word >> 16, word & 0xFFFF), numbers, strict=True):
            assert bits == 0x7FFF if math.isnan(number) else bits & 0x7FFF <= greatest
    assert result(f"cvt.rn.satfinite.{kind}.f32", [INF, -INF, NAN]) == [greatest, greatest | 0x8000, 0x7FFF]
    assert result(f"cvt.rn.relu.{kind}x2.f32", [-2.0, NAN], [1.0, -INF])[0] >> 16 == 0


@pytest.mark.parametrize("mode", ["rna", "rn", "rz"])
@BRIEF
@given(words=st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=20))
@example(words=[0x3F801000, 0x3F803000, 0x3F800FFF, 0x7F7FFFFF, 0x7F800000, 0xFFC00000])
def test_tf32(mode: str, words: list[int]) -> None:
    for word, found in zip(words, result(f"cvt.{mode}.tf32.f32", [f32_of(word) for word in words]), strict=True):
        size, rest = divmod(word & 0x7FFF_FFFF, 1 << 13)
        up = {"rna": rest >= 1 << 12, "rn": rest > 1 << 12 or (rest == 1 << 12 and size % 2 == 1), "rz": False}[mode]
        expected = 0x7FFF_FFFF if math.isnan(f32_of(word)) else (size + up) << 13 | word & 0x8000_0000
        assert found == expected


EIGHTHS = {"e4m3x2": (3, 7, 448.0), "e5m2x2": (2, 15, 57344.0)}


def eighth(code: int, kind: str) -> float:
    """An 8-bit float, by the formats' definition (Micikevicius and others, "FP8 Formats for Deep Learning", 2022)."""
    places, bias, _ = EIGHTHS[kind]
    exponent, fraction = code >> places & (0x7F >> places), code & ((1 << places) - 1)
    if kind == "e4m3x2" and code & 0x7F == 0x7F:
        return NAN
    if kind == "e5m2x2" and exponent == 31:
        return NAN if fraction else math.copysign(INF, -1 if code >> 7 else 1)
    size = math.ldexp(fraction + (1 << places if exponent else 0), max(exponent, 1) - bias - places)
    return -size if code >> 7 else size


@pytest.mark.parametrize("kind", EIGHTHS)
def test_every_eighth_becomes_a_half(kind: str) -> None:
    for code in range(256):
        (word,) = result(f"cvt.rn.f16x2.{kind}", [code << 8 | 0x38])
        assert same(f16_of(word >> 16), eighth(code, kind))
        assert same(f16_of(word & 0xFFFF), eighth(0x38, kind))


@pytest.mark.parametrize("kind", EIGHTHS)
@BRIEF
@given(numbers=DOUBLE_LISTS)
@example(
    numbers=[448.0, 463.9, 464.0, 500.0, INF, -INF, NAN, 2.0**-9, 2.0**-10, 1.5 * 2.0**-10, 2.0**-16, 2.0**-17, -0.0]
)
def test_halves_and_floats_become_eighths(kind: str, numbers: list[float]) -> None:
    held = [encoded(number, "f32") for number in numbers]
    for number, word in zip(held, result(f"cvt.rn.satfinite.{kind}.f32", held, [1.0] * len(held)), strict=True):
        assert same(eighth(word >> 8, kind), nearest_eighth(number, kind))
        assert eighth(word & 0xFF, kind) == 1.0
    halves = [int(encoded(number, "f16")) for number in numbers]
    for half, word in zip(halves, result(f"cvt.rn.satfinite.{kind}.f16x2", halves), strict=True):
        assert same(eighth(word & 0xFF, kind), nearest_eighth(f16_of(half), kind))


def nearest_eighth(number: float, kind: str) -> float:
    """By trying every code: the nearest, of two the one whose code is even; beyond the greatest the greatest."""
    if math.isnan(number):
        return NAN
    greatest = EIGHTHS[kind][2]
    number = max(-greatest, min(greatest, number))
    codes = [code for code in range(128) if math.isfinite(eighth(code, kind))]
    best = min(codes, key=lambda code: (abs(Fraction(eighth(code, kind)) - abs(Fraction(number))), code % 2))
    return math.copysign(eighth(best, kind), number)


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("cvt.f32.s32", 1),
        ("cvt.s32.f32", 1),
        ("cvt.rn.s32.f32", 1),
        ("cvt.rni.f32.f64", 1),
        ("cvt.f32.f64", 1),
        ("cvt.ftz.s32.f64", 1),
        ("cvt.rn.ftz.f64.s32", 1),
        ("cvt.rn.e4m3x2.f32", 2),
        ("cvt.rs.f16x2.f32", 3),
        ("cvt.pack.sat.u16.s32", 2),
        ("cvt.rna.satfinite.tf32.f32", 1),
        ("cvt.rn.f16x2.f64", 2),
        ("cvt.rn.f32.b32", 1),
    ],
)
def test_an_unknown_form_is_named(name: str, sources: int) -> None:
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, sources)
