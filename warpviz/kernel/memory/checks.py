"""Addresses of many threads at once: what they have in common, and the first that is wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.memory.faults import BadAddress

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Mask = Bools | None  # broadcastable to (blocks, warps, 32); None: every thread


def aligned(size: int, alignment: int) -> int:
    """The size, made larger to a multiple of a power of 2.

    >>> aligned(1, 256), aligned(256, 256), aligned(0, 4)
    (256, 256, 0)
    """
    return -(-size // alignment) * alignment


def are_aligned(addresses: Ints, width: int) -> bool:
    """Whether every address is a multiple of a width, a power of 2."""
    return width == 1 or int(np.bitwise_or.reduce(addresses, axis=None)) & (width - 1) == 0


def in_units(addresses: Ints, start: int, unit: int) -> Ints:
    """The distance of each address from a start, in units of so many bytes, a power of 2."""
    distance: Ints = addresses - start
    distance >>= unit.bit_length() - 1
    return distance


def refuse_bad(addresses: Ints, good: Bools, mask: Mask, where: Callable[[int], str]) -> None:
    """Raise BadAddress for the first active thread whose address is not good. where: address -> where that is."""
    bad = ~good if mask is None else ~good & mask
    if not bad.any():
        return
    row, warp, lane = (int(index) for index in np.unravel_index(int(bad.argmax()), bad.shape))
    address = int(np.broadcast_to(addresses, bad.shape)[row, warp, lane])
    raise BadAddress((row, warp, lane), address, where(address))


def misalignment(offset: int, width: int) -> str:
    """The end of a sentence, if an offset is not a multiple of a width; else nothing.

    >>> misalignment(6, 4), misalignment(8, 4)
    (': 6 is not a multiple of 4', '')
    """
    return f": {offset:,} is not a multiple of {width}" if offset % width else ""
