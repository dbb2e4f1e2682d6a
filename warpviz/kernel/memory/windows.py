"""Where the memory spaces lie among the 64-bit generic addresses.

Every space but global has addresses of its own, from 0; a generic address adds the start of the space's window.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GLOBAL_START = 0x7000_0000_0000
WINDOW_BYTES = 1 << 40
WINDOW_STARTS = {
    "shared": 0x1000_0000_0000,
    "local": 0x2000_0000_0000,
    "const": 0x3000_0000_0000,
    "param": 0x4000_0000_0000,
}


def generic_address(space: str, address: int) -> int:
    """The generic address of an address of a space.

    >>> hex(generic_address("shared", 16))
    '0x100000000010'
    """
    return address + WINDOW_STARTS.get(space, 0)


def in_window(space: str, addresses: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which generic addresses lie in a space. Global memory is all that no window holds. Shape as given."""
    if space != "global":
        start = WINDOW_STARTS[space]
        return (addresses >= start) & (addresses < start + WINDOW_BYTES)
    in_none = np.ones(addresses.shape, dtype=np.bool_)
    for other in WINDOW_STARTS:
        in_none &= ~in_window(other, addresses)
    return in_none
