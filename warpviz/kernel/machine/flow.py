"""Threads on their way through the basic blocks of a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from warpviz.kernel.machine.barriers import Barrier, Barriers
from warpviz.kernel.machine.code import Code
from warpviz.kernel.machine.errors import Cancelled, DoesNotEnd
from warpviz.kernel.machine.masks import NO_THREADS, Mask, count, either, warps_in, without
from warpviz.kernel.machine.step import State

_ASKED_EVERY = 64  # steps: how often somebody is asked whether the result is still wanted


@dataclass
class Tally:
    """What a chunk has run. threads_run, warps_run: how many threads and warps have run each basic block. steps: basic
    blocks run, of which the limit allows so many. cancelled: whether the result is wanted no more."""

    threads_run: NDArray[Any]
    warps_run: NDArray[Any]
    cancelled: Callable[[], bool]
    step_limit: int
    steps: int = 0

    def check(self, line: int) -> None:
        """Raises Cancelled or DoesNotEnd. line: where the kernel is."""
        self.steps += 1
        if self.steps % _ASKED_EVERY == 0 and self.cancelled():
            raise Cancelled("cancelled", line)
        if self.steps > self.step_limit:
            raise DoesNotEnd(f"the kernel does not end: it is still here after {self.step_limit:,} steps", line)


class Flow:
    """Some threads, and the basic blocks and barriers for which they wait.

    pending: number of the block -> the threads, at least one. barriers: who waits there. alive: those that have not
    ended.
    """

    def __init__(self, code: Code, state: State, tally: Tally, start: dict[int, Mask], alive: Mask) -> None:
        self.code = code
        self.state = state
        self.tally = tally
        self.pending = start
        self.alive = alive
        self.barriers = Barriers()
        self._counted: tuple[Mask, int, int] = (NO_THREADS, 0, 0)

    def send(self, block: int, mask: Mask) -> None:
        """Threads go on in a block."""
        if block in self.pending:
            mask = either(self.pending[block], mask)
            if mask is not None and self.count(mask)[0] == self.count(self.alive)[0]:
                mask = self.alive
        self.pending[block] = mask

    def end(self, mask: Mask) -> None:
        """Threads end."""
        self.alive = without(self.alive, mask)

    def hold(self, barrier: Barrier, mask: Mask, then: int) -> None:
        """Threads wait at a barrier, then go on in a block."""
        self.barriers.wait(self.state, barrier, mask, then)

    def kept(self) -> int:
        """The registers, as bits, that threads need which wait."""
        kept = 0
        for block in self.pending:
            kept |= self.code.blocks[block].live
        for waiting in self.barriers.waiting:
            kept |= self.code.blocks[waiting.then].live
        return kept

    def run_block(self, number: int) -> None:
        """Let the threads run that wait for a block. Raises MemoryFault and Stopped."""
        block, state, mask = self.code.blocks[number], self.state, self.pending.pop(number)
        self.tally.check(block.line)
        state.kept = self.kept()
        for step in block.steps:
            step(state, mask)
        state.clock += block.size
        threads, warps = self.count(mask)
        self.tally.threads_run[number] += threads
        self.tally.warps_run[number] += warps
        block.direct(self, mask)

    def count(self, mask: Mask) -> tuple[int, int]:
        """(threads, warps) of a mask."""
        if self._counted[0] is not mask:
            shape = self.state.shape
            self._counted = (mask, count(mask, shape), warps_in(mask, shape))
        return self._counted[1:]
