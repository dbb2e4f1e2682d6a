"""Lanes: how a pattern travels to a kernel, as the struct of kernels/lanes.cuh."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.hardware import LANES


class Lanes(ctypes.Structure):
    """The byte offset of each lane, and the mask of the active ones. The offset is 0 where a lane touches nothing."""

    _fields_ = (("offset", ctypes.c_ulonglong * LANES), ("active", ctypes.c_uint))

    @classmethod
    def of(cls, pattern: FrozenAccess, origin: int = 0) -> Lanes:
        """origin: the byte address that becomes offset 0."""
        offsets = [0 if address is None else address - origin for address in pattern.addresses]
        return cls((ctypes.c_ulonglong * LANES)(*offsets), pattern.mask)

    @classmethod
    def everywhere(cls, offsets: Sequence[int]) -> Lanes:
        """Every lane active, at these 32 offsets."""
        return cls((ctypes.c_ulonglong * LANES)(*offsets), (1 << LANES) - 1)
