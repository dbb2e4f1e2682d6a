"""Where threads of a block may be in each other's way: granules that two of them touch, and one writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.hazards.entries import Entry, Spread, spread
from warpviz.kernel.memory.checks import Bools

_NOBODY = 0


def contested(entries: Sequence[Entry], blocks: int, granules: int, as_one_block: bool) -> Bools | None:
    """The granules of each block that one thread writes and another one touches, whatever lies between: (blocks,
    granules); None where there are none. Accesses that are atomic do not get in each other's way."""
    stores = [entry for entry in entries if entry.is_store]
    atomics = [entry for entry in entries if entry.is_atomic]
    if not stores and not (atomics and any(entry.is_load for entry in entries)):
        return None
    owner = np.full(blocks * granules, _NOBODY, dtype=np.int16)
    is_atomic = np.zeros(blocks * granules, dtype=np.bool_)
    found = np.zeros(blocks * granules, dtype=np.bool_)
    for entry in stores:
        theirs = spread(entry, as_one_block)
        owner[_cells(theirs, granules)] = _claim(entry, theirs)
    for entry in atomics:
        is_atomic[_cells(spread(entry, as_one_block), granules)] = True
    for entry in entries:
        theirs = spread(entry, as_one_block)
        cells = _cells(theirs, granules)
        holder = owner.take(cells)
        bad = (holder != _NOBODY) & (holder != _claim(entry, theirs))
        if entry.is_load and atomics:
            bad |= is_atomic.take(cells)
        if bad.any():
            found[cells[bad]] = True
    return found.reshape(blocks, granules) if found.any() else None


def _cells(theirs: Spread, granules: int) -> NDArray[np.int64]:
    return theirs.row[:, np.newaxis] * granules + theirs.granules


def _claim(entry: Entry, theirs: Spread) -> NDArray[np.int16]:
    """A number that stands for each thread, and another one for what copies for it: (n, 1)."""
    number = (theirs.thread + 1).astype(np.int16)[:, np.newaxis]
    return number if entry.copy is None else -number
