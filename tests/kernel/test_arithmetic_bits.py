"""Instructions on bits, fields and bytes against loops over single bits, as PTX's manual writes them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BRIEF, applied, of_elements, operation, result, signed, unsigned
from warpviz.kernel.machine.arithmetic import UnknownFormError

WORDS = st.one_of(
    st.sampled_from([0, 1, 0x8000_0000, 0xFFFF_FFFF, 1 << 63, (1 << 64) - 1, 0x00FF_00FF]),
    st.integers(0, (1 << 64) - 1),
)
AMOUNTS = st.one_of(st.integers(0, 70), st.sampled_from([127, 128, 255, 256, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]))
ROWS = st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=20)
PLACED = st.lists(st.tuples(WORDS, WORDS, AMOUNTS, AMOUNTS), min_size=1, max_size=20)


def bit(word: int, place: int) -> int:
    return word >> place & 1


@pytest.mark.parametrize("bits", [16, 32, 64])
@BRIEF
@given(rows=ROWS)
def test_logic(bits: int, rows: list[tuple[int, int, int]]) -> None:
    first, second, _ = zip(*rows, strict=True)
    assert result(f"and.b{bits}", first, second) == [unsigned(a & b, bits) for a, b, _ in rows]
    assert result(f"or.b{bits}", first, second) == [unsigned(a | b, bits) for a, b, _ in rows]
    assert result(f"xor.b{bits}", first, second) == [unsigned(a ^ b, bits) for a, b, _ in rows]
    assert result(f"not.b{bits}", first) == [unsigned(~a, bits) for a in first]
    assert result(f"cnot.b{bits}", first) == [int(unsigned(a, bits) == 0) for a in first]


def test_predicates() -> None:
    first, second = [False, False, True, True], [False, True, False, True]
    assert result("and.pred", first, second) == [False, False, False, True]
    assert result("or.pred", first, second) == [False, True, True, True]
    assert result("xor.pred", first, second) == [False, True, True, False]
    assert result("not.pred", second) == [True, False, True, False]
    assert result("mov.pred", second) == second


@pytest.mark.parametrize("table", range(256))
def test_every_function_of_three_bits(table: int) -> None:
    first, second, third = 0xF0F0_1234, 0xCCCC_5678, 0xAAAA_9ABC
    expected = sum(
        bit(table, 4 * bit(first, place) + 2 * bit(second, place) + bit(third, place)) << place for place in range(32)
    )
    assert applied(operation("lop3.b32", 3, table=table), [first], [second], [third], [table]) == [expected]


@pytest.mark.parametrize("table", range(256))
def test_a_function_of_three_bits_has_the_shape_of_its_sources(table: int) -> None:
    found = operation("lop3.b32", 3, table=table).compute
    shapes = (1, 1, 1), (2, 1, 1), (1, 3, 32)
    word = found(*(np.zeros(shape, np.uint32) for shape in shapes), None)
    assert word.shape == (2, 3, 32)


def test_lop3_with_a_predicate() -> None:
    found = operation("lop3.or.b32", 4, pair=True, table=0xC0)
    words, predicates = applied(found, [6, 1, 1], [2, 2, 2], [0, 0, 0], [0xC0] * 3, [False, False, True])
    assert (words, predicates) == ([2, 0, 0], [True, False, True])


@pytest.mark.parametrize("bits", [16, 32, 64])
@BRIEF
@given(rows=PLACED)
def test_shifts(bits: int, rows: list[tuple[int, int, int, int]]) -> None:
    words, _, amounts, _ = zip(*rows, strict=True)
    pairs = list(zip(words, amounts, strict=True))
    assert result(f"shl.b{bits}", words, amounts) == [unsigned(a << min(n, bits), bits) for a, n in pairs]
    assert result(f"shr.u{bits}", words, amounts) == [unsigned(a, bits) >> min(n, bits) for a, n in pairs]
    assert result(f"shr.b{bits}", words, amounts) == [unsigned(a, bits) >> min(n, bits) for a, n in pairs]
    down = [unsigned(signed(a, bits) >> min(n, bits), bits) for a, n in pairs]
    assert result(f"shr.s{bits}", words, amounts) == down


@BRIEF
@given(rows=PLACED)
def test_funnel_shifts(rows: list[tuple[int, int, int, int]]) -> None:
    low, high, amounts, _ = zip(*rows, strict=True)
    for mode in ("wrap", "clamp"):
        left, right = [], []
        for a, b, n, _ in rows:
            both = unsigned(b, 32) << 32 | unsigned(a, 32)
            places = n % 32 if mode == "wrap" else min(n, 32)
            left.append(unsigned(both << places >> 32, 32))
            right.append(unsigned(both >> places, 32))
        assert result(f"shf.l.{mode}.b32", low, high, amounts) == left
        assert result(f"shf.r.{mode}.b32", low, high, amounts) == right


def extracted(word: int, place: int, length: int, kind: str) -> int:
    top = int(kind[1:]) - 1
    place, length = place & 0xFF, length & 0xFF
    sign = bit(word, min(place + length - 1, top)) if kind[0] == "s" and length else 0
    taken = (bit(word, place + i) if i < length and place + i <= top else sign for i in range(top + 1))
    return sum(one << i for i, one in enumerate(taken))


def inserted(field: int, base: int, place: int, length: int, bits: int) -> int:
    place, length = place & 0xFF, length & 0xFF
    for i in range(length):
        if place + i < bits:
            base = base & ~(1 << (place + i)) | bit(field, i) << (place + i)
    return unsigned(base, bits)


@pytest.mark.parametrize("bits", [32, 64])
@BRIEF
@given(rows=PLACED)
def test_fields(bits: int, rows: list[tuple[int, int, int, int]]) -> None:
    first, second, places, lengths = zip(*rows, strict=True)
    for kind in (f"u{bits}", f"s{bits}"):
        assert result(f"bfe.{kind}", first, places, lengths) == [extracted(a, p, n, kind) for a, _, p, n in rows]
    expected = [inserted(a, b, p, n, bits) for a, b, p, n in rows]
    assert result(f"bfi.b{bits}", first, second, places, lengths) == expected


@pytest.mark.parametrize("bits", [32, 64])
@BRIEF
@given(words=st.lists(WORDS, min_size=1, max_size=20), shift=st.integers(0, 63))
def test_counts(bits: int, words: list[int], shift: int) -> None:
    words = [word >> shift for word in words]
    low = [unsigned(word, bits) for word in words]
    assert result(f"popc.b{bits}", words) == [word.bit_count() for word in low]
    assert result(f"clz.b{bits}", words) == [bits - word.bit_length() for word in low]
    assert result(f"brev.b{bits}", words) == [int(f"{word:0{bits}b}"[::-1], 2) for word in low]
    for kind in ("u", "s"):
        magnitudes = [~signed(word, bits) if kind == "s" and signed(word, bits) < 0 else word for word in low]
        places = [unsigned(word, bits).bit_length() - 1 for word in magnitudes]
        assert result(f"bfind.{kind}{bits}", words) == [unsigned(place, 32) for place in places]
        shifts = [unsigned(place if place < 0 else bits - 1 - place, 32) for place in places]
        assert result(f"bfind.shiftamt.{kind}{bits}", words) == shifts


def nth_set(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if base < 32 and bit(mask, base) else 0xFFFF_FFFF
    place, left = base, abs(offset) - 1
    while 0 <= place < 32:
        if bit(mask, place):
            if left == 0:
                return place
            left -= 1
        place += 1 if offset > 0 else -1
    return 0xFFFF_FFFF


@BRIEF
@given(rows=st.lists(st.tuples(WORDS, st.integers(0, 31), st.integers(-33, 33)), min_size=1, max_size=20))
def test_nth_set_bit(rows: list[tuple[int, int, int]]) -> None:
    expected = [nth_set(unsigned(mask, 32), base, offset) for mask, base, offset in rows]
    assert result("fns.b32", *zip(*rows, strict=True)) == expected


@BRIEF
@given(rows=PLACED)
def test_extension_and_masks(rows: list[tuple[int, int, int, int]]) -> None:
    words, _, places, sizes = zip(*rows, strict=True)
    for mode in ("wrap", "clamp"):

        def limited(number: int, mode: str = mode) -> int:
            return number % 32 if mode == "wrap" else min(number, 32)

        counts = [limited(n) for n in sizes]
        zeros = [unsigned(a, n) for a, n in zip(words, counts, strict=True)]
        assert result(f"szext.{mode}.u32", words, sizes) == zeros
        signs = [unsigned(signed(a, n), 32) if n else 0 for a, n in zip(words, counts, strict=True)]
        assert result(f"szext.{mode}.s32", words, sizes) == signs
        masks = [unsigned(((1 << n) - 1) << limited(p), 32) for p, n in zip(places, counts, strict=True)]
        assert result(f"bmsk.{mode}.b32", places, sizes) == masks


@BRIEF
@given(rows=ROWS)
def test_bytes(rows: list[tuple[int, int, int]]) -> None:
    expected = []
    for a, b, selector in rows:
        pool = unsigned(a, 32).to_bytes(4, "little") + unsigned(b, 32).to_bytes(4, "little")
        nibbles = [selector >> 4 * place & 15 for place in range(4)]
        chosen = [(pool[n & 7] >> 7) * 255 if n & 8 else pool[n & 7] for n in nibbles]
        expected.append(int.from_bytes(bytes(chosen), "little"))
    assert result("prmt.b32", *zip(*rows, strict=True)) == expected


@pytest.mark.parametrize(
    ("mode", "picked"),
    [
        ("f4e", [0x33221100, 0x44332211, 0x55443322, 0x66554433]),
        ("b4e", [0x55667700, 0x66770011, 0x77001122, 0x00112233]),
        ("rc8", [0x00000000, 0x11111111, 0x22222222, 0x33333333]),
        ("ecl", [0x33221100, 0x33221111, 0x33222222, 0x33333333]),
        ("ecr", [0x00000000, 0x11111100, 0x22221100, 0x33221100]),
        ("rc16", [0x11001100, 0x33223322, 0x11001100, 0x33223322]),
    ],
)
def test_byte_modes(mode: str, picked: list[int]) -> None:
    pool = [0x3322_1100] * 4, [0x7766_5544] * 4
    assert result(f"prmt.b32.{mode}", *pool, [0, 1, 2, 3]) == picked
    assert result(f"prmt.b32.{mode}", *pool, [4, 0xFFFF_FF01, 0x16, 7]) == picked


@BRIEF
@given(words=st.lists(WORDS, min_size=1, max_size=20))
@pytest.mark.parametrize(("bits", "parts"), [(16, 2), (32, 2), (32, 4), (64, 2), (64, 4), (64, 8)])
def test_packing(bits: int, parts: int, words: list[int]) -> None:
    size = bits // parts
    expected = tuple([unsigned(word >> place * size, size) for word in words] for place in range(parts))
    assert applied(of_elements(f"mov.b{bits}", parts, 1), words) == expected
    assert applied(of_elements(f"mov.b{bits}", 1, parts), *expected) == [unsigned(word, bits) for word in words]


@pytest.mark.parametrize("name", ["mov.b128", "mov.u8", "and.u32", "shl.s32", "shf.l.b32", "bfe.b32", "prmt.f4f.b32"])
def test_an_unknown_form_is_named(name: str) -> None:
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, 1 if name.startswith("mov") else 3)


def test_a_table_that_is_no_number_is_refused() -> None:
    with pytest.raises(UnknownFormError, match=r"lop3\.b32"):
        operation("lop3.b32", 4)
