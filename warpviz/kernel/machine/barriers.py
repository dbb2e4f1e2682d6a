"""Barriers of a thread block: who waits, and when they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.machine.errors import BarrierNotReached
from warpviz.kernel.machine.masks import ALL_THREADS, Bools, Mask, both, either, lanes_of, without
from warpviz.kernel.machine.registers import Registers
from warpviz.kernel.machine.step import Array, Reader, State, Step, Writer
from warpviz.kernel.memory.watching import Arrival, Arrived, Meeting
from warpviz.kernel.program import UnsupportedInstruction
from warpviz.kernel.ptx.syntax import Immediate, Instruction, Operand
from warpviz.wording import counted

_NUMBER = np.dtype(np.uint32)
_PREDICATE = np.dtype(np.bool_)
_WHOLE_BLOCK = Immediate(0)  # where the instruction names no number of threads
_PLAIN = {"cta", "sync", "arrive", "red", "aligned"}
_KEEP_ALL = -1

# (threads in favour, all that have met), each (blocks, warps, 32) -> a value of each block, (blocks, 1, 1)
Decide = Callable[[Bools, Bools], Array]
_DECISIONS: dict[tuple[str, ...], Decide] = {
    ("popc", "u32"): lambda ayes, met: np.count_nonzero(ayes, axis=(1, 2), keepdims=True).astype(np.uint32),
    ("and", "pred"): lambda ayes, met: ~np.any(met & ~ayes, axis=(1, 2), keepdims=True),
    ("or", "pred"): lambda ayes, met: np.any(ayes, axis=(1, 2), keepdims=True),
}


@dataclass(frozen=True)
class Vote:
    """What a bar.red finds out. write is None where nobody wants it."""

    predicate: Reader
    decide: Decide
    write: Writer | None


@dataclass(frozen=True)
class Barrier:
    """A bar.sync or bar.red. number: which of the block's barriers; threads: how many it waits for, 0: all of them."""

    number: Reader
    threads: Reader
    vote: Vote | None
    instruction: Instruction


@dataclass(frozen=True, eq=False)
class Waiting:
    """Threads at a barrier. then: the block in which they go on. ayes: those in favour, of a bar.red."""

    barrier: Barrier
    number: int
    threads: int
    mask: Mask
    then: int
    ayes: Mask

    @property
    def arrival(self) -> Arrival:
        """As it is told to who looks for hazards."""
        instruction = self.barrier.instruction
        return Arrival(instruction.line.number, instruction.ptx_line, self.number, self.threads, self.mask)


def lower_barrier(registers: Registers, instruction: Instruction) -> Barrier:
    """A barrier at which threads wait. Raises UnsupportedInstruction."""
    operands = list(instruction.operands)
    vote = None
    if "red" in instruction.modifiers:
        decide = _DECISIONS.get(instruction.modifiers[-2:])
        if decide is None or len(operands) < 3:
            raise UnsupportedInstruction(instruction)
        predicate = registers.reader(instruction, operands.pop(), _PREDICATE)
        vote = Vote(predicate, decide, registers.writers([operands.pop(0)])[0])
    elif "sync" not in instruction.modifiers:
        raise UnsupportedInstruction(instruction)
    number, threads = _numbers(registers, instruction, operands)
    return Barrier(number, threads, vote, instruction)


def lower_arrive(registers: Registers, instruction: Instruction) -> Step:
    """bar.arrive: the threads count as arrived, and go on."""
    if "arrive" not in instruction.modifiers:
        raise UnsupportedInstruction(instruction)
    number, threads = _numbers(registers, instruction, list(instruction.operands))

    def step(state: State, mask: Mask) -> None:
        for key, part in _by_value(number(state), threads(state), mask):
            here = _threads_of_warps(state, part)
            state.arrived[key] = state.arrived.get(key, 0) + here
            state.happens(Arrived(*key), part)

    return step


