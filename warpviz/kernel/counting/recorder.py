"""An observer that keeps the accesses of one block, to look at them one by one."""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.kernel.memory.observing import Half, Kind, Threads

_MOST = 200_000  # accesses: some 60 MB


@dataclass(frozen=True, eq=False)
class Recorded:
    """One access of one warp. warp: of its block. iteration: how often the warp has made this kind of access before.
    addresses: int64 bytes from the start of the memory space, (32,). active: bool, (32,)."""

    kind: Kind
    warp: int
    iteration: int
    addresses: NDArray[np.int64]
    active: NDArray[np.bool_]

    @property
    def access(self) -> Access | None:
        """For the model: a batch of one. None for local memory, which it does not know."""
        kind = self.kind
        if kind.space == "local":
            return None
        return Access(self.addresses[None], self.active[None], kind.width, kind.op, kind.space, kind.matrices)


class Recorder:
    """accesses: those of the block, in the order in which they were made, up to `most`. is_full: whether it made more.
    barriers: of each barrier that the block has met at, how many accesses came before.

    block: by its place in the grid, x fastest.
    """

    def __init__(self, block: int, most: int = _MOST) -> None:
        self.block = block
        self.accesses: list[Recorded] = []
        self.barriers: list[int] = []
        self.is_full = False
        self._most = most
        self._made: Tally[tuple[Kind, int]] = Tally()

    def access(
        self, kind: Kind, addresses: NDArray[np.int64], mask: NDArray[np.bool_] | None, threads: Threads
    ) -> None:
        """Keep what is the block's; see Observer."""
        rows = self._rows(threads)
        if not rows:
            return
        at = np.broadcast_to(addresses, threads.shape)
        active = np.broadcast_to(True if mask is None else mask, threads.shape)
        warps = np.broadcast_to(threads.warp, (*threads.shape[:2], 1))[..., 0]
        for row in rows:
            for column in np.flatnonzero(active[row].any(axis=1)).tolist():
                self._keep(kind, int(warps[row, column]), at[row, column], active[row, column])

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        """Keep both halves of what is the block's, one after the other; see Observer."""
        self.access(read.kind, read.addresses, read.mask, threads)
        self.access(written.kind, written.addresses, written.mask, threads)

    def barrier(self, threads: Threads, mask: NDArray[np.bool_] | None) -> None:
        """Keep where the block's barrier lies among its accesses; see Observer."""
        met = np.broadcast_to(True if mask is None else mask, (len(threads.block), 1, 1))
        if any(met[row, 0, 0] for row in self._rows(threads)):
            self.barriers.append(len(self.accesses))

    def _rows(self, threads: Threads) -> list[int]:
        """Where the block's warps stand."""
        rows: list[int] = np.flatnonzero(threads.block.ravel() == self.block - threads.first_block).tolist()
        return rows

    def _keep(self, kind: Kind, warp: int, addresses: NDArray[np.int64], active: NDArray[np.bool_]) -> None:
        if len(self.accesses) >= self._most:
            self.is_full = True
            return
        iteration = self._made[kind, warp]
        self._made[kind, warp] += 1
        self.accesses.append(Recorded(kind, warp, iteration, addresses.copy(), active.copy()))
