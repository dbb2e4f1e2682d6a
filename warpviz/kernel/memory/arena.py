"""Global memory: arrays of bytes at addresses far apart, so that an index out of bounds meets nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from warpviz.kernel.memory.checks import (
    Bools,
    Bytes,
    Ints,
    Mask,
    aligned,
    are_aligned,
    in_units,
    misalignment,
    refuse_bad,
)
from warpviz.kernel.memory.windows import GLOBAL_START
from warpviz.wording import counted

ALIGNMENT_BYTES = 256  # of each array's first byte, as of cudaMalloc
_APART_BYTES = 1 << 34  # farther than a 32-bit index reaches over elements of 4 bytes


@dataclass(frozen=True)
class GlobalArray:
    """An array of global memory. address: of its first byte. size: in bytes. start: its first byte among the cells."""

    name: str
    address: int
    size: int
    start: int

    @property
    def end(self) -> int:
        """The address behind its last byte."""
        return self.address + self.size

    def where(self, address: int, width: int) -> str:
        """Where an address lies that it does not hold, or that is misaligned: the end of a sentence."""
        offset = address - self.address
        if offset < 0:
            return f"{counted(-offset, 'byte')} before {self.name}"
        past = f", {counted(offset - self.size, 'byte')} past its end" if offset > self.size else ""
        return f"byte {offset:,} of {self.name}, which has {counted(self.size, 'byte')}{past}" + misalignment(
            offset, width
        )


class Arena:
    """All arrays of a launch, zeros at first.

    arrays: by name. cells: all their bytes. lock: held while an atomic reads and writes, for threads that run other
    blocks.
    """

    def __init__(self, sizes: Iterable[tuple[str, int]]) -> None:
        """sizes: (name, bytes) of each array; the names differ."""
        self.arrays: dict[str, GlobalArray] = {}
        address, start = GLOBAL_START, 0
        for name, size in sizes:
            self.arrays[name] = GlobalArray(name, address, size, start)
            start = aligned(start + size, ALIGNMENT_BYTES)
            address = aligned(address + size, _APART_BYTES) + _APART_BYTES
        self.cells: Bytes = np.zeros(start + ALIGNMENT_BYTES, dtype=np.uint8)
        self.lock = Lock()
        self._in_order = list(self.arrays.values())
        self._addresses = [array.address for array in self._in_order]
        # With an empty array in front, for what lies before all others.
        table = [GlobalArray("", 0, 0, 0), *self._in_order]
        self._ends = np.array([array.end for array in table], dtype=np.int64)
        self._shifts = np.array([array.address - array.start for array in table], dtype=np.int64)

    def cells_of(self, name: str) -> Bytes:
        """An array's bytes: a view, through which it is filled and read, in any dtype."""
        array = self.arrays[name]
        return self.cells[array.start : array.start + array.size]

    def locate(self, addresses: Ints, width: int, unit: int, mask: Mask) -> Ints:
        """The index, in units of so many bytes, of each active thread's first byte among the cells.

        addresses: broadcastable to (blocks, warps, 32). width: bytes that a thread touches; its address must be a
        multiple of it. An inactive thread gets the index of some byte there is. Raises BadAddress.
        """
        holder = self._nearest_before(int(addresses.min()))
        if holder and int(addresses.max()) + width <= holder.end and are_aligned(addresses, width):
            return in_units(addresses, holder.address - holder.start, unit)
        which = np.searchsorted(self._addresses, addresses, side="right")
        inside: Bools = (which > 0) & (addresses <= self._ends[which] - width)
        good = inside & ((addresses & (width - 1)) == 0)
        refuse_bad(addresses, good, mask, lambda address: self._where(address, width))
        return in_units(np.where(good, addresses - self._shifts[which], 0), 0, unit)

    def _nearest_before(self, address: int) -> GlobalArray | None:
        """The array with the nearest first byte at or before an address."""
        index = bisect_right(self._addresses, address)
        return self._in_order[index - 1] if index else None

    def _where(self, address: int, width: int) -> str:
        near = min(self._in_order, key=lambda array: _distance(array, address), default=None)
        if near is None or _distance(near, address) >= _APART_BYTES // 2:
            return f"address {address & (1 << 64) - 1:#x}, which is in no array"
        return near.where(address, width)


def _distance(array: GlobalArray, address: int) -> int:
    """How far an address is from an array, in bytes; 0 inside."""
    return max(array.address - address, address - array.end, 0)
