"""Constant memory, as an H200's constant cache counts requests (`idc__requests`)."""

from __future__ import annotations

from warpviz.access import Access
from warpviz.model.rows import Ints, count_distinct

_WIDEST_BYTES = 8  # the instruction set has no wider constant load: 16 bytes are two loads of 8


def loads(width: int) -> int:
    """How many instructions an access of so many bytes a lane takes: 2 for 16 bytes, else 1."""
    return max(1, width // _WIDEST_BYTES)


def requests(access: Access) -> Ints:
    """Requests of each access: one for each distinct byte address of each of its loads. Shape (N,)."""
    return count_distinct(access.addresses, access.active) * loads(access.width)
