"""A memory instruction as a function of addresses and values, whatever registers hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpviz.hardware import Op
from warpviz.kernel.memory.access import Running, Site
from warpviz.kernel.memory.checks import Ints, Mask
from warpviz.kernel.memory.form import Form
from warpviz.kernel.memory.values import MemoryType, Values, bits_dtype
from warpviz.kernel.ptx.syntax import Address, Instruction, Operand, Register, Vector

NOBODY = "_"

# (running, addresses as int64, source values, mask) -> the bits of each result, unsigned integers of the type's size
Run = Callable[[Running, Sequence[Ints], Sequence[Values], Mask], Sequence[Values]]


@dataclass(frozen=True)
class MemoryOperation:
    """results: the registers that it writes; None for one that nobody wants. type: of what they get, which says how a
    wider register is filled: see `widened`. addresses: those of memory that it takes. sources: the operands that it
    takes besides. takes: the dtype of each, an unsigned integer: the lowest bits of a register or an immediate.

    run: arrays are broadcastable to running.threads.shape. Raises MemoryFault.
    """

    results: tuple[Register | None, ...]
    type: MemoryType
    addresses: tuple[Address, ...]
    sources: tuple[Operand, ...]
    takes: tuple[np.dtype[Any], ...]
    run: Run


def site_of(instruction: Instruction, index: int, form: Form, op: Op) -> Site:
    """The site of an instruction of that form."""
    line, kind = instruction.line.number, form.type
    return Site(index, line, instruction.name, form.space, op, kind.name, kind.size, form.width)


def registers(target: Operand) -> tuple[Register | None, ...]:
    """The registers of a result, which may be a vector."""
    elements = target.elements if isinstance(target, Vector) else (target,)
    return tuple(each if isinstance(each, Register) and each.name != NOBODY else None for each in elements)


def elements(source: Operand) -> tuple[Operand, ...]:
    """The operands of a source, which may be a vector."""
    each = source.elements if isinstance(source, Vector) else (source,)
    return tuple(element for element in each if element is not None)


def taken_as(sources: Sequence[Operand], kind: MemoryType) -> tuple[np.dtype[Any], ...]:
    """The dtype of sources that are all of one type."""
    return (bits_dtype(kind.size),) * len(sources)
