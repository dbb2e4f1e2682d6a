"""What a program's PTX asks of memory, instruction by instruction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from warpviz.hardware import LDMATRIX_ROW_BYTES, Op
from warpviz.kernel.code.addresses import Sum, addresses
from warpviz.kernel.memory.form import Form, form_of
from warpviz.kernel.memory.layout import lay_out
from warpviz.kernel.memory.updating import atomic_op
from warpviz.kernel.program import Program
from warpviz.kernel.program.operands import read
from warpviz.kernel.ptx.syntax import Address, Instruction, Register, Vector

AskedOp = Op | Literal["copy"]


@dataclass(frozen=True)
class Asked:
    """An instruction of a program that touches memory and is told to observers.

    index: of the instruction, in the program's order. block: the number of its basic block. line: of the user's file,
    0 where unknown. ptx_line: its line in the PTX. space: of PTX: "generic" where the address alone tells it. op: as
    Kind has it, besides "copy" for a cp.async. width: bytes a lane. used: which of these a thread takes, as offsets.
    address: None where it is not known what it is made of. is_cas: whether it
    compares and swaps. is_guarded: whether PTX itself has a predicate. is_unread: whether nobody reads the result.
    """

    index: int
    block: int
    line: int
    ptx_line: int
    space: str
    op: AskedOp
    width: int
    used: tuple[int, ...]
    address: Sum | None
    is_cas: bool
    is_guarded: bool
    is_unread: bool

    @property
    def offset(self) -> int:
        """Of its first byte, behind the terms of the address."""
        return self.address.offset if self.address is not None else 0


def asked_of(program: Program) -> list[Asked]:
    """Block by block, in the order in which they stand there."""
    places = lay_out(program.variables, program.parameters, 0).places
    known = addresses(program, places)
    wanted = frozenset(name for instruction in program.instructions for name in read(instruction))
    return [
        asked
        for number, block in enumerate(program.blocks)
        for index in block.instructions
        if (asked := _asked(program, number, index, known.get(index), wanted)) is not None
    ]


def _asked(program: Program, block: int, index: int, address: Sum | None, wanted: frozenset[str]) -> Asked | None:
    instruction = program.instructions[index]
    told = _told(instruction, is_unread=index in program.unread)
    if told is None:
        return None
    space, op, width, size = told
    used = tuple(_used(instruction, width, size, wanted)) if op == "ld" else tuple(range(width))
    return Asked(
        index,
        block,
        instruction.line.number,
        instruction.ptx_line,
        space,
        op,
        width,
        used,
        address,
        "cas" in instruction.modifiers,
        instruction.guard is not None,
        index in program.unread,
    )


def _told(instruction: Instruction, *, is_unread: bool) -> tuple[str, AskedOp, int, int] | None:
    """(space, op, width, size of one element); None for what is no access, or of a parameter."""
    match instruction.opcode:
        case "ld" | "ldu" | "st" | "atom" | "red":
            form = form_of(instruction)
            if form is None or form.space == "param":
                return None
            return form.space, _op(instruction, form, is_unread), form.width, form.type.size
        case "ldmatrix":
            return "shared", "ldmatrix", LDMATRIX_ROW_BYTES, LDMATRIX_ROW_BYTES
        case "stmatrix":
            return "shared", "st", LDMATRIX_ROW_BYTES, LDMATRIX_ROW_BYTES
        case "cp" if any(isinstance(operand, Address) for operand in instruction.operands):
            return "global", "copy", LDMATRIX_ROW_BYTES, LDMATRIX_ROW_BYTES
        case _:
            return None


def _op(instruction: Instruction, form: Form, is_unread: bool) -> AskedOp:
    if not form.operation:
        return "st" if instruction.opcode == "st" else "ld"
    return atomic_op(form, is_wanted=instruction.opcode == "atom" and not is_unread)


def _used(instruction: Instruction, width: int, size: int, wanted: frozenset[str]) -> Iterator[int]:
    """The bytes of a load that land in registers which somebody reads."""
    target = instruction.operands[0]
    elements = target.elements if isinstance(target, Vector) else (target,)
    for place, element in enumerate(elements):
        if isinstance(element, Register) and element.name in wanted:
            yield from range(place * size, min(place * size + size, width))
