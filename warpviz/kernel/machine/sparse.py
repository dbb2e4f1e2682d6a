"""A few warps of a chunk in arrays of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.machine.masks import Bools, Mask, Shape
from warpviz.kernel.machine.step import Array, State
from warpviz.kernel.memory.observing import Threads


@dataclass(frozen=True, eq=False)
class Selection:
    """Some of a chunk's warps. rows, columns: of each, where it stands among (blocks, warps), (n,). shape: of all."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    shape: Shape

    @classmethod
    def of(cls, mask: Mask, state: State) -> Selection:
        """The warps with a thread in a mask."""
        full = np.broadcast_to(True if mask is None else mask, state.shape)
        rows, columns = np.nonzero(full.any(axis=2))
        return cls(rows, columns, state.shape)

    def gathered(self, state: State, live: int) -> State:
        """The state of these warps alone. live: the registers, as bits, that they need; others are zeros."""
        threads = state.threads
        return replace(
            state,
            registers=[
                self._of(register) if live >> slot & 1 else np.zeros((1, 1, 1), register.dtype)
                for slot, register in enumerate(state.registers)
            ],
            threads=Threads(
                threads.block[self.rows], self.columns[:, None, None], threads.first_block, threads.warps_per_block
            ),
        )

    def scatter(self, state: State, before: Sequence[Array], few: State, live: int) -> None:
        """Put back the registers that are live and have changed. before: those of `few` when it was gathered."""
        for slot, (old, new) in enumerate(zip(before, few.registers, strict=True)):
            if live >> slot & 1 and new is not old:
                full = np.array(np.broadcast_to(state.registers[slot], self.shape))
                self._put(full, new)
                state.registers[slot] = full

    def mask(self, mask: Mask) -> Mask:
        """A mask of the chunk as one of these warps."""
        if mask is None:
            return None
        part = self._of(mask)
        return None if part.all() else part

    def full_mask(self, mask: Mask) -> Bools:
        """A mask of these warps as one of the chunk."""
        full = np.zeros(self.shape, dtype=np.bool_)
        self._put(full, np.ones((1, 1, 1), dtype=np.bool_) if mask is None else mask)
        return full

    def _of(self, array: NDArray[Any]) -> NDArray[Any]:
        blocks, warps, _ = array.shape
        if blocks == warps == 1:
            return array
        rows: Any = self.rows if blocks > 1 else 0
        columns: Any = self.columns if warps > 1 else 0
        chosen: NDArray[Any] = array[rows, columns][:, None, :]
        return chosen

    def _put(self, full: NDArray[Any], values: NDArray[Any]) -> None:
        full[self.rows, self.columns] = np.broadcast_to(values, (len(self.rows), 1, LANES))[:, 0]
