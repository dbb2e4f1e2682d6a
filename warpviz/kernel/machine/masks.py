"""Sets of a chunk's threads.

A mask is a bool array that broadcasts to (blocks, warps, 32), or None for all threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES

Bools = NDArray[np.bool_]
Mask = Bools | None
Shape = tuple[int, int, int]  # (blocks, warps, 32)

NO_THREADS: Bools = np.zeros((1, 1, 1), dtype=np.bool_)
ALL_THREADS: Bools = np.ones((1, 1, 1), dtype=np.bool_)
_ALL_LANES = 0xFFFF_FFFF


def both(first: Mask, second: Mask) -> Mask:
    """The threads that are in both."""
    if first is None:
        return second
    return first if second is None else first & second


def either(first: Mask, second: Mask) -> Mask:
    """The threads that are in one or the other."""
    return None if first is None or second is None else first | second


def without(first: Mask, second: Mask) -> Bools:
    """The threads of the first that are not in the second."""
    if second is None:
        return NO_THREADS
    return ~second if first is None else first & ~second


def count(mask: Mask, shape: Shape) -> int:
    """How many threads of that shape are in it."""
    size = shape[0] * shape[1] * shape[2]
    return size if mask is None else int(np.count_nonzero(mask)) * (size // mask.size)


def warps_in(mask: Mask, shape: Shape) -> int:
    """How many warps have a thread in it."""
    warps = shape[0] * shape[1]
    if mask is None:
        return warps
    some = lanes_of(mask)
    return int(np.count_nonzero(some)) * (warps // some.size)


def lanes_of(mask: Mask) -> NDArray[np.uint32]:
    """The lanes of each warp as the bits of a number. Shape (blocks or 1, warps or 1, 1)."""
    if mask is None:
        return np.full((1, 1, 1), _ALL_LANES, dtype=np.uint32)
    if mask.shape[2] == 1:
        return np.where(mask, np.uint32(_ALL_LANES), np.uint32(0))
    return np.packbits(mask, axis=2, bitorder="little").view("<u4")


def lanes_mask(lanes: NDArray[np.uint32]) -> Bools:
    """The opposite of `lanes_of`: bool, the last axis 32 long."""
    bits: Bools = (lanes >> np.arange(LANES, dtype=np.uint32) & np.uint32(1)).astype(np.bool_)
    return bits
