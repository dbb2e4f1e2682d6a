"""How steps get at registers: by slots, in the dtypes that they compute with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from warpviz.kernel.machine.masks import Mask
from warpviz.kernel.machine.step import Array, Reader, State, Writer
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.program import Program, UnsupportedInstruction
from warpviz.kernel.program.operands import NOBODY
from warpviz.kernel.ptx.syntax import Immediate, Instruction, Negated, Operand, Pair, Register, Symbol, Vector

DType = np.dtype[Any]
_CLOCKS = ("%clock", "%clock64", "%globaltimer")
_BOOL = np.dtype(np.bool_)


def register_dtype(type_name: str) -> DType:
    """How a register of a type is held: f32 and f64 as numbers, pred as bool, all else as unsigned integers.

    >>> register_dtype("f16x2"), register_dtype("s64")
    (dtype('uint32'), dtype('uint64'))
    """
    if type_name == "pred":
        return _BOOL
    if type_name in ("f32", "f64"):
        return np.dtype(f"float{type_name[1:]}")
    bits = {"f16x2": 32, "bf16x2": 32, "bf16": 16}.get(type_name) or int(type_name[1:])
    return np.dtype(f"uint{max(bits, 8)}")


class Registers:
    """The slots of a program's registers. Its functions are asked once for each instruction, before anything runs."""

    def __init__(self, program: Program, memory: Memory) -> None:
        self.slots = {name: slot for slot, name in enumerate(program.registers)}
        self.dtypes = {name: register_dtype(kind) for name, kind in program.registers.items()}
        self.memory = memory

    def reader(self, instruction: Instruction, operand: Operand, dtype: DType) -> Reader:
        """Read a source of an instruction. Raises UnsupportedInstruction for an operand that has no such value."""
        match operand:
            case Register(name=name) if name in _CLOCKS:
                return lambda state: np.full((1, 1, 1), state.tick(), np.uint64).astype(dtype)
            case Register(name=name) if name in self.slots:
                return _converted(self.slots[name], self.dtypes[name], dtype, instruction)
            case Negated(register=Register(name=name)) if self.dtypes.get(name) == _BOOL == dtype:
                slot = self.slots[name]
                return lambda state: ~state.registers[slot]
            case Immediate(value=value) if dtype.itemsize > 1 or dtype == _BOOL or isinstance(value, int):
                constant = _constant(value, dtype)
            case Symbol(name=name) if (place := self.memory.place(name)) is not None:
                constant = _constant(place.address, dtype)
            case _:
                raise UnsupportedInstruction(instruction)
        return lambda state: constant

    def predicate(self, register: Register, *, negated: bool) -> Reader:
        """Read a predicate or its opposite: bool."""
        slot = self.slots[register.name]
        if negated:
            return lambda state: ~state.registers[slot]
        return lambda state: state.registers[slot]

    def writer(self, register: Register) -> Writer:
        """Write a result: in a dtype of the register's size, or in a smaller one, which its own sign extends, or in a
        larger one, of which the register keeps the lowest bits."""
        slot, dtype = self.slots[register.name], self.dtypes[register.name]
        bit = 1 << slot

        def write(state: State, value: Array, mask: Mask) -> None:
            if value.dtype != dtype:
                value = _held_as(value, dtype)
            if mask is not None and state.kept & bit:
                value = np.where(mask, value, state.registers[slot])
            state.registers[slot] = value

        return write

    def writers(self, operands: Sequence[Operand]) -> list[Writer | None]:
        """The writers of results, a vector's or pair's one after the other; None for one that nobody wants."""
        registers = [register for operand in operands for register in flattened(operand)]
        return [
            self.writer(register) if isinstance(register, Register) and register.name != NOBODY else None
            for register in registers
        ]


def flattened(operand: Operand) -> Sequence[Operand | None]:
    """The parts of a vector or pair; of anything else, itself."""
    match operand:
        case Vector(elements=elements):
            return elements
        case Pair(first=first, second=second):
            return first, second
        case _:
            return (operand,)


def _converted(slot: int, held: DType, wanted: DType, instruction: Instruction) -> Reader:
    """Read a register: as it is, as other numbers of the same bits, or its lowest bits."""
    if held == wanted:
        return lambda state: state.registers[slot]
    if _BOOL in (held, wanted) or wanted.itemsize > held.itemsize:
        raise UnsupportedInstruction(instruction)
    if held.itemsize == wanted.itemsize:
        return lambda state: state.registers[slot].view(wanted)
    bits, lowest = np.dtype(f"uint{8 * held.itemsize}"), np.dtype(f"uint{8 * wanted.itemsize}")
    return lambda state: state.registers[slot].view(bits).astype(lowest).view(wanted)


def _constant(value: int | float, dtype: DType) -> Array:
    """A number as its bits say: an integer for a float dtype, and a float for an integer dtype, give their bits."""
    if dtype == _BOOL:
        return np.full((1, 1, 1), value != 0)
    if isinstance(value, float) and dtype.kind != "f":
        return np.full((1, 1, 1), value, dtype=f"float{8 * dtype.itemsize}").view(dtype)
    if isinstance(value, float):
        return np.full((1, 1, 1), value, dtype=dtype)
    bits = value & ((1 << 8 * dtype.itemsize) - 1)
    return np.full((1, 1, 1), bits, dtype=f"uint{8 * dtype.itemsize}").view(dtype)


def _held_as(value: Array, dtype: DType) -> Array:
    """A result as a register holds it. What ptxas would not have, a number for a predicate, is true unless it is 0."""
    if dtype == _BOOL:
        return np.not_equal(value, 0)
    if value.dtype.itemsize != dtype.itemsize:
        sign = "int" if value.dtype.kind == "i" else "uint"
        value = value.view(f"{sign}{8 * value.dtype.itemsize}").astype(f"{sign}{8 * dtype.itemsize}")
    return value.view(dtype)
