"""What runs: the state of some blocks' threads, and the steps that change it.

A register of all threads is one array of three axes that broadcasts to (blocks, warps, 32): as large as its values
differ, so that what is the same for all threads is one number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.machine.geometry import Geometry
from warpviz.kernel.machine.masks import Mask, Shape
from warpviz.kernel.memory.faults import Culprit
from warpviz.kernel.memory.memory import ChunkMemory
from warpviz.kernel.memory.observing import Observer, Threads
from warpviz.kernel.memory.watching import Event, Watcher

Array = NDArray[Any]


@dataclass(slots=True)
class State:
    """The threads of a chunk of blocks, or of some of its warps.

    registers: by their slots. kept: bit n is set when threads that are not running now still need register n. clock:
    goes up with the instructions run. arrived: (barrier, threads it waits for) -> how many threads of each block have
    arrived without waiting, (blocks, 1, 1). watcher: looks for hazards.
    """

    geometry: Geometry
    registers: list[Array]
    memory: ChunkMemory
    observer: Observer
    threads: Threads
    kept: int = 0
    clock: int = 0
    arrived: dict[tuple[int, int], NDArray[np.int64]] = field(default_factory=dict)
    watcher: Watcher | None = None

    @property
    def shape(self) -> Shape:
        """(blocks, warps, 32)."""
        return self.threads.shape

    def happens(self, event: Event, mask: Mask) -> None:
        """Tell who watches of what some threads do."""
        if self.watcher is not None:
            self.watcher.happens(event, mask, self.threads)

    def tick(self) -> int:
        """The clock, which is later each time."""
        self.clock += 1
        return self.clock

    def culprit(self, place: tuple[int, int, int]) -> Culprit:
        """The thread at a place of an array of that shape."""
        row, column, lane = place
        threads = self.threads
        block = threads.first_block + int(threads.block[row, 0, 0])
        warp = int(threads.warp[row if len(threads.warp) > 1 else 0, column, 0])
        return self.geometry.thread(block, warp, lane)

    def first_of(self, mask: Mask) -> Culprit:
        """The first thread of a mask that has one."""
        full = np.broadcast_to(True if mask is None else mask, self.shape)
        row, column, lane = (int(index) for index in np.unravel_index(int(full.argmax()), self.shape))
        return self.culprit((row, column, lane))


# mask: the threads that run, at least one. What is written for other threads may be anything unless `kept` says so.
Step = Callable[[State, Mask], None]
Reader = Callable[[State], Array]  # -> a source's values, in the dtype asked for; of threads that do not run, anything
Writer = Callable[[State, Array, Mask], None]  # values that broadcast to state.shape, and the threads that get them
