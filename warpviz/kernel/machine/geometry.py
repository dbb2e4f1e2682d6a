"""Where a chunk's threads stand in their block and in the grid, and the special registers that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.machine.masks import Bools, Mask
from warpviz.kernel.memory.faults import Culprit

Index = tuple[int, int, int]  # (x, y, z)


@dataclass(frozen=True)
class Geometry:
    """A launch. grid: blocks; block: threads; each (x, y, z). dynamic_shared_bytes: of a block."""

    grid: Index
    block: Index
    dynamic_shared_bytes: int = 0

    @property
    def blocks(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def threads(self) -> int:
        """Of one block."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def warps(self) -> int:
        """Of one block: the last one may have threads that are not there."""
        return -(-self.threads // LANES)

    def present(self) -> Mask:
        """The threads that there are. Shape (1, warps, 32), or None: all."""
        if self.threads % LANES == 0:
            return None
        mask: Bools = (np.arange(self.warps * LANES) < self.threads).reshape(1, self.warps, LANES)
        return mask

    def thread(self, block: int, warp: int, lane: int) -> Culprit:
        """block: its place in the grid; warp: its place in the block."""
        return Culprit(unravelled(block, self.grid), unravelled(warp * LANES + lane, self.block))


def unravelled(place: int, size: Index) -> Index:
    """The (x, y, z) of a place, x fastest.

    >>> unravelled(7, (2, 3, 4))
    (1, 0, 1)
    """
    return place % size[0], place // size[0] % size[1], place // (size[0] * size[1])


def special_values(geometry: Geometry, blocks: NDArray[np.int64], shared_bytes: int) -> dict[str, NDArray[Any]]:
    """The special registers that stay as they are while some blocks run.

    blocks: their places in the grid, (n,). shared_bytes: all of a block's. Each array has three axes and is as small as
    broadcasting to (blocks, warps, 32) allows.
    """
    threads = np.arange(geometry.warps * LANES).reshape(1, geometry.warps, LANES)
    lanes = np.arange(LANES, dtype=np.uint64).reshape(1, 1, LANES)
    bit, all_bits = np.uint64(1) << lanes, np.uint64(0xFFFF_FFFF)
    below = bit - np.uint64(1)
    values: dict[str, Any] = {
        "%laneid": lanes,
        "%warpid": np.arange(geometry.warps).reshape(1, geometry.warps, 1),
        "%nwarpid": 64,
        "%smid": 0,
        "%nsmid": 1,
        "%gridid": 1,
        "%dynamic_smem_size": geometry.dynamic_shared_bytes,
        "%total_smem_size": shared_bytes,
        "%lanemask_eq": bit,
        "%lanemask_lt": below,
        "%lanemask_le": below | bit,
        "%lanemask_gt": all_bits ^ (below | bit),
        "%lanemask_ge": all_bits ^ below,
    }
    for name, size, places in (("tid", geometry.block, threads), ("ctaid", geometry.grid, blocks.reshape(-1, 1, 1))):
        values.update(_indices(name, size, places))
    return {name: _register(name, value) for name, value in values.items()}


def _indices(name: str, size: Index, places: NDArray[np.int64]) -> dict[str, Any]:
    x, y, z = size
    return {
        f"%{name}.x": places % x,
        f"%{name}.y": places // x % y,
        f"%{name}.z": places // (x * y) % z,
        f"%n{name}.x": x,
        f"%n{name}.y": y,
        f"%n{name}.z": z,
    }


def _register(name: str, value: Any) -> NDArray[Any]:
    array = np.asarray(value).astype(np.uint64 if name == "%gridid" else np.uint32)
    return _smallest(array.reshape(array.shape if array.ndim == 3 else (1, 1, 1)))


def _smallest(array: NDArray[Any]) -> NDArray[Any]:
    """The array without repetition along its axes."""
    for axis in range(array.ndim):
        first = array.take([0], axis=axis)
        if (array == first).all():
            array = first
    return array
