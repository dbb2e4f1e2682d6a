"""What is told of each access while a kernel runs: to those who count, record or look for hazards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from warpviz.hardware import LANES, Op
from warpviz.kernel.memory.checks import Ints, Mask

AccessSpace = Literal["global", "shared", "const", "local"]


@dataclass(frozen=True)
class Kind:
    """What all accesses of one instruction in one memory space have in common.

    index: of the instruction, in its order of the program. line: of the user's file, 0 where unknown. name: as PTX
    writes the instruction. width: bytes a lane; of an ldmatrix 16. matrices: of an ldmatrix or stmatrix; else None.
    type: of one element, as PTX names it. merges: of an atomic in shared memory, whether the lanes with one word make
    one update together, as ptxas makes it of adding 1.

    op: "red" also for an atom whose result nobody uses, since ptxas makes a reduction of it; but not for an exch or a
    cas, of which there are none. "st" for a stmatrix.
    """

    index: int
    line: int
    name: str
    space: AccessSpace
    op: Op
    width: int
    type: str
    matrices: int | None = None
    merges: bool = False

    @property
    def is_copy(self) -> bool:
        """Whether it is one half of a cp.async, which moves bytes from global to shared memory."""
        return self.name.startswith("cp.async")


@dataclass(frozen=True, eq=False)
class Threads:
    """Which threads stand in the rows of an array of shape (blocks, warps, 32).

    block, shape (blocks, 1, 1): which block of the chunk, from 0. warp, shape (1 or blocks, warps, 1): which warp of
    its block. first_block: the chunk's first block, by its place in the grid (x fastest). warps_per_block: of each.
    """

    block: Ints
    warp: Ints
    first_block: int
    warps_per_block: int

    @classmethod
    def of_chunk(cls, blocks: int, warps: int, first_block: int = 0) -> Threads:
        """All threads of some blocks."""
        return cls(np.arange(blocks)[:, None, None], np.arange(warps)[None, :, None], first_block, warps)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(blocks, warps, 32)."""
        return self.block.shape[0], self.warp.shape[1], LANES

    @cached_property
    def number(self) -> Ints:
        """Each thread's place among all of the chunk. Shape (blocks, warps, 32)."""
        return (self.block * self.warps_per_block + self.warp) * LANES + np.arange(LANES)


@dataclass(frozen=True, eq=False)
class Half:
    """What a cp.async reads in global memory, or what it writes in shared: see `Observer.access`."""

    kind: Kind
    addresses: Ints
    mask: Mask


class Observer(Protocol):
    """Is told of every access, before memory changes, and of every barrier."""

    def access(self, kind: Kind, addresses: Ints, mask: Mask, threads: Threads) -> None:
        """One instruction's accesses: of every warp that has an active lane, one.

        addresses: from the start of the memory space, in bytes, broadcastable to threads.shape. mask: the active
        threads, likewise; None: all.
        """

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        """One cp.async: two accesses, of which the hardware counts some together. A thread need not read."""

    def barrier(self, threads: Threads, mask: Mask) -> None:
        """Blocks whose threads have met at a barrier. mask: which, broadcastable to (blocks, 1, 1); None: all."""


class Nobody:
    """Does not care."""

    def access(self, kind: Kind, addresses: Ints, mask: Mask, threads: Threads) -> None:
        pass

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        pass

    def barrier(self, threads: Threads, mask: Mask) -> None:
        pass


@dataclass(frozen=True)
class Several:
    """Tells several observers, in their order."""

    observers: Sequence[Observer]

    def access(self, kind: Kind, addresses: Ints, mask: Mask, threads: Threads) -> None:
        for observer in self.observers:
            observer.access(kind, addresses, mask, threads)

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        for observer in self.observers:
            observer.copy(read, written, threads)

    def barrier(self, threads: Threads, mask: Mask) -> None:
        for observer in self.observers:
            observer.barrier(threads, mask)
