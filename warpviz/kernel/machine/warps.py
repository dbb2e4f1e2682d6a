"""What the lanes of a warp do together: votes, matches, reductions over a warp, the one elected, their barrier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.machine.masks import Mask, both, lanes_mask, lanes_of
from warpviz.kernel.machine.registers import Registers, flattened
from warpviz.kernel.machine.step import Array, Reader, State, Step, Writer
from warpviz.kernel.memory.watching import WarpsMet
from warpviz.kernel.program import UnsupportedInstruction
from warpviz.kernel.ptx.syntax import Immediate, Instruction, Operand

Lanes = NDArray[np.uint32]  # the lanes of a warp as the bits of a number; broadcastable to (blocks, warps, 32)

_LANES32 = np.dtype(np.uint32)
_EVERY_LANE = Immediate(0xFFFF_FFFF)
_PREDICATE = np.dtype(np.bool_)


def lower_vote(registers: Registers, instruction: Instruction) -> Step:
    """vote.sync.all, any, uni, ballot; without .sync all lanes are named."""
    *sync, mode, kind = ("", "", *instruction.modifiers)[-max(len(instruction.modifiers), 2) :]
    if sync not in ([], ["sync"]) or (mode, kind) not in _VOTES:
        raise UnsupportedInstruction(instruction)
    decide = _VOTES[mode, kind]
    result, predicate, *named = instruction.operands
    votes = registers.reader(instruction, predicate, _PREDICATE)
    members = _members(registers, instruction, named)
    write = _only(registers, instruction, result)

    def step(state: State, mask: Mask) -> None:
        asked = lanes_of(mask) & members(state)
        in_favour = lanes_of(both(votes(state), mask)) & asked
        write(state, decide(in_favour, asked), mask)

    return step


def lower_activemask(registers: Registers, instruction: Instruction) -> Step:
    """activemask.b32: the lanes that run now."""
    write = _only(registers, instruction, instruction.operands[0])
    return lambda state, mask: write(state, lanes_of(mask), mask)


def lower_match(registers: Registers, instruction: Instruction) -> Step:
    """match.any.sync, match.all.sync: the lanes that hold the same value."""
    mode, sync, kind = (*instruction.modifiers, "", "", "")[:3]
    if mode not in ("any", "all") or sync != "sync" or kind not in ("b32", "b64"):
        raise UnsupportedInstruction(instruction)
    result, source, *named = instruction.operands
    value = registers.reader(instruction, source, np.dtype(f"uint{kind[1:]}"))
    members = _members(registers, instruction, named)
    writes = registers.writers([result])

    def step(state: State, mask: Mask) -> None:
        asked = lanes_of(mask) & members(state)
        alike = _lanes_alike(value(state)) & asked
        if mode == "all":
            agree = alike == asked
            results: list[Array] = [np.where(agree, asked, np.uint32(0)), agree]
        else:
            results = [alike]
        write_all(writes, state, results, mask)

    return step


def lower_elect(registers: Registers, instruction: Instruction) -> Step:
    """elect.sync: the lowest of the lanes named, and whether the thread is it."""
    if instruction.modifiers != ("sync",):
        raise UnsupportedInstruction(instruction)
    result, *named = instruction.operands
    members = _members(registers, instruction, named)
    writes = registers.writers([result])

    def step(state: State, mask: Mask) -> None:
        asked = lanes_of(mask) & members(state)
        lowest = asked & (~asked + np.uint32(1))
        leader = lanes_mask(lowest)
        number = np.log2(np.maximum(lowest, 1)).astype(np.uint32)
        write_all(writes, state, [number, leader], mask)

    return step


def lower_redux(registers: Registers, instruction: Instruction) -> Step:
    """redux.sync: a sum, least, greatest, and, or, xor over the lanes named."""
    sync, operation, kind = (*instruction.modifiers, "", "", "")[:3]
    if sync != "sync" or (operation, kind) not in _REDUCTIONS or len(instruction.modifiers) != 3:
        raise UnsupportedInstruction(instruction)
    reduce, neutral = _REDUCTIONS[operation, kind]
    result, source, *named = instruction.operands
    value = registers.reader(instruction, source, np.dtype("int32" if kind == "s32" else "uint32"))
    members = _members(registers, instruction, named)
    write = _only(registers, instruction, result)

    def step(state: State, mask: Mask) -> None:
        asked = lanes_of(mask) & members(state)
        values = value(state)
        if asked.shape[2] == 1:
            taken = np.where(lanes_mask(asked), values, values.dtype.type(neutral))
            total = reduce.reduce(taken, axis=2, keepdims=True, dtype=values.dtype)
        else:
            taken = np.where(lanes_mask(asked[..., np.newaxis]), values[..., np.newaxis, :], values.dtype.type(neutral))
            total = reduce.reduce(taken, axis=3, dtype=values.dtype)
        write(state, total, mask)

    return step


def lower_warp_barrier(registers: Registers, instruction: Instruction) -> Step:
    """bar.warp.sync: of the lanes named, what they have written is there for the others."""
    named = _members(registers, instruction, list(instruction.operands))
    return lambda state, mask: state.happens(WarpsMet(named(state)), mask)


def write_all(writes: list[Writer | None], state: State, results: Sequence[Array], mask: Mask) -> None:
    """Write each result that somebody wants."""
    for write, result in zip(writes, results, strict=False):
        if write is not None:
            write(state, result, mask)


def _members(registers: Registers, instruction: Instruction, named: list[Operand]) -> Reader:
    """The lanes that an instruction names by its last operand; all where it has none."""
    return registers.reader(instruction, named[-1] if named else _EVERY_LANE, _LANES32)


def _only(registers: Registers, instruction: Instruction, result: Operand) -> Writer:
    """The writer of the one result."""
    if len(flattened(result)) != 1:
        raise UnsupportedInstruction(instruction)
    write = registers.writers([result])[0]
    return write if write is not None else lambda state, value, mask: None


def _lanes_alike(values: Array) -> Lanes:
    """Of each lane, the lanes of its warp with the same value. Shape (blocks, warps, 32 or 1)."""
    if values.shape[2] == 1:
        return lanes_of(None)
    alike = values[..., :, np.newaxis] == values[..., np.newaxis, :]
    return np.packbits(alike, axis=3, bitorder="little").view("<u4")[..., 0]


def _ballot(in_favour: Lanes, asked: Lanes) -> Array:
    return in_favour


_VOTES: dict[tuple[str, str], Callable[[Lanes, Lanes], Array]] = {
    ("all", "pred"): lambda in_favour, asked: in_favour == asked,
    ("any", "pred"): lambda in_favour, asked: in_favour != 0,
    ("uni", "pred"): lambda in_favour, asked: (in_favour == 0) | (in_favour == asked),
    ("ballot", "b32"): _ballot,
}
_ALL_BITS = 0xFFFF_FFFF
_REDUCTIONS: dict[tuple[str, str], tuple[Any, int]] = {
    ("add", "u32"): (np.add, 0),
    ("add", "s32"): (np.add, 0),
    ("min", "u32"): (np.minimum, _ALL_BITS),
    ("min", "s32"): (np.minimum, 0x7FFF_FFFF),
    ("max", "u32"): (np.maximum, 0),
    ("max", "s32"): (np.maximum, -0x8000_0000),
    ("and", "b32"): (np.bitwise_and, _ALL_BITS),
    ("or", "b32"): (np.bitwise_or, 0),
    ("xor", "b32"): (np.bitwise_xor, 0),
}
