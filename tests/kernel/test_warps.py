"""Shuffles, votes, matches and reductions over a warp, lane by lane as the PTX manual says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.launched import launched
from warpviz.kernel.program import UnsupportedInstruction

RANDOM = settings(max_examples=30, deadline=None)
WORDS = st.integers(0, (1 << 32) - 1)
FEW = st.integers(0, 3)
LANES = range(32)
ALL = 0xFFFF_FFFF


def kernel(body: str) -> str:
    """One warp. %r1: the lane; %r2, %r3: the lane's words of a and b; %r9: its word of out, and %p9 the next word's."""
    load = "".join(
        f"ld.param.u64 %rd{n}, [{name}]; mad.wide.u32 %rd{n}, %r1, {size}, %rd{n};\n"
        for n, (name, size) in enumerate([("a", 4), ("b", 4), ("out", 8)], 1)
    )
    return (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out)\n"
        "{ .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<10>;\n"
        f"mov.u32 %r1, %laneid;\n{load}"
        "ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd2];\n"
        f"setp.ne.s32 %p8, %r1, %r1;\n{body}\n"
        "selp.b32 %r10, 1, 0, %p9;\nst.global.v2.b32 [%rd3], {%r9, %r10};\nEND: ret; }\n"
    )


def run_warp(body: str, a: Sequence[int], b: Sequence[int] = (0,) * 32) -> tuple[list[int], list[bool]]:
    arrays = {"a": np.array(a, np.uint32), "b": np.array(b, np.uint32), "out": np.zeros((32, 2), np.uint32)}
    out = launched(kernel(body), (1, 1, 1), (32, 1, 1), arrays).arrays["out"]
    return out[:, 0].tolist(), (out[:, 1] != 0).tolist()


def shuffled(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """The lane that is read, and the predicate: the pseudo code of the PTX manual, shfl.sync."""
    b, clamp, segment = b & 31, c & 31, c >> 8 & 31
    last = (lane & segment) | (clamp & ~segment & 31)
    first = lane & segment
    if mode == "up":
        source, holds = lane - b, lane - b >= last
    elif mode == "down":
        source, holds = lane + b, lane + b <= last
    elif mode == "bfly":
        source, holds = lane ^ b, lane ^ b <= last
    else:
        source = first | (b & ~segment)
        holds = source <= last
    return (source, holds) if holds else (lane, holds)


@RANDOM
@given(
    st.sampled_from(["up", "down", "bfly", "idx"]),
    st.lists(WORDS, min_size=32, max_size=32),
    st.lists(st.integers(0, 40), min_size=32, max_size=32),
    st.one_of(st.sampled_from([0, 31, 0x1000, 0x181F, 0x1C1F, 0x1800]), st.integers(0, 0x1FFF)),
    st.booleans(),
)
def test_shuffles(mode: str, values: list[int], distances: list[int], clamp: int, same: bool) -> None:
    b = [distances[0]] * 32 if same else distances
    distance = str(distances[0]) if same else "%r3"
    out, holds = run_warp(f"shfl.sync.{mode}.b32 %r9|%p9, %r2, {distance}, {clamp}, -1;", values, b)
    expected = [shuffled(mode, lane, b[lane], clamp) for lane in LANES]
    sources = [source for source, _ in expected]
    assert holds == [in_range for _, in_range in expected]
    assert out == [values[source] if source in LANES else values[lane] for lane, source in enumerate(sources)]


def test_a_shuffle_of_what_is_the_same_in_all_lanes() -> None:
    out, holds = run_warp("mov.u32 %r4, 7;\nshfl.sync.down.b32 %r9|%p9, %r4, 3, 31, -1;", range(32))
    assert out == [7] * 32
    assert holds == [lane + 3 <= 31 for lane in LANES]


def lanes_in(number: int) -> set[int]:
    return {lane for lane in LANES if number >> lane & 1}


def as_bits(lanes: set[int]) -> int:
    return sum(1 << lane for lane in lanes)


VOTES: dict[str, Callable[[set[int], set[int]], bool]] = {
    "all": lambda ayes, asked: ayes == asked,
    "any": lambda ayes, asked: bool(ayes),
    "uni": lambda ayes, asked: ayes in (set(), asked),
}


@RANDOM
@given(st.sampled_from(list(VOTES)), st.sampled_from([0, ALL, 0x00FF_0000, 1 << 31]), WORDS, st.booleans())
def test_votes(mode: str, ayes: int, others: int, negated: bool) -> None:
    """Of the lanes that run, a part: those whose number is not 5."""
    named = others | 0x20  # the lane that does not run as well
    body = (
        "setp.eq.u32 %p1, %r1, 5;\n@%p1 bra END;\nsetp.ne.u32 %p2, %r2, 0;\n"
        f"vote.sync.{mode}.pred %p9, {'!' if negated else ''}%p2, {named};\nvote.sync.ballot.b32 %r9, %p2, {named};"
    )
    out, holds = run_warp(body, [ayes >> lane & 1 for lane in LANES])
    asked = (lanes_in(named)) - {5}
    in_favour = asked & lanes_in(ayes)
    for lane in set(LANES) - {5}:
        assert out[lane] == as_bits(in_favour)
        assert holds[lane] == VOTES[mode](asked - in_favour if negated else in_favour, asked)


def test_the_lanes_that_run_now() -> None:
    body = "and.b32 %r4, %r1, 3;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 activemask.b32 %r9;\n@!%p1 activemask.b32 %r9;"
    out, _ = run_warp(body, range(32))
    assert out == [0x1111_1111 if lane % 4 == 0 else 0xEEEE_EEEE for lane in LANES]


@RANDOM
@given(st.lists(FEW, min_size=32, max_size=32), st.integers(1, ALL))
def test_matches(values: list[int], named: int) -> None:
    body = f"match.any.sync.b32 %r9, %r2, {named};\nmatch.all.sync.b32 %r4|%p9, %r2, {named};"
    out, holds = run_warp(body, values)
    alike = [{other for other in lanes_in(named) if values[other] == values[lane]} for lane in LANES]
    for lane in lanes_in(named):
        assert out[lane] == as_bits(alike[lane])
        assert holds[lane] == (alike[lane] == lanes_in(named))


def test_a_match_of_64_bits_and_the_lanes_that_agree() -> None:
    body = (
        "cvt.u64.u32 %rd1, %r2;\nshl.b64 %rd1, %rd1, 32;\nmatch.any.sync.b64 %r9, %rd1, -1;\n"
        "mov.u32 %r5, 9;\nmatch.all.sync.b32 %r4|%p9, %r5, 0xff;\nxor.b32 %r9, %r9, %r4;"
    )
    out, holds = run_warp(body, [lane // 16 for lane in LANES])
    assert out == [(0xFFFF if lane < 16 else 0xFFFF_0000) ^ 0xFF for lane in LANES]
    assert all(holds)


REDUCTIONS: dict[str, Callable[[int, int], int]] = {
    "add.u32": lambda a, b: a + b,
    "add.s32": lambda a, b: a + b,
    "min.u32": min,
    "max.u32": max,
    "min.s32": min,
    "max.s32": max,
    "and.b32": lambda a, b: a & b,
    "or.b32": lambda a, b: a | b,
    "xor.b32": lambda a, b: a ^ b,
}


@RANDOM
@given(st.sampled_from(list(REDUCTIONS)), st.lists(WORDS, min_size=32, max_size=32), st.booleans())
def test_reductions(operation: str, values: list[int], in_groups: bool) -> None:
    named = [0xFF << (lane & ~7) if in_groups else ALL for lane in LANES]
    out, _ = run_warp(f"redux.sync.{operation} %r9, %r2, {'%r3' if in_groups else '-1'};", values, named)
    signed = [value - (1 << 32) if operation.endswith("s32") and value >> 31 else value for value in values]
    for lane in LANES:
        assert out[lane] == reduce(REDUCTIONS[operation], (signed[n] for n in sorted(lanes_in(named[lane])))) & ALL


def test_the_lowest_lane_is_elected() -> None:
    body = "setp.lt.u32 %p1, %r1, 3;\n@%p1 bra END;\nelect.sync %r9|%p9, -2;"
    out, holds = run_warp(body, range(32))
    assert out[3:] == [3] * 29
    assert holds[3:] == [True] + [False] * 28


@pytest.mark.parametrize(
    "instruction",
    [
        "shfl.sync.idx.b64 %r9, %r2, 0, 31, -1;",
        "vote.sync.most.pred %p9, %p8, -1;",
        "vote.sync.ballot.pred %p9, %p8, -1;",
        "match.some.sync.b32 %r9, %r2, -1;",
        "redux.sync.mul.u32 %r9, %r2, -1;",
        "redux.sync.min.abs.f32 %r9, %r2, -1;",
        "elect %r9|%p9, -1;",
    ],
)
def test_other_forms_are_named(instruction: str) -> None:
    with pytest.raises(UnsupportedInstruction, match=rf"the PTX instruction {instruction.split()[0]} \(PTX line"):
        run_warp(instruction, range(32))
