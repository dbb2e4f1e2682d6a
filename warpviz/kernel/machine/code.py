"""A program with its instructions looked up: what the engine runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from warpviz.kernel.machine.barriers import Barrier, lower_barrier
from warpviz.kernel.machine.errors import trapped
from warpviz.kernel.machine.lowering import lowered
from warpviz.kernel.machine.masks import ALL_THREADS, Mask, without
from warpviz.kernel.machine.registers import Registers
from warpviz.kernel.machine.step import Array, Reader, State, Step
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.watching import Ended
from warpviz.kernel.program.program import Branch, Choose, Ending, Fail, Go, Meet, Program

_INDEX = np.dtype(np.uint32)


class Traffic(Protocol):
    """Where threads go at the end of a basic block. Each mask has a thread."""

    state: State

    def send(self, block: int, mask: Mask) -> None:
        """They go on in a block."""

    def hold(self, barrier: Barrier, mask: Mask, then: int) -> None:
        """They wait, and then go on in a block."""

    def end(self, mask: Mask) -> None:
        """They end."""


Direct = Callable[[Traffic, Mask], None]


@dataclass(frozen=True)
class CodeBlock:
    """steps: in their order. size: instructions, those that do nothing and the one that ends the block as well.
    direct: sends the threads on. live: the slots that are live at its beginning, as bits. line: of the user's file.
    meets: whether threads come to a barrier in it."""

    steps: tuple[Step, ...]
    size: int
    direct: Direct
    live: int
    line: int
    meets: bool


@dataclass(frozen=True)
class Code:
    """blocks: as those of the program. dtypes: of each slot. slots: of each register, by name."""

    program: Program
    blocks: tuple[CodeBlock, ...]
    registers: Registers

    def new_registers(self, special: dict[str, Array]) -> list[Array]:
        """The values with which threads begin: zeros but for the special registers."""
        zeros = {dtype: np.zeros((1, 1, 1), dtype) for dtype in set(self.registers.dtypes.values())}
        return [special.get(name, zeros[dtype]) for name, dtype in self.registers.dtypes.items()]


def lowered_program(program: Program, memory: Memory) -> Code:
    """Look up every instruction that a thread can reach. Raises UnsupportedInstruction."""
    registers = Registers(program, memory)
    return Code(program, tuple(_block(program, number, registers) for number in range(len(program.blocks))), registers)


def _block(program: Program, number: int, registers: Registers) -> CodeBlock:
    block = program.blocks[number]
    steps = [
        lowered(registers, program.instructions[index], index, is_unread=index in program.unread)
        for index in block.instructions
    ]
    has_ending = not isinstance(block.ending, Go)
    last = min(block.instructions.stop, len(program.instructions) - 1)
    return CodeBlock(
        tuple(step for step in steps if step is not None),
        len(block.instructions) + has_ending,
        _direct(registers, block.ending),
        sum(1 << registers.slots[name] for name in block.live),
        program.instructions[last].line.number,
        isinstance(block.ending, Meet)
        or any(program.instructions[index].opcode in ("bar", "barrier") for index in block.instructions),
    )


def _direct(registers: Registers, ending: Ending) -> Direct:
    match ending:
        case Go(target=target):
            return lambda traffic, mask: traffic.send(target, mask)
        case Branch(guard=guard, taken=taken, otherwise=otherwise):
            return _branch(registers.predicate(guard.register, negated=guard.negated), taken, otherwise)
        case Choose(instruction=instruction, index=index, targets=targets):
            return _choice(registers.reader(instruction, index, _INDEX), targets)
        case Meet(instruction=instruction, then=then):
            barrier = lower_barrier(registers, instruction)
            return lambda traffic, mask: traffic.hold(barrier, mask, then)
        case Fail(instruction=instruction):

            def fail(traffic: Traffic, mask: Mask) -> None:
                raise trapped(instruction, str(traffic.state.first_of(mask)))

            return fail
        case _:
            return _leave


def _leave(traffic: Traffic, mask: Mask) -> None:
    traffic.state.happens(Ended(), mask)
    traffic.end(mask)


def _branch(holds_in: Reader, taken: int, otherwise: int) -> Direct:
    def direct(traffic: Traffic, mask: Mask) -> None:
        holds = holds_in(traffic.state)
        if holds.size == 1:
            traffic.send(taken if holds.item() else otherwise, mask)
            return
        yes = holds if mask is None else holds & mask
        if not np.count_nonzero(yes):
            traffic.send(otherwise, mask)
            return
        no = without(mask, holds)
        if not np.count_nonzero(no):
            traffic.send(taken, mask)
            return
        traffic.send(taken, yes)
        traffic.send(otherwise, no)

    return direct


def _choice(index_in: Reader, targets: Sequence[int]) -> Direct:
    """Beyond the last target, what the hardware does is undefined; here it is the last."""
    last = len(targets) - 1

    def direct(traffic: Traffic, mask: Mask) -> None:
        index = np.minimum(index_in(traffic.state), last)
        if index.size == 1:
            traffic.send(targets[index.item()], mask)
            return
        values, active = np.broadcast_arrays(index, ALL_THREADS if mask is None else mask)
        for value in np.unique(values[active]).tolist():
            traffic.send(targets[value], active & (values == value))

    return direct
