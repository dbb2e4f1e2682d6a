"""How finely shared memory has to be looked at."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.hardware import LDMATRIX_ROW_BYTES, WORD_BYTES
from warpviz.kernel.memory.form import form_of
from warpviz.kernel.program import Program
from warpviz.kernel.ptx.syntax import Immediate, Instruction

_PLAIN = ("ld", "ldu", "st", "atom", "red")


def grain_of(program: Program) -> int:
    """The smallest width of the accesses that may be of shared memory, in bytes: 1, 2, 4, 8 or 16. As accesses are
    aligned, two that share a byte share a granule of that size, and others do not."""
    return min((width for each in program.instructions for width in _width(each)), default=WORD_BYTES)


def _width(instruction: Instruction) -> Iterator[int]:
    if instruction.opcode in _PLAIN:
        form = form_of(instruction)
        if form is not None and form.space in ("shared", "generic"):
            yield form.width
    elif instruction.opcode in ("ldmatrix", "stmatrix"):
        yield LDMATRIX_ROW_BYTES
    elif instruction.opcode == "cp" and len(instruction.operands) > 2:
        match instruction.operands[2]:
            case Immediate(value=int() as width):
                yield width
