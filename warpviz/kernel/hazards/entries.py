"""The accesses of shared memory that a hazard is looked for in, as arrays of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.memory.checks import Bools, Ints, Mask
from warpviz.kernel.memory.observing import Kind, Threads
from warpviz.kernel.memory.transfer import picked
from warpviz.kernel.memory.values import Values

NEVER = np.int64(1) << 62  # a time after all others
_MIX = np.uint64(0x9E37_79B9_7F4A_7C15)  # odd: two halves of 8 bytes become one number


class Knowledge(NamedTuple):
    """What threads know of each other: times before which the other's accesses are over for them. All are
    broadcastable.

    lanes: (blocks, warps, 32, 32), a lane's of another one of its warp. warps: (blocks, warps, warps), a warp's of
    another. fenced: (blocks, warps), whether a thread of the warp has met a fence.
    """

    lanes: Ints
    warps: Ints
    fenced: Bools


@dataclass(eq=False)
class Copy:
    """A cp.async. group: which of its thread's it belongs to, from 1. done: when its thread has waited for it, NEVER at
    first. mask: the threads that copy; None: all. All are broadcastable to (blocks, warps, 32) of the chunk."""

    group: Ints
    done: Ints
    mask: Mask


@dataclass(frozen=True, eq=False)
class Entry:
    """One instruction's accesses. time: when. granules: the first that each thread touches, broadcastable to
    threads.shape; span: how many, one after the other. values, mask, threads: as told. copy: of a cp.async."""

    kind: Kind
    time: int
    granules: Ints
    span: int
    values: Sequence[Values]
    mask: Mask
    threads: Threads
    knowledge: Knowledge
    copy: Copy | None = None

    @property
    def is_atomic(self) -> bool:
        return self.kind.op in ("atom", "red")

    @property
    def is_store(self) -> bool:
        """Whether it writes, and is no atomic."""
        return self.kind.op == "st"

    @property
    def is_load(self) -> bool:
        """Whether it reads, and is no atomic."""
        return not (self.is_store or self.is_atomic)

    @property
    def is_uniform(self) -> bool:
        """Whether all blocks of the chunk do the same here, at the same places."""
        uniform = self.granules.shape[0] == 1 and (self.mask is None or self.mask.shape[0] == 1)
        return uniform and len(self.threads.warp) == 1

    @property
    def is_ordered_alike(self) -> bool:
        """Whether what its threads know is the same in all blocks."""
        return all(len(part) == 1 for part in self.knowledge) and (self.copy is None or len(self.copy.done) == 1)

    @property
    def nbytes(self) -> int:
        """About how much memory it holds."""
        arrays = [self.granules, *self.values] if self.mask is None else [self.granules, self.mask, *self.values]
        return sum(array.nbytes for array in arrays)

    def in_any_block(self) -> Entry:
        """With the threads of one block that take part in any."""
        if self.mask is None or len(self.mask) == 1:
            return self
        return replace(self, mask=np.logical_or.reduce(self.mask, axis=0, keepdims=True))

    def of_blocks(self, rows: Bools) -> Entry | None:
        """Of some blocks of the chunk alone, (blocks,); None where they have no part."""
        theirs = rows[self.threads.block]
        mask = theirs if self.mask is None else theirs & self.mask
        return replace(self, mask=mask) if mask.any() else None


@dataclass(frozen=True, eq=False)
class Spread:
    """An entry thread by thread, only active ones: (n,) each. row: the block of the chunk. thread: its place in the
    block. granules: (n, span)."""

    row: Ints
    thread: Ints
    granules: Ints


def spread(entry: Entry, as_one_block: bool) -> Spread:
    """as_one_block: whether the first block stands for all, which do the same."""
    threads = entry.threads
    shape = (1, *threads.shape[1:]) if as_one_block else threads.shape
    row = np.zeros((1, 1, 1), dtype=np.int64) if as_one_block else threads.block
    number = threads.warp * LANES + np.arange(LANES)
    first = picked(entry.granules, entry.mask, shape)[:, np.newaxis]
    granules = first if entry.span == 1 else first + np.arange(entry.span)
    return Spread(picked(row, entry.mask, shape), picked(number, entry.mask, shape), granules)


def values_of(entry: Entry, as_one_block: bool, grain: int) -> NDArray[np.uint64] | None:
    """What a store writes into each granule: (n, span) in the order of `spread`. None where that is not known, or
    differs between blocks that are taken as one. grain: bytes of a granule."""
    if not entry.values or (as_one_block and any(len(each) > 1 for each in entry.values)):
        return None
    shape = (1, *entry.threads.shape[1:]) if as_one_block else entry.threads.shape
    components = [picked(each, entry.mask, shape) for each in entry.values]
    bits: NDArray[Any] = np.ascontiguousarray(np.stack(components, axis=1))
    if grain > 8:
        halves = bits.view(np.uint64).reshape(len(bits), -1, 2)
        mixed: NDArray[np.uint64] = halves[..., 0] * _MIX + halves[..., 1]
        return mixed
    return bits.view(f"uint{8 * grain}").astype(np.uint64)
