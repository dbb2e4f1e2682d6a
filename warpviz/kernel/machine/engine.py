"""One chunk of blocks at work: which threads run which basic block next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.machine.barriers import Barrier, Barriers
from warpviz.kernel.machine.code import Code
from warpviz.kernel.machine.errors import Cancelled, DoesNotEnd
from warpviz.kernel.machine.masks import NO_THREADS, Mask, count, either, warps_in, without
from warpviz.kernel.machine.step import State

_ASKED_EVERY = 64  # block runs: how often somebody is asked whether the result is still wanted


class Engine:
    """Runs the threads of a state from the program's first block to their end.

    Of all blocks for which threads wait, the first in the program's order runs, for all threads that wait there.

    threads_run, warps_run: of each basic block, how many threads and warps have run it.
    """

    def __init__(self, code: Code, state: State, cancelled: Callable[[], bool], step_limit: int) -> None:
        self.state = state
        self.threads_run: NDArray[Any] = np.zeros(len(code.blocks), dtype=np.int64)
        self.warps_run: NDArray[Any] = np.zeros(len(code.blocks), dtype=np.int64)
        self._code = code
        self._cancelled = cancelled
        self._step_limit = step_limit
        self._alive: Mask = state.geometry.present()
        self._pending: dict[int, Mask] = {code.program.entry: self._alive}
        self._barriers = Barriers()
        self._counted: tuple[Mask, int, int] = (NO_THREADS, 0, 0)

    def run(self) -> None:
        """Raises MemoryFault, and Stopped for all else that ends a kernel early."""
        steps = 0
        while self._pending or self._release():
            block = min(self._pending)
            steps += 1
            if steps % _ASKED_EVERY == 0:
                self._check(steps, block)
            self._run_block(block, self._pending.pop(block))

    def send(self, block: int, mask: Mask) -> None:
        """Threads go on in a block."""
        if block in self._pending:
            mask = either(self._pending[block], mask)
            if mask is not None and self._count(mask)[0] == self._count(self._alive)[0]:
                mask = self._alive
        self._pending[block] = mask

    def hold(self, barrier: Barrier, mask: Mask, then: int) -> None:
        """Threads wait at a barrier, then go on in a block."""
        self._barriers.wait(self.state, barrier, mask, then)

    def end(self, mask: Mask) -> None:
        """Threads end."""
        if not self._pending and not self._barriers.waiting:
            self._alive = NO_THREADS
        elif len(self._pending) == 1 and not self._barriers.waiting:
            self._alive = next(iter(self._pending.values()))
        else:
            self._alive = without(self._alive, mask)

    def _release(self) -> bool:
        """Let threads go on that wait at a barrier; whether there are any."""
        for block, mask in self._barriers.release(self.state, self._alive):
            self.send(block, mask)
        return bool(self._pending)

    def _run_block(self, number: int, mask: Mask) -> None:
        block, state = self._code.blocks[number], self.state
        kept = 0
        for other in self._pending:
            kept |= self._code.blocks[other].live
        for waiting in self._barriers.waiting:
            kept |= self._code.blocks[waiting.then].live
        state.kept = kept
        for step in block.steps:
            step(state, mask)
        state.clock += block.size
        threads, warps = self._count(mask)
        self.threads_run[number] += threads
        self.warps_run[number] += warps
        block.direct(self, mask)

    def _count(self, mask: Mask) -> tuple[int, int]:
        """(threads, warps) of a mask."""
        if self._counted[0] is not mask:
            shape = self.state.shape
            self._counted = (mask, count(mask, shape), warps_in(mask, shape))
        return self._counted[1:]

    def _check(self, steps: int, block: int) -> None:
        line = self._code.blocks[block].line
        if self._cancelled():
            raise Cancelled("cancelled", line)
        if steps > self._step_limit:
            raise DoesNotEnd(f"the kernel does not end: it still runs here after {steps:,} steps", line)
