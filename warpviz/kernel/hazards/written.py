"""Which bytes of shared memory a thread of the block has written."""

from __future__ import annotations

import numpy as np

from warpviz.kernel.hazards.entries import Entry, Spread, spread
from warpviz.kernel.memory.checks import Bools


class Written:
    """Of a chunk's blocks, by granule. Blocks that have written the same are one row."""

    def __init__(self, blocks: int, granules: int) -> None:
        self._blocks = blocks
        self._cells: Bools = np.zeros((1, granules), dtype=np.bool_)
        self._everywhere: Bools = self._cells[0]  # in every block
        self._is_complete = False

    def unwritten(self, entry: Entry) -> tuple[Spread, int] | None:
        """The threads of a read that find what nobody has written, there the first granule, and how many blocks each
        row stands for; None where all is well."""
        if self._is_complete or self._is_written_everywhere(entry):
            return None
        as_one = entry.is_uniform and len(self._cells) == 1
        found = spread(entry, as_one)
        row = found.row[:, np.newaxis] if len(self._cells) > 1 else 0
        missing = ~self._cells[row, found.granules]
        threads = missing.any(axis=1)
        if not threads.any():
            return None
        first = found.granules[threads, missing[threads].argmax(axis=1)]
        return Spread(found.row[threads], found.thread[threads], first[:, np.newaxis]), self._blocks if as_one else 1

    def write(self, entry: Entry) -> None:
        """Its bytes hold something from now on."""
        if self._is_complete or self._is_written_everywhere(entry):
            return
        if entry.is_uniform:
            self._cells[:, spread(entry, as_one_block=True).granules] = True
        else:
            if len(self._cells) < self._blocks:
                self._cells = np.repeat(self._cells, self._blocks, axis=0)
            found = spread(entry, as_one_block=False)
            self._cells[found.row[:, np.newaxis], found.granules] = True
        self._everywhere = np.logical_and.reduce(self._cells, axis=0)
        self._is_complete = bool(self._everywhere.all())

    def _is_written_everywhere(self, entry: Entry) -> bool:
        for place in range(entry.span):
            written = self._everywhere.take(entry.granules + place, mode="clip")
            if not written.all() and (entry.mask is None or (entry.mask & ~written).any()):
                return False
        return True
