"""Comparisons, choices, moves and address spaces."""

from __future__ import annotations

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.arithmetic import BRIEF, applied, operation, result, signed, unsigned
from warpviz.kernel.machine.arithmetic import UnknownFormError
from warpviz.kernel.memory.windows import WINDOW_STARTS

NAN, INF = math.nan, math.inf
FLOATS = st.one_of(st.sampled_from([0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 2.0**-149]), st.floats(width=32))
WORDS = st.one_of(st.sampled_from([0, 1, 0x7FFF_FFFF, 0x8000_0000, (1 << 64) - 1]), st.integers(0, (1 << 64) - 1))
COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
UNSIGNED = {"lo": operator.lt, "ls": operator.le, "hi": operator.gt, "hs": operator.ge}
LOGIC = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


def compared(word: str, a: float, b: float) -> bool:
    unordered = math.isnan(a) or math.isnan(b)
    if word in ("num", "nan"):
        return unordered == (word == "nan")
    if word in COMPARE:
        return not unordered and COMPARE[word](a, b)
    return unordered or COMPARE[word[:2]](a, b)


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("word", [*COMPARE, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"])
@BRIEF
@given(rows=st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=30))
def test_floats(word: str, kind: str, rows: list[tuple[float, float]]) -> None:
    expected = [compared(word, a, b) for a, b in rows]
    columns = list(zip(*rows, strict=True))
    assert result(f"setp.{word}.{kind}", *columns) == expected
    assert result(f"set.{word}.u32.{kind}", *columns) == [0xFFFF_FFFF * one for one in expected]
    assert result(f"set.{word}.f32.{kind}", *columns) == [float(one) for one in expected]


def test_flushed_floats_compare_as_zeros() -> None:
    assert result("setp.gt.f32", [2.0**-149], [0.0]) == [True]
    assert result("setp.gt.ftz.f32", [2.0**-149], [0.0]) == [False]
    assert result("set.eq.ftz.s32.f32", [-(2.0**-149)], [2.0**-140]) == [0xFFFF_FFFF]


@pytest.mark.parametrize("kind", ["b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"])
@BRIEF
@given(rows=st.lists(st.tuples(WORDS, WORDS, st.booleans()), min_size=1, max_size=30))
def test_integers(kind: str, rows: list[tuple[int, int, bool]]) -> None:
    bits = int(kind[1:])
    first, second, other = zip(*rows, strict=True)
    read = signed if kind[0] == "s" else unsigned
    words = {"b": ("eq", "ne"), "s": COMPARE, "u": {**COMPARE, **UNSIGNED}}[kind[0]]
    for word in words:
        holds = [(COMPARE | UNSIGNED)[word](read(a, bits), read(b, bits)) for a, b, _ in rows]
        assert result(f"setp.{word}.{kind}", first, second) == holds
        both = applied(operation(f"setp.{word}.{kind}", 2, pair=True), first, second)
        assert both == (holds, [not one for one in holds])
        for name, combine in LOGIC.items():
            pairs = list(zip(holds, other, strict=True))
            expected = [combine(one, c) for one, c in pairs], [combine(not one, c) for one, c in pairs]
            found = applied(operation(f"setp.{word}.{name}.{kind}", 3, pair=True), first, second, other)
            assert found == expected
            assert result(f"setp.{word}.{name}.{kind}", first, second, other) == expected[0]
            numbers = result(f"set.{word}.{name}.s32.{kind}", first, second, other)
            assert numbers == [0xFFFF_FFFF * one for one in expected[0]]


def test_choices() -> None:
    chosen = [True, False, True]
    for kind in ("b16", "u32", "s64", "f32", "f64"):
        assert result(f"selp.{kind}", [1, 2, 3], [4, 5, 6], chosen) == [1, 5, 3]
    assert result("slct.u32.s32", [1, 2, 3], [4, 5, 6], [0, -1, 7]) == [1, 5, 3]
    assert result("slct.f64.f32", [1.0] * 4, [2.0] * 4, [-0.0, NAN, -(2.0**-149), 1.0]) == [1.0, 2.0, 2.0, 1.0]
    assert result("slct.ftz.b16.f32", [1], [2], [-(2.0**-149)]) == [1]


def test_moves() -> None:
    for kind in ("u16", "s32", "b64"):
        assert result(f"mov.{kind}", [7, 0]) == [7, 0]
    assert result("mov.f32", [1.5]) == [1.5]


@pytest.mark.parametrize("space", WINDOW_STARTS)
def test_generic_addresses_and_back(space: str) -> None:
    start = WINDOW_STARTS[space]
    assert result(f"cvta.{space}.u64", [16]) == [start + 16]
    assert result(f"cvta.to.{space}.u64", [start + 16]) == [16]
    addresses = [start, start + 16, 0x7000_0000_0010]
    assert result(f"isspacep.{space}", addresses) == [True, True, False]
    assert result("isspacep.global", addresses) == [False, False, True]


def test_global_addresses_are_generic_ones() -> None:
    assert result("cvta.to.global.u64", [0x7000_0000_0010]) == [0x7000_0000_0010]
    assert result("cvta.global.u64", [0x7000_0000_0010]) == [0x7000_0000_0010]


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        ("setp.lt.b32", 2),
        ("setp.lo.s32", 2),
        ("setp.equ.u32", 2),
        ("setp.eq.ftz.f64", 2),
        ("setp.eq.f16x2", 2),
        ("set.eq.f64.f32", 2),
        ("set.eq.f16.f16x2", 2),
        ("set.eq.f16x2.f16", 2),
        ("selp.pred", 3),
        ("slct.u32.u32", 3),
        ("cvta.shared::cluster.u64", 1),
        ("cvta.shared.u32", 1),
        ("isspacep.shared::cluster", 1),
        ("setp.eq.and.s32", 2),
    ],
)
def test_an_unknown_form_is_named(name: str, sources: int) -> None:
    with pytest.raises(UnknownFormError, match=f"^{name}$"):
        operation(name, sources)


def test_other_instructions_are_not_taken() -> None:
    with pytest.raises(AssertionError):
        operation("ld.global.f32", 1)
