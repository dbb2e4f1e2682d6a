"""Some lanes of a warp as one number, and whole numbers that go with them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def lane_bits(active: Bools) -> int:
    """Bit l is set where lane l is. active: bool, (32,).

    >>> hex(lane_bits(np.arange(32) < 8))
    '0xff'
    """
    return int.from_bytes(np.packbits(active, bitorder="little").tobytes(), "little")


@lru_cache(maxsize=1024)
def lanes_of(bits: int) -> Ints:
    """The numbers of the lanes whose bits are set, ascending. Not to be written to."""
    return np.array([lane for lane in range(LANES) if bits >> lane & 1], dtype=np.int64)
