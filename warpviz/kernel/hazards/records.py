"""Single touches of contested granules, sorted so that those of one granule lie together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.hazards.entries import Entry, spread, values_of
from warpviz.kernel.memory.checks import Bools, Ints

_Any = TypeVar("_Any", bound=np.generic)

_STRONG = frozenset(("relaxed", "acquire", "release", "acq_rel"))


@dataclass(frozen=True, eq=False)
class Records:
    """(n,) each. row: the block of the chunk. entry: its number in the log, which goes up with time. thread: its place
    in the block. value: what a store writes; is_known: whether that is known. over: when the access is over. is_strong:
    whether it is one of those by which threads may signal each other."""

    row: Ints
    granule: Ints
    entry: Ints
    thread: Ints
    value: NDArray[np.uint64]
    is_known: Bools
    over: Ints
    is_strong: Bools

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, which: NDArray[np.intp] | Bools) -> Records:
        return Records(*(getattr(self, field.name)[which] for field in fields(self)))


def records_of(entries: Sequence[Entry], contested: Bools, as_one_block: bool, grain: int) -> Records:
    """All touches of contested granules, (blocks, granules), by row, granule, entry and thread. Threads of a warp that
    do the same there are left out, but for the first and the last."""
    parts = [_of_entry(entry, number, contested, as_one_block, grain) for number, entry in enumerate(entries)]
    all_of = Records(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Records)))
    keys = (all_of.thread, all_of.value, all_of.thread // LANES, all_of.entry, all_of.granule, all_of.row)
    ordered = all_of[np.lexsort(keys)]
    if any(entry.copy is not None for entry in entries):
        return ordered
    return ordered[_ends_of_runs(ordered)]


def _of_entry(entry: Entry, number: int, contested: Bools, as_one_block: bool, grain: int) -> Records:
    theirs = spread(entry, as_one_block)
    at, place = np.nonzero(contested[theirs.row[:, np.newaxis], theirs.granules])
    row, thread = theirs.row[at], theirs.thread[at]
    values = values_of(entry, as_one_block, grain) if entry.is_store else None
    over = np.full(len(at), entry.time)
    if entry.copy is not None:
        over = looked_up(entry.copy.done, row, thread // LANES, thread % LANES)
    return Records(
        row,
        theirs.granules[at, place],
        np.full(len(at), number),
        thread,
        np.zeros(len(at), dtype=np.uint64) if values is None else values[at, place],
        np.full(len(at), values is not None),
        over,
        _is_strong(entry, row, thread),
    )


def looked_up(array: NDArray[_Any], *index: Ints) -> NDArray[_Any]:
    """Elements of an array that is broadcast along its axes of length 1: the shape of the indices."""
    places = tuple(each if size > 1 else np.zeros_like(each) for size, each in zip(array.shape, index, strict=True))
    found: NDArray[_Any] = array[places]
    return found


def _is_strong(entry: Entry, row: Ints, thread: Ints) -> Bools:
    """Whether an access may be a signal: one that says how it is ordered; a volatile one or an atomic, of which a
    write has to come behind a fence."""
    words = entry.kind.name.split(".")
    if not _STRONG.isdisjoint(words) and not entry.is_atomic:
        return np.ones(len(row), dtype=np.bool_)
    if "volatile" not in words and not entry.is_atomic:
        return np.zeros(len(row), dtype=np.bool_)
    if entry.is_load:
        return np.ones(len(row), dtype=np.bool_)
    return looked_up(entry.knowledge.fenced, row, thread // LANES)


def _ends_of_runs(records: Records) -> Bools:
    """The first and the last of the records next to each other that differ in the thread alone."""
    warp = records.thread // LANES
    parts = (records.row, records.granule, records.entry, warp, records.value)
    changes = np.zeros(max(len(records) - 1, 0), dtype=np.bool_)
    for part in parts:
        changes |= part[1:] != part[:-1]
    return np.append(True, changes) | np.append(changes, True) if len(records) else np.zeros(0, dtype=np.bool_)
