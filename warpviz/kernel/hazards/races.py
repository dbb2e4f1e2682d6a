"""Races: two threads touch the same bytes, one of them writes, and nothing orders them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.hazards.conflicts import contested
from warpviz.kernel.hazards.entries import Entry
from warpviz.kernel.hazards.findings import Finding, Touch, distinct
from warpviz.kernel.hazards.pairs import MANNERS, Effort, Pairs, ends_of, racing
from warpviz.kernel.hazards.records import records_of
from warpviz.kernel.memory.checks import Bools

_FEW = 1 << 15  # contested granules times accesses: looked at whatever it takes


@dataclass(frozen=True)
class Extent:
    """blocks: of the chunk; first_block: by its place in the grid. granules: of a block's shared memory; grain: bytes
    of each."""

    blocks: int
    first_block: int
    granules: int
    grain: int


def races(entries: Sequence[Entry], extent: Extent, judged: int, effort: Effort) -> Iterator[Finding]:
    """Of accesses between which no barrier of the whole block lies, in their order, those that race.

    judged: how many of the first have been looked at before. They are not held against each other again. effort: once
    it is spent, not all blocks and not all pairs are looked at.
    """
    if not entries or _are_apart(entries, extent):
        return
    as_one = all(entry.is_uniform and entry.is_ordered_alike for entry in entries)
    places = contested(entries, 1 if as_one else extent.blocks, extent.granules, as_one)
    if places is None:
        return

    def racing_at(some: Bools) -> Pairs:
        affordable = _affordable(entries, some, extent, effort)
        return racing(entries, records_of(entries, affordable, len(some) == 1, extent.grain), judged, effort)

    pairs = racing_at(places)
    if not as_one or extent.blocks == 1:
        yield from _findings(entries, pairs, extent, times=1)
        return
    # What the blocks write may differ: then two writes are looked at block by block.
    unsure = _vary(entries, pairs)
    yield from _findings(entries, pairs[~unsure], extent, times=extent.blocks)
    if unsure.any():
        some = np.zeros((extent.blocks, extent.granules), dtype=np.bool_)
        some[:, pairs.granules[unsure]] = True
        apart = racing_at(some)
        yield from _findings(entries, apart[_vary(entries, apart)], extent, times=1)


def _affordable(entries: Sequence[Entry], places: Bools, extent: Extent, effort: Effort) -> Bools:
    """Contested granules of as many blocks as the effort is likely to do for."""
    rows = np.flatnonzero(places.any(axis=1))
    if len(rows) == 1 or np.count_nonzero(places) * len(entries) < _FEW:
        return places
    first = np.zeros_like(places)
    first[rows[0]] = places[rows[0]]
    records = records_of(entries, first, False, extent.grain)
    pairs = int((ends_of(records) - np.arange(len(records)) - 1).sum())
    some = places.copy()
    some[rows[max(1, effort.now // max(pairs, 1)) :]] = False
    return some


def _are_apart(entries: Sequence[Entry], extent: Extent) -> bool:
    """Whether no two threads get in each other's way even if all did in one block what they do in any."""
    if any(len(entry.granules) > 1 or len(entry.threads.warp) > 1 for entry in entries):
        return False
    united = [entry.in_any_block() for entry in entries]
    return contested(united, 1, extent.granules, as_one_block=True) is None


def _vary(entries: Sequence[Entry], pairs: Pairs) -> Bools:
    """Which pairs are two writes of values that differ between blocks."""
    varying = np.array([any(len(each) > 1 for each in entry.values) for entry in entries])
    first, second = pairs.entries
    found: Bools = pairs.are_writes & (varying[first] | varying[second])
    return found


def _findings(entries: Sequence[Entry], pairs: Pairs, extent: Extent, times: int) -> Iterator[Finding]:
    """One finding for each manner and two instructions. times: blocks that each row stands for."""
    if not len(pairs):
        return
    _, instruction = np.unique([entry.kind.index for entry in entries], return_inverse=True)
    first, second = (instruction[each] for each in pairs.entries)
    keys = (pairs.manner * len(entries) + first) * len(entries) + second
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    for group in np.split(order, starts[1:]):
        yield _finding(entries, pairs[group], extent, times)


def _finding(entries: Sequence[Entry], pairs: Pairs, extent: Extent, times: int) -> Finding:
    """Of pairs of two instructions."""
    rows, (one, other) = pairs.rows, pairs.threads
    places = rows * extent.granules + pairs.granules
    across = one // LANES != other // LANES
    example = int(np.lexsort((other, one, places, ~across, rows))[0])
    return Finding(
        MANNERS[int(pairs.manner[0])],
        tuple(Touch.of(entries[int(each[example])].kind) for each in pairs.entries),
        (int(one[example]), int(other[example])),
        extent.first_block + int(rows[example]),
        int(pairs.granules[example]) * extent.grain,
        distinct(places) * times,
        bool(across.any()),
    )
