"""Instruction -> Step: each is looked up once, before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from warpviz.kernel.machine.arithmetic import Operation, UnknownFormError, operation_of
from warpviz.kernel.machine.barriers import lower_arrive
from warpviz.kernel.machine.masks import Mask
from warpviz.kernel.machine.matrix_products import lower_mma
from warpviz.kernel.machine.registers import Registers, flattened
from warpviz.kernel.machine.shuffles import lower_shfl
from warpviz.kernel.machine.step import Array, Reader, State, Step, Writer
from warpviz.kernel.machine.warps import (
    lower_activemask,
    lower_elect,
    lower_match,
    lower_redux,
    lower_vote,
    lower_warp_barrier,
    write_all,
)
from warpviz.kernel.memory.operation import MemoryOperation
from warpviz.kernel.memory.operations import does_nothing, event_of, memory_operation
from warpviz.kernel.memory.values import widened
from warpviz.kernel.program import UnsupportedInstruction
from warpviz.kernel.program.operands import CARRY
from warpviz.kernel.ptx.syntax import Address, Immediate, Instruction, Register, Symbol

_PREDICATE = np.dtype(np.bool_)
_NO_EFFECT = frozenset(("nanosleep", "pmevent", "griddepcontrol", "setmaxnreg"))
_ALL_BITS = (1 << 64) - 1
_KEEP_ALL = -1  # every bit set: all registers are kept for threads that do not run

Lower = Callable[[Registers, Instruction], Step]
_BY_OPCODE: Mapping[str, Lower] = {
    "shfl": lower_shfl,
    "mma": lower_mma,
    "vote": lower_vote,
    "activemask": lower_activemask,
    "match": lower_match,
    "elect": lower_elect,
    "redux": lower_redux,
}

_FEWEST_OPERANDS = {"shfl": 4, "vote": 2, "match": 2, "redux": 2, "mma": 4, "atom": 3, "red": 2}


def lowered(registers: Registers, instruction: Instruction, index: int, *, is_unread: bool) -> Step | None:
    """The step of an instruction that ends no block; None for one that does nothing.

    index: of the instruction, for observers. is_unread: whether nobody reads what it writes. Raises
    UnsupportedInstruction.
    """
    step = _unguarded(registers, instruction, index, is_unread)
    if step is None or instruction.guard is None:
        return step
    guard = registers.predicate(instruction.guard.register, negated=instruction.guard.negated)
    return _guarded(step, guard)


def _unguarded(registers: Registers, instruction: Instruction, index: int, is_unread: bool) -> Step | None:
    opcode = instruction.opcode
    if (event := event_of(instruction)) is not None:
        return lambda state, mask: state.happens(event, mask)
    if opcode in _NO_EFFECT or does_nothing(instruction):
        return None
    if opcode in ("bar", "barrier"):
        lower = lower_warp_barrier if "warp" in instruction.modifiers else lower_arrive
        return lower(registers, instruction)
    if len(instruction.operands) < _FEWEST_OPERANDS.get(opcode, 1):
        raise UnsupportedInstruction(instruction)
    if opcode in _BY_OPCODE:
        return _BY_OPCODE[opcode](registers, instruction)
    memory = memory_operation(instruction, index, registers.memory, is_result_dead=is_unread)
    if memory is not None:
        return _memory_step(registers, instruction, memory)
    try:
        operation = operation_of(instruction)
    except UnknownFormError:
        operation = None
    if operation is None:
        raise UnsupportedInstruction(instruction)
    return _arithmetic_step(registers, instruction, operation)


def _guarded(step: Step, guard: Reader) -> Step:
    def run(state: State, mask: Mask) -> None:
        holds = guard(state)
        if holds.size == 1:
            if holds.item():
                step(state, mask)
            return
        active = holds if mask is None else holds & mask
        running = np.count_nonzero(active)
        if running == 0:
            return
        if mask is None and running == active.size:
            step(state, None)
            return
        kept, state.kept = state.kept, _KEEP_ALL
        step(state, active)
        state.kept = kept

    return run


def _arithmetic_step(registers: Registers, instruction: Instruction, operation: Operation) -> Step:
    operands, compute = instruction.operands, operation.compute
    sources = [part for operand in operands[operation.results :] for part in flattened(operand) if part is not None]
    if len(sources) != len(operation.reads):
        raise UnsupportedInstruction(instruction)
    reads = [registers.reader(instruction, *pair) for pair in zip(sources, operation.reads, strict=True)]
    if operation.reads_carry:
        reads.append(registers.reader(instruction, Register(CARRY), _PREDICATE))
    writes = registers.writers(operands[: operation.results])
    if operation.writes_carry:
        writes.append(registers.writer(Register(CARRY)))
    if len(writes) == 1 and writes[0] is not None:
        return _single(compute, reads, writes[0])

    def step(state: State, mask: Mask) -> None:
        results = compute(*[read(state) for read in reads])
        write_all(writes, state, results if isinstance(results, tuple) else [results], mask)

    return step


def _single(compute: Callable[..., Array], reads: Sequence[Reader], write: Writer) -> Step:
    """The step of an instruction with one result."""
    if len(reads) == 1:
        read = reads[0]
        return lambda state, mask: write(state, compute(read(state)), mask)
    if len(reads) == 2:
        first, second = reads
        return lambda state, mask: write(state, compute(first(state), second(state)), mask)
    return lambda state, mask: write(state, compute(*[read(state) for read in reads]), mask)


def _memory_step(registers: Registers, instruction: Instruction, operation: MemoryOperation) -> Step:
    addresses = [_address(registers, instruction, address) for address in operation.addresses]
    pairs = zip(operation.sources, operation.takes, strict=True)
    sources = [registers.reader(instruction, source, dtype) for source, dtype in pairs]
    results = [
        None if register is None else (registers.writer(register), registers.dtypes[register.name])
        for register in operation.results
    ]
    run, kind = operation.run, operation.type
    if any(result is not None and result[1].itemsize < kind.size for result in results):
        raise UnsupportedInstruction(instruction)

    def step(state: State, mask: Mask) -> None:
        found = run(state, [read(state) for read in addresses], [read(state) for read in sources], mask)
        for result, bits in zip(results, found, strict=False):
            if result is not None:
                write, dtype = result
                write(state, widened(bits, kind, dtype), mask)

    return step


def _address(registers: Registers, instruction: Instruction, address: Address) -> Reader:
    """Read an address: int64. A 32-bit register holds one of a space that small, and the sum has as many bits."""
    base, offset = address.base, np.array(address.offset & _ALL_BITS, np.uint64).view(np.int64)[()]
    if not isinstance(base, Register):
        place = registers.memory.place(base.name) if isinstance(base, Symbol) else None
        if isinstance(base, Symbol) and place is None:
            raise UnsupportedInstruction(instruction)
        start = place.address if place is not None else 0
        return registers.reader(instruction, Immediate(start + address.offset), np.dtype(np.int64))
    slot, dtype = registers.slots[base.name], registers.dtypes[base.name]
    if dtype.kind != "u" or dtype.itemsize < 4:
        raise UnsupportedInstruction(instruction)
    if dtype.itemsize == 8:
        if not address.offset:
            return lambda state: state.registers[slot].view(np.int64)
        return lambda state: state.registers[slot].view(np.int64) + offset
    short = np.uint32(address.offset & 0xFFFF_FFFF)
    return lambda state: (state.registers[slot] + short).view(np.int32).astype(np.int64)  # negative: before the first
