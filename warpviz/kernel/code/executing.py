"""Which warps execute an access in the machine code, where ptxas has moved it or made its branch into a predicate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from warpviz.kernel.code.asked import Asked
from warpviz.kernel.code.home import Homes
from warpviz.kernel.code.machine import MachineAccess, MachineCode
from warpviz.kernel.program import Program
from warpviz.kernel.program.operands import written
from warpviz.kernel.program.program import Branch

_STAYING = ("st", "atom", "red", "bar", "barrier")  # what ptxas does not move from one basic block to another


class Executing:
    """Of a program and its machine code."""

    def __init__(self, program: Program, code: MachineCode) -> None:
        self._program = program
        self._code = code
        self._homes = Homes(program, code.branches)
        self.home = cache(self._homes.home)
        self.dominates = self._homes.dominates
        self._latches = cache(self._homes.latches)
        self._staying = cache(self._lines_that_stay)

    def doubt(self, asked: Asked, own: Sequence[MachineAccess]) -> str | None:
        """What is seen of an access that others execute than those that ask for it; None where nothing is."""
        opcode, home = own[0].opcode, self.home(asked.block)
        if self._is_hoisted(asked, own):
            return f"{opcode} outside the loop"
        predicated = {each.is_predicated for each in own}
        if len(predicated) > 1:
            return f"{opcode} with a predicate in one place and without in another"
        if predicated == {True} and home == asked.block and not (asked.is_guarded or own[0].is_elected):
            return f"{opcode} for some of the lanes"
        if predicated == {False} and home != asked.block and self._is_beside(asked.block, own):
            return f"{opcode} for more lanes"
        return None

    def _is_beside(self, block: int, own: Sequence[MachineAccess]) -> bool:
        """Whether no branch is left between the instructions and what decides whether they are wanted."""
        there = frozenset[int]().union(*(self._code.lines[each.block] for each in own))
        return any(self._staying(each) & there for each in self._homes.deciding(block))

    def _lines_that_stay(self, number: int) -> frozenset[int]:
        """The PTX lines of a block's stores and barriers, and of the comparison for the branch at its end."""
        block = self._program.blocks[number]
        instructions = self._program.instructions
        guard = block.ending.guard.register.name if isinstance(block.ending, Branch) else None
        return frozenset(
            instructions[index].ptx_line
            for index in block.instructions
            if instructions[index].opcode in _STAYING or guard in written(instructions[index])
        )

    def _is_hoisted(self, asked: Asked, own: Sequence[MachineAccess]) -> bool:
        """Whether all instructions stand before a loop that the machine code has kept."""
        for latches in self._latches(asked.block):
            lines = {self._homes.branch_line(latch) for latch in latches}
            kept = [loop for line in lines for loop in self._code.loops.get(line, ())]
            if kept and not any(loop.start <= each.place <= loop.end for loop in kept for each in own):
                return True
        return False
