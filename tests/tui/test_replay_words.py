"""What each word of shared memory holds over time, against a slow account of it, byte by byte."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tui.replays import replayable
from warpviz.access import Access
from warpviz.hardware import LANES, Op
from warpviz.tui.state.replay_words import EMPTY, FRESH, KEPT, SPENT, UNKNOWN, Words, words_of

_BYTES = 512
_READS = {"ld": True, "st": False, "atom": True}


@dataclass(frozen=True)
class Made:
    """An access: its op, its width, and where each active lane begins."""

    op: Op
    width: int
    starts: tuple[int, ...]

    def access(self) -> Access:
        addresses = np.zeros(LANES, dtype=np.int64)
        addresses[: len(self.starts)] = self.starts
        return Access(addresses[None], (np.arange(LANES) < len(self.starts))[None], self.width, self.op, "shared")

    def bytes(self) -> set[int]:
        return {start + i for start in self.starts for i in range(self.width)}


@st.composite
def made(draw: st.DrawFn) -> Made:
    op = draw(st.sampled_from(["ld", "st", "atom"]))
    width = draw(st.sampled_from([4, 8] if op == "atom" else [1, 2, 4, 8, 16]))
    place = st.integers(0, _BYTES // width - 1)
    return Made(op, width, tuple(width * n for n in draw(st.lists(place, min_size=1, max_size=8))))


def held_by(story: list[Made], position: int, byte: int) -> int:
    """What one byte holds after an access, told by looking at every access before and after."""
    touched = [(time, one.op) for time, one in enumerate(story) if byte in one.bytes()]
    before = [(time, op) for time, op in touched if time <= position]
    after = [op for time, op in touched if time > position]
    writes = [time for time, op in before if op != "ld"]
    if not before:
        return EMPTY
    if not writes:
        return UNKNOWN
    if not after or not _READS[after[0]]:
        return SPENT
    return FRESH if before[-1][0] == writes[-1] else KEPT


def told(story: list[Made]) -> Words:
    found = words_of([(one.access(), np.array([time])) for time, one in enumerate(story)], len(story), _BYTES)
    assert found is not None
    return found


@settings(max_examples=50, deadline=None)
@given(st.lists(made(), min_size=1, max_size=12))
def test_a_word_holds_the_most_telling_of_what_its_bytes_hold(story: list[Made]) -> None:
    words = told(story)
    for position in range(len(story)):
        by_byte = [held_by(story, position, byte) for byte in range(_BYTES)]
        holds, writer = words.at(position, 0, words.rows)
        assert holds.ravel().tolist() == [max(by_byte[4 * word : 4 * word + 4]) for word in range(_BYTES // 4)]
        assert words.held[position] == sum(held in (FRESH, KEPT) for held in by_byte)
        for word, by in enumerate(writer.ravel().tolist()):
            wrote = [t for t, one in enumerate(story[: position + 1]) if one.op != "ld" and touches(one, word)]
            assert by == max(wrote, default=-1)


def touches(one: Made, word: int) -> bool:
    return not one.bytes().isdisjoint(range(4 * word, 4 * word + 4))


def test_an_ldmatrix_reads_the_rows_that_its_first_lanes_point_to() -> None:
    addresses = np.arange(LANES, dtype=np.int64)[None] * 16
    full = np.ones((1, LANES), dtype=np.bool_)
    wrote = Access(addresses, full, 16, "st", "shared")
    read = Access(addresses, full, 16, "ldmatrix", "shared", 1)
    words = words_of([(wrote, np.array([0])), (read, np.array([1]))], 2, 512)
    assert words is not None
    before, after = words.at(0, 0, 4)[0].ravel(), words.at(1, 0, 4)[0].ravel()
    assert before.tolist() == [FRESH] * 32 + [SPENT] * 96
    assert after.tolist() == [SPENT] * 128


def test_a_block_without_shared_memory_has_no_words() -> None:
    assert words_of([], 5, 0) is None
    assert replayable("transpose_naive").trace.words is None


@pytest.mark.parametrize(
    ("name", "most"), [("transpose_pad", 4096), ("matmul_tiled", 2048), ("histogram_shared", 1024)]
)
def test_shared_memory_fills_and_empties(name: str, most: int) -> None:
    words = replayable(name).trace.words
    assert words is not None
    assert words.held.max() == most
    assert words.held[-1] == 0
    assert (words.at(words.accesses - 1, 0, words.rows)[0] <= SPENT).all()
