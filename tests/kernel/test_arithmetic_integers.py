"""Integer instructions against Python's integers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BRIEF, applied, operation, result, signed, unsigned
from warpviz.kernel.machine.arithmetic import UnknownFormError

EDGES = [0, 1, 2, 31, 32, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 63]
WORDS = st.one_of(st.sampled_from([*EDGES, (1 << 64) - 1, (1 << 63) - 1]), st.integers(0, (1 << 64) - 1))
ROWS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=20)
TYPES = ["u16", "s16", "u32", "s32", "u64", "s64"]


def value(bits: int, kind: str) -> int:
    return signed(bits, int(kind[1:])) if kind[0] == "s" else unsigned(bits, int(kind[1:]))


def divided(first: int, second: int, bits: int) -> tuple[int, int]:
    if second == 0:
        ones = 0xFFFF_FFFF if bits == 64 and 0 <= first < 1 << 32 else -1
        return ones, ones
    quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
    return quotient, first - quotient * second


TWO: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, bits: a + b,
    "sub": lambda a, b, bits: a - b,
    "mul.lo": lambda a, b, bits: a * b,
    "mul.hi": lambda a, b, bits: (a * b) >> bits,
    "div": lambda a, b, bits: divided(a, b, bits)[0],
    "rem": lambda a, b, bits: divided(a, b, bits)[1],
    "min": lambda a, b, bits: min(a, b),
    "max": lambda a, b, bits: max(a, b),
}
THREE: dict[str, Callable[[int, int, int, int], int]] = {
    "mad.lo": lambda a, b, c, bits: a * b + c,
    "mad.hi": lambda a, b, c, bits: ((a * b) >> bits) + c,
    "sad": lambda a, b, c, bits: abs(a - b) + c,
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("opcode", TWO)
@BRIEF
@given(rows=ROWS)
def test_of_two(opcode: str, kind: str, rows: list[tuple[int, int, int]]) -> None:
    bits = int(kind[1:])
    expected = [unsigned(TWO[opcode](value(a, kind), value(b, kind), bits), bits) for a, b, _ in rows]
    assert result(f"{opcode}.{kind}", *list(zip(*rows, strict=True))[:2]) == expected


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("opcode", THREE)
@BRIEF
@given(rows=ROWS)
def test_of_three(opcode: str, kind: str, rows: list[tuple[int, int, int]]) -> None:
    bits = int(kind[1:])
    expected = [unsigned(THREE[opcode](*(value(word, kind) for word in row), bits), bits) for row in rows]
    assert result(f"{opcode}.{kind}", *zip(*rows, strict=True)) == expected


@pytest.mark.parametrize("kind", TYPES[:4])
@BRIEF
@given(rows=ROWS)
def test_wide(kind: str, rows: list[tuple[int, int, int]]) -> None:
    bits = 2 * int(kind[1:])
    first, second, third = zip(*rows, strict=True)
    products = [value(a, kind) * value(b, kind) for a, b in zip(first, second, strict=True)]
    assert result(f"mul.wide.{kind}", first, second) == [unsigned(product, bits) for product in products]
    sums = [unsigned(product + c, bits) for product, c in zip(products, third, strict=True)]
    assert result(f"mad.wide.{kind}", first, second, third) == sums


@pytest.mark.parametrize("kind", ["u32", "s32"])
@pytest.mark.parametrize("half", ["lo", "hi"])
@BRIEF
@given(rows=ROWS)
def test_24_bits(half: str, kind: str, rows: list[tuple[int, int, int]]) -> None:
    def factor(word: int) -> int:
        return signed(word, 24) if kind == "s32" else unsigned(word, 24)

    products = [(factor(a) * factor(b)) >> (16 if half == "hi" else 0) for a, b, _ in rows]
    first, second, third = zip(*rows, strict=True)
    assert result(f"mul24.{half}.{kind}", first, second) == [unsigned(product, 32) for product in products]
    sums = [unsigned(product + c, 32) for product, c in zip(products, third, strict=True)]
    assert result(f"mad24.{half}.{kind}", first, second, third) == sums


@pytest.mark.parametrize("bits", [16, 32, 64])
@BRIEF
@given(words=st.lists(WORDS, min_size=1, max_size=20))
def test_signs(bits: int, words: list[int]) -> None:
    assert result(f"neg.s{bits}", words) == [unsigned(-word, bits) for word in words]
    assert result(f"abs.s{bits}", words) == [unsigned(abs(signed(word, bits)), bits) for word in words]


def clamped(number: int) -> int:
    return unsigned(max(-(1 << 31), min((1 << 31) - 1, number)), 32)


@BRIEF
@given(rows=ROWS)
def test_saturation(rows: list[tuple[int, int, int]]) -> None:
    first, second, third = zip(*rows, strict=True)
    numbers = [tuple(signed(word, 32) for word in row) for row in rows]
    assert result("add.sat.s32", first, second) == [clamped(a + b) for a, b, _ in numbers]
    assert result("sub.sat.s32", first, second) == [clamped(a - b) for a, b, _ in numbers]
    high = [clamped(((a * b) >> 32) + c) for a, b, c in numbers]
    assert result("mad.hi.sat.s32", first, second, third) == high
    small = [clamped(((signed(a, 24) * signed(b, 24)) >> 16) + c) for a, b, c in numbers]
    assert result("mad24.hi.sat.s32", first, second, third) == small


@BRIEF
@given(rows=ROWS)
def test_halves(rows: list[tuple[int, int, int]]) -> None:
    def both(function: Callable[[int, int], int]) -> list[int]:
        return [unsigned(function(a, b), 16) | unsigned(function(a >> 16, b >> 16), 16) << 16 for a, b, _ in rows]

    first, second, _ = zip(*rows, strict=True)
    assert result("add.u16x2", first, second) == both(lambda a, b: a + b)
    assert result("max.u16x2", first, second) == both(lambda a, b: max(unsigned(a, 16), unsigned(b, 16)))
    assert result("min.s16x2", first, second) == both(lambda a, b: min(signed(a, 16), signed(b, 16)))
    assert result("max.relu.s16x2", first, second) == both(lambda a, b: max(signed(a, 16), signed(b, 16), 0))
    relu = [unsigned(max(min(signed(a, 32), signed(b, 32)), 0), 32) for a, b, _ in rows]
    assert result("min.relu.s32", first, second) == relu


CARRIES = st.lists(st.tuples(WORDS, WORDS, WORDS, st.booleans()), min_size=1, max_size=20)


@pytest.mark.parametrize("bits", [32, 64])
@BRIEF
@given(rows=CARRIES)
def test_carry(bits: int, rows: list[tuple[int, int, int, bool]]) -> None:
    first, second, _, carry = zip(*rows, strict=True)
    sums = [unsigned(a, bits) + unsigned(b, bits) for a, b, _, _ in rows]
    lows, carries = applied(operation(f"add.cc.u{bits}", 2), first, second)
    assert (lows, carries) == ([unsigned(total, bits) for total in sums], [total >> bits == 1 for total in sums])
    with_carry = [total + one for total, one in zip(sums, carry, strict=True)]
    lows, carries = applied(operation(f"addc.cc.s{bits}", 2), first, second, carry=carry)
    assert (lows, carries) == ([unsigned(x, bits) for x in with_carry], [x >> bits == 1 for x in with_carry])
    assert applied(operation(f"addc.u{bits}", 2), first, second, carry=carry) == lows


@pytest.mark.parametrize("bits", [32, 64])
@BRIEF
@given(rows=CARRIES)
def test_borrow(bits: int, rows: list[tuple[int, int, int, bool]]) -> None:
    first, second, _, borrow = zip(*rows, strict=True)
    plain = [unsigned(a, bits) - unsigned(b, bits) for a, b, _, _ in rows]
    lows, borrows = applied(operation(f"sub.cc.u{bits}", 2), first, second)
    assert (lows, borrows) == ([unsigned(x, bits) for x in plain], [x < 0 for x in plain])
    borrowed = [x - one for x, one in zip(plain, borrow, strict=True)]
    lows, borrows = applied(operation(f"subc.cc.u{bits}", 2), first, second, carry=borrow)
    assert (lows, borrows) == ([unsigned(x, bits) for x in borrowed], [x < 0 for x in borrowed])


@pytest.mark.parametrize("kind", TYPES[2:])
@pytest.mark.parametrize("half", ["lo", "hi"])
@BRIEF
@given(rows=CARRIES)
def test_carrying_product(half: str, kind: str, rows: list[tuple[int, int, int, bool]]) -> None:
    bits = int(kind[1:])
    first, second, third, carry = zip(*rows, strict=True)
    totals = [
        unsigned((value(a, kind) * value(b, kind)) >> (bits if half == "hi" else 0), bits) + unsigned(c, bits)
        for a, b, c, _ in rows
    ]
    lows, carries = applied(operation(f"mad.{half}.cc.{kind}", 3), first, second, third)
    assert (lows, carries) == ([unsigned(x, bits) for x in totals], [x >> bits == 1 for x in totals])
    totals = [total + one for total, one in zip(totals, carry, strict=True)]
    lows, carries = applied(operation(f"madc.{half}.cc.{kind}", 3), first, second, third, carry=carry)
    assert (lows, carries) == ([unsigned(x, bits) for x in totals], [x >> bits == 1 for x in totals])
    assert applied(operation(f"madc.{half}.{kind}", 3), first, second, third, carry=carry) == lows


@pytest.mark.parametrize("second_kind", ["u32", "s32"])
@pytest.mark.parametrize("first_kind", ["u32", "s32"])
@BRIEF
@given(rows=ROWS)
def test_dot_products(first_kind: str, second_kind: str, rows: list[tuple[int, int, int]]) -> None:
    def part(word: int, place: int, bits: int, kind: str) -> int:
        field = word >> (place * bits)
        return signed(field, bits) if kind == "s32" else unsigned(field, bits)

    def dot(a: int, b: int, c: int, count: int, bits: int, start: int) -> int:
        terms = (part(a, i, bits, first_kind) * part(b, start + i, 8, second_kind) for i in range(count))
        return unsigned(c + sum(terms), 32)

    columns = list(zip(*rows, strict=True))
    kinds = f"{first_kind}.{second_kind}"
    assert result(f"dp4a.{kinds}", *columns) == [dot(*row, 4, 8, 0) for row in rows]
    assert result(f"dp2a.lo.{kinds}", *columns) == [dot(*row, 2, 16, 0) for row in rows]
    assert result(f"dp2a.hi.{kinds}", *columns) == [dot(*row, 2, 16, 2) for row in rows]


def test_a_uniform_source_is_not_widened() -> None:
    found = operation("mul.wide.s32", 2)
    lanes = np.arange(32, dtype=np.int32).reshape(1, 1, 32)
    blocks = np.arange(5, dtype=np.int32).reshape(5, 1, 1)
    assert found.compute(lanes, lanes).shape == (1, 1, 32)
    assert found.compute(blocks, np.int32(3).reshape(1, 1, 1)).shape == (5, 1, 1)


@pytest.mark.parametrize(
    "name",
    [
        "add.rn.s32",
        "add.sat.u32",
        "mul.s32",
        "mul.wide.u64",
        "mad.sat.lo.s32",
        "max.relu.u32",
        "neg.u32",
        "div.full.s32",
    ],
)
def test_an_unknown_form_is_named(name: str) -> None:
    sources = {"neg.u32": 1, "mad.sat.lo.s32": 3}.get(name, 2)
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, sources)


def test_the_number_of_sources_is_checked() -> None:
    with pytest.raises(UnknownFormError, match=r"add\.s32"):
        operation("add.s32", 3)
