"""shfl: each lane reads another lane's register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.hardware import LANES
from warpviz.kernel.machine.masks import Mask
from warpviz.kernel.machine.registers import Registers
from warpviz.kernel.machine.step import Array, State, Step
from warpviz.kernel.machine.warps import write_all
from warpviz.kernel.program import UnsupportedInstruction
from warpviz.kernel.ptx.syntax import Instruction

Ints = NDArray[np.int64]

_LANES = np.arange(LANES, dtype=np.int64).reshape(1, 1, LANES)
_BITS = np.dtype(np.uint32)

# (lane, b, first and last lane of its segment) -> (the lane to read, whether it is in range)
_MODES: dict[str, Callable[[Ints, Ints, Ints, Ints], tuple[Ints, Any]]] = {
    "up": lambda lane, b, first, last: (lane - b, lane - b >= last),
    "down": lambda lane, b, first, last: (lane + b, lane + b <= last),
    "bfly": lambda lane, b, first, last: (lane ^ b, (lane ^ b) <= last),
    "idx": lambda lane, b, first, last: (first | b, (first | b) <= last),
}


def lower_shfl(registers: Registers, instruction: Instruction) -> Step:
    """shfl.sync.up, down, bfly, idx: by the rules of the PTX manual. A lane out of range reads itself."""
    *sync, mode, kind = ("", "", *instruction.modifiers)[-max(len(instruction.modifiers), 2) :]
    if sync not in ([], ["sync"]) or mode not in _MODES or kind != "b32":
        raise UnsupportedInstruction(instruction)
    result, *operands = instruction.operands
    value, b, c = (registers.reader(instruction, operand, _BITS) for operand in operands[:3])
    writes = registers.writers([result])

    def step(state: State, mask: Mask) -> None:
        source, in_range = source_lanes(mode, b(state), c(state))
        write_all(writes, state, [_picked(value(state), source), in_range], mask)

    return step


def source_lanes(mode: str, b: Array, c: Array) -> tuple[Ints, NDArray[np.bool_]]:
    """The lane that each lane reads, and whether the one asked for was in range. uint32 in; shapes (…, 32) out."""
    step, clamp = b.astype(np.int64) & 31, c.astype(np.int64)
    segment = clamp >> 8 & 31
    first = _LANES & segment
    last = first | (clamp & 31 & ~segment)
    if mode == "idx":
        step &= ~segment
    lanes, in_range = _MODES[mode](_LANES, step, first, last)
    return np.where(in_range, lanes, _LANES), in_range


def _picked(values: Array, source: Ints) -> Array:
    """Each lane's value from its source lane. source: (…, 32)."""
    if values.shape[2] == 1:
        return values
    if source.size == LANES:
        return np.asarray(values.take(source[0, 0], axis=2))
    shape = np.broadcast_shapes(values.shape, source.shape)
    return np.asarray(np.take_along_axis(np.broadcast_to(values, shape), np.broadcast_to(source, shape), axis=2))
