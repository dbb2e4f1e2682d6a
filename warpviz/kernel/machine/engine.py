"""One chunk of blocks at work: which threads run which basic block next."""

from __future__ import annotations

from warpviz.kernel.machine.code import Code
from warpviz.kernel.machine.flow import Flow, Tally
from warpviz.kernel.machine.masks import Mask, both, either, lanes_of, without
from warpviz.kernel.machine.sparse import Selection
from warpviz.kernel.machine.step import State

_SPARSE = 8  # one warp of so many runs: then these few are worth arrays of their own
_PATIENCE = 16  # steps in a row: it takes a while until that pays
_SMALL = 64  # warps: arrays so small are never too large
_TURN = 200  # steps for which warps may keep others waiting


class Engine(Flow):
    """Runs the threads of a chunk from the program's first block to their end.

    Of all blocks for which threads wait, the first in the program's order runs, for all threads that wait there. Once
    none can run, those go on that wait at a barrier.

    Elsewhere no warp has to wait for another: those that keep others from running for long, as in a loop that waits for
    what they write, are put aside until these have run.
    """

    def __init__(self, code: Code, state: State, tally: Tally) -> None:
        present = state.geometry.present()
        super().__init__(code, state, tally, {code.program.entry: present}, present)
        self._aside: dict[int, Mask] = {}
        self._last: tuple[int, Mask, int] = (-1, None, 0)  # the last pending block, its threads, the step they came in
        self._sparse_steps = 0

    def run(self) -> None:
        """Raises MemoryFault, and Stopped for all else that ends a kernel early."""
        while self.pending or self._release() or self._take_back():
            block = min(self.pending)
            if self._keeps_others_waiting(block):
                self._put_aside(self.pending[block])
            elif self._is_sparse(self.pending[block]) and not self.code.blocks[block].meets:
                self._run_apart(block)
            else:
                self.run_block(block)
        self.barriers.refuse(self.state, self.alive)

    def end(self, mask: Mask) -> None:
        """Threads end."""
        if len(self.pending) == 1 and not self.barriers.waiting and not self._aside:
            self.alive = next(iter(self.pending.values()))
        else:
            super().end(mask)

    def kept(self) -> int:
        """The registers, as bits, that threads need which wait."""
        kept = super().kept()
        for block in self._aside:
            kept |= self.code.blocks[block].live
        return kept

    def _release(self) -> bool:
        """Let threads go on that wait at a barrier; whether there are any."""
        for block, mask in self.barriers.release(self.state, self.alive):
            self.send(block, mask)
        return bool(self.pending)

    def _keeps_others_waiting(self, block: int) -> bool:
        """Whether the last block for which threads wait has long been the same, with the same threads."""
        last, steps = max(self.pending), self.tally.steps
        if self._last[0] != last or self._last[1] is not self.pending[last]:
            self._last = (last, self.pending[last], steps)
        return last != block and steps - self._last[2] > _TURN

    def _put_aside(self, mask: Mask) -> None:
        """All threads of the warps of a mask wait until the other warps have run as far as they can."""
        warps = lanes_of(mask) != 0
        for block, there in list(self.pending.items()):
            theirs, others = both(there, warps), without(there, warps)
            if theirs is None or theirs.any():
                self._aside[block] = either(self._aside[block], theirs) if block in self._aside else theirs
            if others.any():
                self.pending[block] = others
            else:
                del self.pending[block]
        self._last = (-1, None, 0)

    def _take_back(self) -> bool:
        """Let threads go on that were put aside; whether there are any."""
        aside, self._aside = self._aside, {}
        for block, mask in aside.items():
            self.send(block, mask)
        return bool(self.pending)

    def _is_sparse(self, mask: Mask) -> bool:
        """Whether few of the warps have been running for a while."""
        blocks, warps, _ = self.state.shape
        if blocks * warps < _SMALL or self.count(mask)[1] * _SPARSE > blocks * warps:
            self._sparse_steps = 0
        else:
            self._sparse_steps += 1
        return self._sparse_steps > _PATIENCE

    def _run_apart(self, first: int) -> None:
        """Run the few warps that wait for a block in arrays of their own, until others have to run, or to a barrier."""
        mask = self.pending.pop(first)
        blocks, outside = self.code.blocks, self.kept()
        until = min(self.pending, default=len(blocks))
        selection = Selection.of(mask, self.state)
        state = selection.gathered(self.state, blocks[first].live | outside)
        before, part = list(state.registers), selection.mask(mask)
        few = _Few(self.code, state, self.tally, {first: part}, part, outside)
        turn_ends = self.tally.steps + _TURN
        while few.pending and (block := min(few.pending)) < until and not blocks[block].meets:
            few.run_block(block)
            if self.tally.steps > turn_ends:
                break
        selection.scatter(self.state, before, state, Flow.kept(few))
        self.state.clock = state.clock
        if few.alive is not part:
            self.alive = without(self.alive, without(mask, selection.full_mask(few.alive)))
        for block, there in few.pending.items():
            self.send(block, selection.full_mask(there))
        self._sparse_steps = 0


class _Few(Flow):
    """Some warps of a chunk on their own. outside: registers, as bits, that threads need which are not among them, or
    wait."""

    def __init__(
        self, code: Code, state: State, tally: Tally, start: dict[int, Mask], alive: Mask, outside: int
    ) -> None:
        super().__init__(code, state, tally, start, alive)
        self._outside = outside

    def kept(self) -> int:
        """The registers, as bits, that threads need which do not run."""
        return super().kept() | self._outside
