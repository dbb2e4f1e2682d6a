"""What the user asks about one access: texts and numbers, checked where CUDA has limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from warpviz.hardware import LANES, Op, Space

Dim3 = tuple[int, int, int]

# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MAX_BLOCK: Dim3 = (1024, 1024, 64)
MAX_BLOCK_THREADS = 1024
MAX_GRID: Dim3 = (2**31 - 1, 65535, 65535)


@dataclass(frozen=True)
class Launch:
    """Which warp of which block looks at the memory.

    block, grid: threads and blocks along x, y, z. grid None: just large enough for block_index.
    warp: which 32 threads of the block, by linear thread id, x fastest.
    Raises ValueError, with a sentence, for what CUDA cannot launch and for a warp or block that is not there.
    """

    block: Dim3 = (32, 1, 1)
    block_index: Dim3 = (0, 0, 0)
    grid: Dim3 | None = None
    warp: int = 0

    def __post_init__(self) -> None:
        _check_extent("block", self.block, MAX_BLOCK)
        if prod(self.block) > MAX_BLOCK_THREADS:
            raise ValueError(
                f"a block of {_dims(self.block)} has {prod(self.block)} threads; {MAX_BLOCK_THREADS} are the most"
            )
        _check_extent("grid", self.grid_extent, MAX_GRID)
        if any(not 0 <= index < extent for index, extent in zip(self.block_index, self.grid_extent, strict=True)):
            raise ValueError(f"block index {_dims(self.block_index)} is outside a grid of {_dims(self.grid_extent)}")
        warps = -(-prod(self.block) // LANES)
        if not 0 <= self.warp < warps:
            raise ValueError(f"warp {self.warp} is outside a block of {_dims(self.block)}, which has {warps} (from 0)")

    @property
    def grid_extent(self) -> Dim3:
        """Blocks of the grid along x, y, z."""
        if self.grid is not None:
            return self.grid
        x, y, z = self.block_index
        return (max(x, 0) + 1, max(y, 0) + 1, max(z, 0) + 1)


@dataclass(frozen=True)
class Pattern:
    """Everything the user asks about one access.

    expression: one C lvalue. declarations: C declarations and #define lines. where: a C condition; lanes in which
    it is false are inactive; empty means every lane. space: of arrays that are not declared (None: shared).
    matrices: for op ldmatrix alone; None means 4 there.
    """

    expression: str
    declarations: str = ""
    where: str = ""
    op: Op = "ld"
    space: Space | None = None
    matrices: int | None = None
    launch: Launch = field(default_factory=Launch)


def _check_extent(what: str, extent: Dim3, most: Dim3) -> None:
    for axis, count, limit in zip("xyz", extent, most, strict=True):
        if count < 1:
            raise ValueError(f"{what} {_dims(extent)} has {count} along {axis}; 1 is the least")
        if count > limit:
            raise ValueError(f"{what} {_dims(extent)} has {count} along {axis}; {limit} is the most")


def _dims(extent: Dim3) -> str:
    return "x".join(map(str, extent))