class Barriers:
    """The threads of a chunk that wait."""

    def __init__(self) -> None:
        self.waiting: list[Waiting] = []

    def wait(self, state: State, barrier: Barrier, mask: Mask, then: int) -> None:
        """Let some threads wait, and go on in a block."""
        ayes = None if barrier.vote is None else both(barrier.vote.predicate(state), mask)
        for (number, threads), part in _by_value(barrier.number(state), barrier.threads(state), mask):
            self.waiting.append(Waiting(barrier, number, threads, part, then, ayes))

    def release(self, state: State, alive: Mask) -> list[tuple[int, Mask]]:
        """Who goes on where: blocks and their threads. alive: all that have not ended."""
        groups: dict[tuple[int, int], list[Waiting]] = {}
        for each in self.waiting:
            groups.setdefault((each.number, each.threads), []).append(each)
        left: list[Waiting] = []
        free: list[tuple[int, Mask]] = []
        for key, group in groups.items():
            met = reduce(either, (each.mask for each in group[1:]), group[0].mask)
            complete = _complete(state, key, met, alive)
            if complete is not None and not complete.any():
                left += group
                continue
            state.observer.barrier(state.threads, complete)
            if state.watcher is not None:
                state.watcher.meets(Meeting([each.arrival for each in group], complete, alive))
            for each in group:
                part = each.mask if complete is None else both(each.mask, complete)
                if part is None or part.any():
                    _decide(state, group, each, met, part)
                    free.append((each.then, part))
                if complete is not None and (rest := without(each.mask, complete)).any():
                    left.append(replace(each, mask=rest))
        self.waiting = left
        return free

    def refuse(self, state: State, alive: Mask) -> None:
        """Raises BarrierNotReached when threads wait."""
        if self.waiting:
            if state.watcher is not None:
                state.watcher.is_stuck([each.arrival for each in self.waiting], alive)
            raise _not_reached(state, self.waiting[0], alive)


def _numbers(registers: Registers, instruction: Instruction, operands: list[Operand]) -> tuple[Reader, Reader]:
    known = _PLAIN | {part for names in _DECISIONS for part in names}
    if not operands or len(operands) > 2 or not known.issuperset(instruction.modifiers):
        raise UnsupportedInstruction(instruction)
    number, threads = (*operands, _WHOLE_BLOCK)[:2]
    return registers.reader(instruction, number, _NUMBER), registers.reader(instruction, threads, _NUMBER)


def _by_value(number: Array, threads: Array, mask: Mask) -> Iterator[tuple[tuple[int, int], Mask]]:
    """((barrier number, threads it waits for), the threads that name these)."""
    if number.size == threads.size == 1:
        yield (int(number.item()), int(threads.item())), mask
        return
    keys = number.astype(np.int64) << 32 | threads
    keys, active = np.broadcast_arrays(keys, ALL_THREADS if mask is None else mask)
    for key in np.unique(keys[active]).tolist():
        yield (key >> 32, key & 0xFFFF_FFFF), active & (keys == key)


def _complete(state: State, key: tuple[int, int], met: Mask, alive: Mask) -> Bools | None:
    """The blocks of which all have met that the barrier waits for: (blocks or 1, 1, 1). None: all blocks."""
    if key[1]:
        arrived = _threads_of_warps(state, met)
        total = arrived + state.arrived.get(key, 0)
        complete: Bools = (arrived > 0) & (total >= key[1])
        if key in state.arrived:
            state.arrived[key] = np.where(complete, 0, state.arrived[key])
    elif met is alive:
        return None
    else:
        missing = np.any(without(alive, met), axis=(1, 2), keepdims=True)
        complete = np.any(ALL_THREADS if met is None else met, axis=(1, 2), keepdims=True) & ~missing
    return None if complete.all() else complete


def _decide(state: State, group: list[Waiting], each: Waiting, met: Mask, part: Mask) -> None:
    """Write what a bar.red has found out."""
    vote = each.barrier.vote
    if vote is None or vote.write is None:
        return
    shape = state.shape
    ayes = reduce(np.logical_or, [np.broadcast_to(True if one.ayes is None else one.ayes, shape) for one in group])
    result = vote.decide(ayes, np.broadcast_to(True if met is None else met, shape))
    kept, state.kept = state.kept, _KEEP_ALL
    vote.write(state, result, part)
    state.kept = kept


def _threads_of_warps(state: State, mask: Mask) -> NDArray[np.int64]:
    """How many threads the warps have that come to a barrier: it counts whole warps. Shape (blocks, 1, 1)."""
    blocks, warps, _ = state.shape
    some = np.broadcast_to(lanes_of(mask) != 0, (blocks, warps, 1))
    threads: NDArray[np.int64] = np.count_nonzero(some, axis=1, keepdims=True) * LANES
    return threads


def _not_reached(state: State, waiting: Waiting, alive: Mask) -> BarrierNotReached:
    who = state.first_of(waiting.mask)
    row = int(np.broadcast_to(True if waiting.mask is None else waiting.mask, state.shape).any(axis=(1, 2)).argmax())
    here, living = (
        int(np.broadcast_to(True if mask is None else mask, state.shape)[row].sum()) for mask in (waiting.mask, alive)
    )
    wants = f"waits for {waiting.threads:,}" if waiting.threads else f"{living - here:,} others do not reach"
    sentence = f"{counted(here, 'thread')} of a block, the first {who}, wait at this barrier, which {wants}"
    return BarrierNotReached(sentence, waiting.barrier.instruction.line.number)
