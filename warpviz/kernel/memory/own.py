"""Memory with addresses of its own, from 0: a block's shared memory, a thread's local memory, bytes that all share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.memory.checks import Bytes, Ints, Mask, aligned, are_aligned, in_units, misalignment, refuse_bad
from warpviz.wording import counted

_ALIGNMENT_BYTES = 16  # of each owner's first byte: what the widest access needs


class OwnMemory:
    """One piece of memory for each owner, zeros at first.

    name: such as "shared memory". size: bytes an owner has. cells: all of them, one owner after the other.
    """

    def __init__(self, name: str, size: int, owners: int = 1) -> None:
        self.name = name
        self.size = size
        self._stride = aligned(max(size, 1), _ALIGNMENT_BYTES)
        self.cells: Bytes = np.zeros(self._stride * (owners if size else 1), dtype=np.uint8)

    def fill(self, contents: bytes) -> None:
        """Set the bytes of the first owner from its first byte on."""
        self.cells[: len(contents)] = np.frombuffer(contents, dtype=np.uint8)

    def locate(self, addresses: Ints, width: int, unit: int, mask: Mask, owner: NDArray[np.int64] | int = 0) -> Ints:
        """The index, in units of so many bytes, of each active thread's first byte among the cells.

        addresses: broadcastable to (blocks, warps, 32); owner: likewise, which piece of memory the thread uses.
        width: bytes that a thread touches; its address must be a multiple of it. An inactive thread gets the index of
        some byte there is. Raises BadAddress.
        """
        if int(addresses.min()) < 0 or int(addresses.max()) > self.size - width or not are_aligned(addresses, width):
            good = (addresses >= 0) & (addresses <= self.size - width) & ((addresses & (width - 1)) == 0)
            refuse_bad(addresses, good, mask, lambda address: self._where(address, width))
            addresses = np.where(good, addresses, 0)
        index = in_units(addresses, 0, unit)
        return index if isinstance(owner, int) else index + owner * (self._stride // unit)

    def _where(self, address: int, width: int) -> str:
        if self.size == 0:
            return f"byte {address:,} of {self.name}, of which the kernel has none"
        return f"byte {address:,} of {self.name}, which has {counted(self.size, 'byte')}" + misalignment(address, width)
