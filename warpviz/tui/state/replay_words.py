"""The words of a block's shared memory over time: who wrote each, and whether anyone will read it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.hardware import LANES, WORD_BYTES, lanes_read

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Bools = NDArray[np.bool_]

# What a word holds, the less telling first: of a word whose bytes differ, the most telling counts.
EMPTY, SPENT, KEPT, FRESH, UNKNOWN = range(5)
_NONE = np.empty(0, dtype=np.int64)
_WRITES = ("st", "atom", "red")
_READS = ("ld", "ldmatrix", "atom", "red")


@dataclass(frozen=True, eq=False)
class Words:
    """What happens to each grain of shared memory, event by event: an event is one access that touches one grain.

    A grain is the largest number of bytes, up to a word, that no access of the block touches in part. Events stand in
    the order of their grains, those of a grain in the order of time.

    grains_per_word: 1, 2 or 4. rows: of 32 words, that the memory has. order: grain * accesses + access of each event,
    ascending. writer: the access that wrote the grain last, at the event or before; -1 for none. holds: what the grain
    holds after the event: FRESH (written, and still to be read for the first time), KEPT (read, and still to be read
    again), SPENT (nobody reads it before it is written again), UNKNOWN (read, and never written). held: how many bytes
    wait to be read after each access; accesses: how many there are.
    """

    grains_per_word: int
    rows: int
    order: Ints
    writer: Ints32
    holds: NDArray[np.int8]
    held: Ints
    accesses: int

    def at(self, position: int, first_row: int, rows: int) -> tuple[NDArray[np.int8], Ints32]:
        """What each word of some rows holds after an access, and the access that wrote it, -1 for none.

        Both of shape (rows, 32).
        """
        words = np.arange(first_row * LANES, (first_row + rows) * LANES, dtype=np.int64)
        holds, writer = self.of(words, position)
        return holds.reshape(rows, LANES), writer.reshape(rows, LANES)

    def of(self, words: Ints, position: int) -> tuple[NDArray[np.int8], Ints32]:
        """The same of words by their numbers from the start of the memory, of shape (n,)."""
        grains = words[:, None] * self.grains_per_word + np.arange(self.grains_per_word)
        last = np.searchsorted(self.order, grains * self.accesses + position, side="right") - 1
        is_touched = (last >= 0) & (self.order[last] // self.accesses == grains)
        holds = np.where(is_touched, self.holds[last], EMPTY)
        writer = np.where(is_touched, self.writer[last], -1)
        return holds.max(axis=1), writer.max(axis=1)


def words_of(accesses: Sequence[tuple[Access, Ints]], count: int, size: int) -> Words | None:
    """accesses: to shared memory, those of one instruction together, each with its places in the trace. count: of all
    accesses of the trace. size: of the block's shared memory, in bytes. None where none of it is touched."""
    grain = grain_of(access.width for access, _ in accesses)
    reads, writes = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    keys = [_NONE]
    for access, places in accesses:
        reads[places] = access.op in _READS
        writes[places] = access.op in _WRITES
        keys.append(_touched(access, places, grain, count))
    order = _distinct(np.concatenate(keys))
    if not order.size:
        return None
    rows = -(-size // (WORD_BYTES * LANES))
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = np.diff(order // count) != 0
    time = (order % count).astype(np.int32)
    writer, holds = _story(begins, time, reads[time], writes[time])
    held = _held(begins, time, (holds == FRESH) | (holds == KEPT), count) * grain
    return Words(WORD_BYTES // grain, rows, order, writer, holds, held, count)


def grain_of(widths: Iterable[int]) -> int:
    """The bytes of a grain, where accesses are so wide: each is aligned to its width."""
    return min([WORD_BYTES, *widths])


def touched_grains(access: Access, grain: int) -> tuple[Ints, Bools]:
    """The grains of each lane's bytes, int64 of shape (n, 32, grains), and the lanes whose bytes they are, (n, 32)."""
    steps = np.arange(max(access.width // grain, 1))
    is_read = np.arange(LANES) < lanes_read(access.matrices)
    return access.addresses[:, :, None] // grain + steps, access.active & is_read


def _touched(access: Access, places: Ints, grain: int, count: int) -> Ints:
    """The events of some accesses: each grain that any lane touches."""
    grains, active = touched_grains(access, grain)
    return _distinct((grains * count + places[:, None, None])[active].ravel())


def _distinct(keys: Ints) -> Ints:
    """Ascending, each once. Sorts in place: np.unique takes a hundred times as long for many different ones."""
    keys.sort()
    is_new = np.ones(len(keys), dtype=np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    return keys[is_new]


def _story(begins: Bools, time: Ints32, reads: Bools, writes: Bools) -> tuple[Ints32, NDArray[np.int8]]:
    """Who wrote last at each event, and what the grain holds after it. begins: where another grain's events begin."""
    events = np.arange(len(time), dtype=np.int32)
    start = np.maximum.accumulate(np.where(begins, events, 0))
    written = np.maximum.accumulate(np.where(writes, events, -1))
    is_written = written >= start
    is_read_next = np.zeros(len(time), dtype=np.bool_)
    is_read_next[:-1] = ~begins[1:] & reads[1:]
    holds = np.full(len(time), SPENT, dtype=np.int8)
    holds[is_read_next] = KEPT
    holds[is_read_next & writes] = FRESH
    holds[~is_written] = UNKNOWN
    return np.where(is_written, time[written], np.int32(-1)), holds


def _held(begins: Bools, time: Ints32, waits: Bools, count: int) -> Ints:
    """How many grains wait to be read after each access."""
    before = np.zeros(len(time), dtype=np.bool_)
    before[1:] = waits[:-1] & ~begins[1:]
    more = np.bincount(time[waits], minlength=count) - np.bincount(time[before], minlength=count)
    held: Ints = np.cumsum(more)
    return held
