"""An observer between the interpreter of PTX and others: it hands on the accesses that the machine code makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.code.changes import Change, Dropped, Fused, Joined, Merged, OneLane, Split
from warpviz.kernel.memory.checks import Bools, Ints, Mask
from warpviz.kernel.memory.observing import Half, Kind, Observer, Threads


class Fusing:
    """Tells an observer of accesses as the machine code makes them.

    changes: by the index of the instruction; all others are handed on as they are. refused: indices of accesses that
    cannot be fused, because no aligned one has all of their bytes: they are handed on as PTX has them.
    """

    def __init__(self, observer: Observer, changes: Mapping[int, Change]) -> None:
        self.refused: set[int] = set()
        self._observer = observer
        self._changes = changes
        self._kinds: dict[tuple[Kind, int, bool], Kind] = {}

    def access(self, kind: Kind, addresses: Ints, mask: Mask, threads: Threads) -> None:
        """Hand on what becomes of the access; see Observer."""
        match self._changes.get(kind.index):
            case None:
                self._observer.access(kind, addresses, mask, threads)
            case Fused() as fused:
                self._fused(kind, addresses, fused, mask, threads)
            case Joined(index=index) if index in self.refused:
                self._observer.access(kind, addresses, mask, threads)
            case Split(pieces=pieces):
                for offset, width in pieces:
                    self._observer.access(self._kind(kind, width), addresses + offset, mask, threads)
            case Merged():
                self._observer.access(self._kind(kind, kind.width, merges=True), addresses, mask, threads)
            case OneLane():
                self._observer.access(kind, addresses, _first_lanes(mask, threads), threads)
            case Joined() | Dropped():
                pass

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        """Hand on the copy: ptxas changes none."""
        self._observer.copy(read, written, threads)

    def barrier(self, threads: Threads, mask: Mask) -> None:
        self._observer.barrier(threads, mask)

    def _fused(self, kind: Kind, addresses: Ints, fused: Fused, mask: Mask, threads: Threads) -> None:
        within = (addresses + fused.offset) & (fused.width - 1)
        reaches_beyond = within > fused.width - fused.size
        if np.any(reaches_beyond if mask is None else reaches_beyond & mask):
            self.refused.add(kind.index)
        if kind.index in self.refused:
            self._observer.access(kind, addresses, mask, threads)
        else:
            start = addresses + fused.offset - within
            self._observer.access(self._kind(kind, fused.width), start, mask, threads)

    def _kind(self, kind: Kind, width: int, *, merges: bool = False) -> Kind:
        key = kind, width, merges
        if key not in self._kinds:
            self._kinds[key] = replace(kind, width=width, merges=merges)
        return self._kinds[key]


def _first_lanes(mask: Mask, threads: Threads) -> Mask:
    """The first active lane of each warp."""
    if mask is None:
        mask = np.ones((1, 1, LANES), dtype=np.bool_)
    full = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, (1, 1, LANES)))
    first: Bools = full & (np.cumsum(full, axis=2) == 1)
    return first
