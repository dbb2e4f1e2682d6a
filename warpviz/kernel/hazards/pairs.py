"""Touches of one granule held against each other: which two race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.hazards.entries import Entry, Knowledge
from warpviz.kernel.hazards.findings import Manner
from warpviz.kernel.hazards.records import Records, looked_up
from warpviz.kernel.memory.checks import Bools, Ints

MANNERS: tuple[Manner, ...] = ("read", "overwritten", "written", "copied")
_READ, _OVERWRITTEN, _WRITTEN, _COPIED = range(len(MANNERS))
_NONE = -1


@dataclass(frozen=True, eq=False)
class Pairs:
    """Touches that race, (n,) each: the places of two records, the first in the order of the log before the second, and
    how they race (the number in MANNERS)."""

    records: Records
    first: Ints
    second: Ints
    manner: Ints

    def __len__(self) -> int:
        return len(self.manner)

    def __getitem__(self, which: Bools | Ints) -> Pairs:
        return Pairs(self.records, self.first[which], self.second[which], self.manner[which])

    @property
    def granules(self) -> Ints:
        """Where."""
        return self.records.granule[self.first]

    @property
    def rows(self) -> Ints:
        """In which block of the chunk."""
        return self.records.row[self.first]

    @property
    def entries(self) -> tuple[Ints, Ints]:
        """The two entries of each."""
        return self.records.entry[self.first], self.records.entry[self.second]

    @property
    def threads(self) -> tuple[Ints, Ints]:
        """The two threads of each."""
        return self.records.thread[self.first], self.records.thread[self.second]

    @property
    def are_writes(self) -> Bools:
        """Which are two writes."""
        found: Bools = self.manner == _WRITTEN
        return found


@dataclass
class Effort:
    """How many pairs of touches are still looked at. Each time there is a little left."""

    left: int
    least: int = 1 << 14

    @property
    def now(self) -> int:
        return max(self.left, self.least)


def racing(entries: Sequence[Entry], records: Records, judged: int, effort: Effort) -> Pairs:
    """The records that race with one behind them, nearest ones first, as far as the effort goes.

    judged: how many of the first entries have been held against each other before.
    """
    traits = _Traits.of(entries)
    found: list[tuple[Ints, Ints, Ints]] = []
    at, ends, lone = np.arange(len(records)), ends_of(records), _touched_by_one_warp(records)
    distance, done, most = 0, 0, effort.now
    while done < most and len(at := at[ends[at] > at + (distance := distance + 1)]):
        done += len(at)
        behind = at + distance
        manner = _manners(traits, records, at, behind)
        bad = (manner != _NONE) & (records.entry[behind] >= judged)
        if bad.any():
            found.append((at[bad], behind[bad], manner[bad]))
        known = traits.known_in_warp[records.entry[behind], records.thread[behind] // LANES]
        at = at[~lone[at] | (records.over[at] > known)]  # what the warp knows now it knows later too
    effort.left -= done
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return Pairs(records, nothing, nothing, nothing)
    return Pairs(records, *(np.concatenate(each) for each in zip(*found, strict=True)))


def ends_of(records: Records) -> Ints:
    """Behind the last record of the same granule: (n,)."""
    stops = _stops(records)
    return np.repeat(stops, np.diff(stops, prepend=0))


def _stops(records: Records) -> Ints:
    changes = (records.row[1:] != records.row[:-1]) | (records.granule[1:] != records.granule[:-1])
    last = [len(records)] if len(records) else []
    return np.append(np.flatnonzero(changes) + 1, last).astype(np.int64)


def _touched_by_one_warp(records: Records) -> Bools:
    """Whether all records of the same granule are of one warp: (n,)."""
    stops, warp = _stops(records), records.thread // LANES
    lengths = np.diff(stops, prepend=0)
    starts = stops - lengths
    if not len(starts):
        return np.zeros(0, dtype=np.bool_)
    return np.repeat(np.minimum.reduceat(warp, starts) == np.maximum.reduceat(warp, starts), lengths)


@dataclass(frozen=True, eq=False)
class _Traits:
    """Of each entry of the log: (entries,). knowledge: equal numbers for the same. known_in_warp: what all lanes of a
    warp know of all others, in every block: (entries, warps)."""

    entries: Sequence[Entry]
    is_load: Bools
    is_atomic: Bools
    is_copy: Bools
    time: Ints
    knowledge: Ints
    known_in_warp: Ints

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> _Traits:
        numbers: dict[int, int] = {}
        knowledge = [numbers.setdefault(id(entry.knowledge), number) for number, entry in enumerate(entries)]
        warps = entries[0].threads.warps_per_block
        known = {number: _known_in_warp(entries[number].knowledge, warps) for number in numbers.values()}
        return cls(
            entries,
            np.array([entry.is_load for entry in entries]),
            np.array([entry.is_atomic for entry in entries]),
            np.array([entry.copy is not None for entry in entries]),
            np.array([entry.time for entry in entries]),
            np.array(knowledge),
            np.array([known[number] for number in knowledge]),
        )


def _known_in_warp(knowledge: Knowledge, warps: int) -> Ints:
    return np.broadcast_to(knowledge.lanes.min(axis=(0, 2, 3)), (warps,))


def _manners(traits: _Traits, records: Records, one: Ints, other: Ints) -> Ints:
    """How each pair races; _NONE where it does not. one: the earlier."""
    first, second = records.entry[one], records.entry[other]
    reads, read_later = traits.is_load[first], traits.is_load[second]
    same = records.thread[one] == records.thread[other]
    bad = ~same & ~(reads & read_later) & ~(traits.is_atomic[first] & traits.is_atomic[second])
    bad &= ~(records.is_strong[one] & records.is_strong[other])
    stores = ~(reads | read_later | traits.is_atomic[first] | traits.is_atomic[second])
    known = records.is_known[one] & records.is_known[other]
    bad &= ~(stores & known & (records.value[one] == records.value[other]))
    copied = same & traits.is_copy[first] & ~traits.is_copy[second] & (records.over[one] > traits.time[second])
    manner = np.where(reads, _OVERWRITTEN, np.where(read_later, _READ, _WRITTEN))
    manner[~bad] = _NONE
    manner[copied] = _COPIED
    candidates = np.flatnonzero(bad & (first != second))
    manner[candidates[_are_ordered(traits, records, one[candidates], other[candidates])]] = _NONE
    return manner


def _are_ordered(traits: _Traits, records: Records, one: Ints, other: Ints) -> Bools:
    """Whether the earlier touch is over before the later one, whatever the hardware does."""
    ordered = np.zeros(len(one), dtype=np.bool_)
    knowledge = traits.knowledge[records.entry[other]]
    for number in np.unique(knowledge):
        which = np.flatnonzero(knowledge == number)
        lanes, warps, _ = traits.entries[number].knowledge
        row, over = records.row[one[which]], records.over[one[which]]
        before, after = records.thread[one[which]], records.thread[other[which]]
        warp_before, warp_after = before // LANES, after // LANES
        within = looked_up(lanes, row, warp_after, after % LANES, before % LANES)
        across = looked_up(warps, row, warp_after, warp_before)
        ordered[which] = np.where(warp_before == warp_after, within, across) >= over
    return ordered
