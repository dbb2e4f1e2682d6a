"""Other places for the elements of an array: byte offsets in, byte offsets out. Both maps are one to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LINE_BYTES

Offsets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Padding:
    """pad_bytes stay free after every every_bytes of the array."""

    every_bytes: int
    pad_bytes: int

    def moved(self, offsets: Offsets) -> Offsets:
        """Where what is at these byte offsets from the array's start goes."""
        return offsets + offsets // self.every_bytes * self.pad_bytes


@dataclass(frozen=True, slots=True)
class Swizzle:
    """Within each aligned block of `chunks` chunks, a chunk's number is xored with a key.

    key: "row", the number of the row, or "index", that of the 128 bytes of the row that the chunk is in; either is
    shifted right by `shift` bits and taken modulo chunks. rows: in each plane of an array of rank 3 or more.
    row_bytes: a multiple of chunks * chunk_bytes; None where the array has one dimension without a count.
    chunks, chunk_bytes: powers of two.
    """

    key: Literal["row", "index"]
    shift: int
    chunks: int
    chunk_bytes: int
    row_bytes: int | None
    rows: int | None

    def moved(self, offsets: Offsets) -> Offsets:
        """Where what is at these byte offsets from the array's start goes."""
        return offsets ^ ((self._keys(offsets) >> self.shift) % self.chunks * self.chunk_bytes)

    def _keys(self, offsets: Offsets) -> Offsets:
        if self.key == "index":
            return (offsets if self.row_bytes is None else offsets % self.row_bytes) // LINE_BYTES
        assert self.row_bytes is not None, "rows have a length"
        row = offsets // self.row_bytes
        return row if self.rows is None else row % self.rows


Arrangement = Padding | Swizzle
