"""Which basic block of a program decides who executes an instruction, once ptxas has made branches into predicates."""

from __future__ import annotations

from collections.abc import Collection

from warpviz.kernel.code.dominance import dominators, is_above
from warpviz.kernel.program import Program
from warpviz.kernel.program.graphs import reachable, reversed_edges
from warpviz.kernel.program.program import Branch, Go

_END = -1  # the node behind all blocks at which threads end


class Homes:
    """Of a program, with the PTX lines of the branches that the machine code has kept."""

    def __init__(self, program: Program, kept: Collection[int]) -> None:
        self._program = program
        blocks = program.blocks
        following = {number: list(block.next) or [_END] for number, block in enumerate(blocks)} | {_END: []}
        before = reversed_edges(following, following.__getitem__)
        self._before = before
        self._above = dominators(program.entry, following.__getitem__)
        self._behind = dominators(_END, before.__getitem__)
        self._starts = {block.instructions.start for block in blocks}
        self._parts = [self._is_kept(number, kept) for number in range(len(blocks))]
        self._loops = self._find_loops()

    def home(self, block: int) -> int:
        """The block whose warps run the instructions of this one, if these are predicated."""
        return next(iter(reversed(self.deciding(block))), block)

    def deciding(self, block: int) -> list[int]:
        """The blocks at whose ends it is decided whether threads come to this one, by branches that are predicates in
        the machine code; the nearest first."""
        found: list[int] = []
        while True:
            above = self._above.get(block)
            if above is None or block in self._loops:
                return found
            between = reachable((block,), self._before.__getitem__, without=(above,)) - {block}
            if self._parts[above] or any(self._parts[each] for each in between):
                return found
            if not is_above(block, above, self._behind):  # else threads come here whichever way they take
                found.append(above)
            block = above

    def dominates(self, one: int, other: int) -> bool:
        """Whether every way to the other block leads through the one."""
        return is_above(one, other, self._above)

    def latches(self, block: int) -> list[list[int]]:
        """Of each loop round a block, the blocks that lead back to its first one."""
        return [latches for latches, body in self._loops.values() if block in body]

    def branch_line(self, block: int) -> int:
        """The PTX line of the instruction that ends a block; 0 where the kernel ends."""
        last = self._program.blocks[block].instructions.stop
        return self._program.instructions[last].ptx_line if last < len(self._program.instructions) else 0

    def _is_kept(self, block: int, kept: Collection[int]) -> bool:
        """Whether threads may part at the end of a block in the machine code, too.

        Of `@p bra A; bra.uni B;` ptxas makes one branch to B, which has the second one's line.
        """
        ending = self._program.blocks[block].ending
        if not isinstance(ending, Branch):
            return not isinstance(ending, Go)
        jumps = [each for each in (ending.taken, ending.otherwise) if self._jumps(each)]
        return any(self.branch_line(each) in kept for each in (block, *jumps))

    def _jumps(self, block: int) -> bool:
        """Whether a block ends with a bra without a guard, and does not just lead on to the next one."""
        instructions, ending = self._program.blocks[block].instructions, self._program.blocks[block].ending
        return isinstance(ending, Go) and (not instructions or instructions.stop not in self._starts)

    def _find_loops(self) -> dict[int, tuple[list[int], set[int]]]:
        """The first block of a loop -> the blocks that lead back to it, and all of the loop."""
        loops = {}
        for first in range(len(self._program.blocks)):
            latches = [source for source in self._before[first] if self.dominates(first, source)]
            if latches:
                body = reachable(latches, self._before.__getitem__, without=(first,)) | {first}
                loops[first] = (latches, body)
        return loops
