"""The different accesses among those of many warps, and how often each occurs.

No cost changes when all addresses of a warp move by the same multiple of 128 bytes: that is a line of four sectors, and
once round the 32 banks. So accesses that differ in nothing else are one pattern. Most kernels have very few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES, LINE_BYTES

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_PERIOD_BYTES = LINE_BYTES
# Fixed odd numbers that spread the lanes' distances over 64 bits. Patterns that they throw together are told apart.
_SPREAD = np.random.default_rng(32).integers(1 << 62, size=2 * LANES + 4, dtype=np.int64) * 2 + 1


@dataclass(frozen=True, eq=False)
class Patterns:
    """Different accesses. addresses: int64, (n, 32). active: bool, (n, 32), each row with an active lane. times: how
    many warps make that access, (n,)."""

    addresses: Ints
    active: Bools
    times: Ints


def patterns(addresses: Ints, mask: Bools | None, shape: tuple[int, int, int]) -> Patterns:
    """The accesses of a batch of warps of this shape, (blocks, warps, 32), without those that have no active lane.

    addresses: int64 bytes, broadcastable to the shape. mask: the active lanes, likewise; None: all.
    """
    written = np.broadcast_shapes(addresses.shape, () if mask is None else mask.shape, (1, 1, LANES))
    repeats = shape[0] * shape[1] // (written[0] * written[1])
    rows = np.broadcast_to(addresses, written).reshape(-1, LANES)
    if mask is None:
        return _of_full_warps(rows, repeats)
    active = np.broadcast_to(mask, written).reshape(-1, LANES)
    lanes = np.count_nonzero(active, axis=1)
    full = lanes == LANES
    if full.all():
        return _of_full_warps(rows, repeats)
    some = lanes > 0
    return _grouped(*_anchored(rows[some], active[some]), active[some], repeats)


@dataclass(frozen=True, eq=False)
class CopyPatterns:
    """Different copies. sources, targets: int64, (n, 32), bytes. active: the lanes that write, bool, (n, 32), each row
    with one. reading: those that read, likewise. times: as of Patterns."""

    sources: Ints
    targets: Ints
    active: Bools
    reading: Bools
    times: Ints


def copy_patterns(
    sources: Ints, reading: Bools | None, targets: Ints, mask: Bools | None, shape: tuple[int, int, int]
) -> CopyPatterns:
    """As `patterns`, of accesses that are made two by two. reading: the lanes that read; mask: those that write."""

    def rows_of(each: NDArray[Any] | bool) -> NDArray[Any]:
        return np.broadcast_to(each, shape).reshape(-1, LANES)

    active = rows_of(True if mask is None else mask)
    some = active.any(axis=1)
    active, reads = active[some], rows_of(True if reading is None else reading)[some]
    halves = [_anchored(rows_of(each)[some], active) for each in (sources, targets)]
    kept, times = _distinct([*(part for half in halves for part in half), _bits(active), _bits(reads)])
    at, into = (distances[kept] + starts[kept, np.newaxis] for distances, starts in halves)
    return CopyPatterns(at, into, active[kept], reads[kept], times)


def _of_full_warps(rows: Ints, repeats: int) -> Patterns:
    first = rows[:, :1]
    distances = rows - first
    starts = first[:, 0] & (_PERIOD_BYTES - 1)
    if (distances == distances[0]).all():
        times = np.bincount(starts, minlength=_PERIOD_BYTES)
        starts = np.flatnonzero(times)
        addresses = distances[0] + starts[:, np.newaxis]
        return Patterns(addresses, np.ones(addresses.shape, dtype=np.bool_), times[starts] * repeats)
    return _grouped(distances, starts, np.ones(rows.shape, dtype=np.bool_), repeats)


def _anchored(rows: Ints, active: Bools) -> tuple[Ints, Ints]:
    """Each lane's distance from its warp's first active lane, 0 for an inactive one; and where that one starts within
    the period."""
    first = np.take_along_axis(rows, active.argmax(axis=1)[:, np.newaxis], axis=1)
    return np.where(active, rows - first, 0), first[:, 0] & (_PERIOD_BYTES - 1)


def _grouped(distances: Ints, starts: Ints, active: Bools, repeats: int) -> Patterns:
    kept, times = _distinct((distances, starts, _bits(active)))
    return Patterns(distances[kept] + starts[kept, np.newaxis], active[kept], times * repeats)


def _bits(active: Bools) -> Ints:
    """The lanes of each row as the bits of a number. (n, 32) -> (n,)."""
    bits: Ints = np.packbits(active, axis=1).view(np.uint32)[:, 0].astype(np.int64)
    return bits


def _distinct(columns: Sequence[Ints]) -> tuple[Ints, Ints]:
    """(places of rows of which each stands for all that are equal, how many those are). columns: what is in the rows,
    (n,) or (n, k) each. Rows whose key another row has too remain on their own."""
    keys: Ints = np.zeros(len(columns[0]), dtype=np.int64)
    rest = _SPREAD
    for column in columns:
        width = column.shape[1] if column.ndim > 1 else 1
        keys += column @ rest[:width] if column.ndim > 1 else column * rest[0]
        rest = rest[width:]
    _, first, group, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    leader = first[group]
    alike = np.ones(len(keys), dtype=np.bool_)
    for column in columns:
        equal = column == column[leader]
        alike &= equal.all(axis=1) if column.ndim > 1 else equal
    kept, times = first, times.astype(np.int64)
    if not alike.all():
        others = np.flatnonzero(~alike)
        times -= np.bincount(group[others], minlength=len(first))
        kept, times = np.concatenate((first, others)), np.concatenate((times, np.ones(len(others), dtype=np.int64)))
    return kept, times
