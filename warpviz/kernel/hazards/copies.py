"""cp.async: copies that are under way until their thread has waited for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpviz.kernel.hazards.entries import NEVER, Copy, Entry
from warpviz.kernel.memory.checks import Ints, Mask

_NEVER_DONE = np.full((1, 1, 1), NEVER)


class Copies:
    """Of a chunk. Masks are broadcastable to its (blocks, warps, 32)."""

    def __init__(self) -> None:
        self._committed: Ints = np.zeros((1, 1, 1), dtype=np.int64)  # groups of each thread
        self._under_way: list[Copy] = []

    def start(self, mask: Mask) -> Copy:
        """Threads begin to copy."""
        copy = Copy(self._committed + 1, _NEVER_DONE, mask)
        self._under_way.append(copy)
        return copy

    def commit(self, mask: Mask) -> None:
        """Threads put what they have begun into a group."""
        self._committed = self._committed + (1 if mask is None else mask)

    def wait(self, but: int | None, mask: Mask, now: int) -> None:
        """Threads wait for all but their last so many groups; None: for all copies."""
        for copy in self._under_way:
            finished = copy.done == NEVER
            if but is not None:
                finished = finished & (copy.group <= self._committed - but)
            if mask is not None:
                finished = finished & mask
            copy.done = np.where(finished, now, copy.done)
        self._under_way = [copy for copy in self._under_way if _is_under_way(copy)]

    def still_under_way(self, entries: Sequence[Entry]) -> list[Entry]:
        """The entries that have threads whose copy is not done."""
        return [entry for entry in entries if entry.copy is not None and _is_under_way(entry.copy)]


def _is_under_way(copy: Copy) -> bool:
    under_way = copy.done == NEVER
    return bool((under_way if copy.mask is None else under_way & copy.mask).any())
