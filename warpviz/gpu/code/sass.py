"""SASS, the machine code of NVIDIA's GPUs, as nvdisasm lists it: text to instructions, and what each does to memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from warpviz.hardware import LDMATRIX_ROW_BYTES, MATRICES, WORD_BYTES, Op, Space

MemorySpace = Space | Literal["local", "generic"]
MemoryOp = Op | Literal["cas", "copy", "stmatrix"]


@dataclass(frozen=True)
class Instruction:
    """opcode: with its modifiers, such as LDS.128. operands: as they are written. predicate: such as @!P0; empty for an
    instruction that is always executed. line: of the source, that of the outermost call when it was inlined; 0 where
    the listing has none. ptx_line: of the PTX, that of the instruction it stands for; 0 likewise."""

    opcode: str
    operands: str = ""
    predicate: str = ""
    line: int = 0
    ptx_line: int = 0


@dataclass(frozen=True)
class Routine:
    """A kernel. labels: name -> how many instructions stand before it."""

    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]


@dataclass(frozen=True)
class MemoryInstruction:
    """What an instruction does to memory.

    space: "generic" where the address alone tells it. op: as an Access has it; besides "cas" (compare and swap), "copy"
    (from global to shared memory) and "stmatrix". A shared reduction is an "atom" whose result nobody takes. width:
    bytes a lane; of an ldmatrix or stmatrix the 16 bytes of a row. matrices: of those two.
    """

    space: MemorySpace
    op: MemoryOp
    width: int
    matrices: int | None = None


_MEMORY: dict[str, tuple[MemorySpace, MemoryOp]] = {
    "LDS": ("shared", "ld"),
    "STS": ("shared", "st"),
    "ATOMS": ("shared", "atom"),
    "LDSM": ("shared", "ldmatrix"),
    "STSM": ("shared", "stmatrix"),
    "LDG": ("global", "ld"),
    "STG": ("global", "st"),
    "ATOMG": ("global", "atom"),
    "REDG": ("global", "red"),
    "RED": ("global", "red"),  # before sm_90; a generic one is an ATOM
    "LDGSTS": ("global", "copy"),
    "LDC": ("const", "ld"),
    "ULDC": ("const", "ld"),
    "LDCU": ("const", "ld"),
    "LDL": ("local", "ld"),
    "STL": ("local", "st"),
    "LD": ("generic", "ld"),
    "ST": ("generic", "st"),
    "ATOM": ("generic", "atom"),
}
_BITS = re.compile(r"(?:U|S|F|BF)?(8|16|32|64|128|256)(?:x(\d))?")  # U8, 128, F64; F32x4 has four values


def memory_instruction(opcode: str) -> MemoryInstruction | None:
    """None for an instruction that is no lane's access of memory.

    >>> memory_instruction("LDG.E.128.CONSTANT")
    MemoryInstruction(space='global', op='ld', width=16, matrices=None)
    >>> memory_instruction("FFMA")
    """
    name, *modifiers = opcode.split(".")
    if name not in _MEMORY:
        return None
    space, op = _MEMORY[name]
    if op in ("ldmatrix", "stmatrix"):
        return MemoryInstruction(
            space, op, LDMATRIX_ROW_BYTES, max(n for n in MATRICES if n == 1 or str(n) in modifiers)
        )
    if op == "atom" and not {"CAS", "CAST"}.isdisjoint(modifiers):
        op = "cas"
    sizes = [int(size[1]) * int(size[2] or 1) // 8 for size in map(_BITS.fullmatch, modifiers) if size]
    return MemoryInstruction(space, op, sizes[0] if sizes else WORD_BYTES)


_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]+\*/\s+(?:(@!?\w+)\s+)?([A-Z][\w.]*)([^;]*)")
_PTX_LINE = re.compile(r'\s*//## File "\.nv_debug_ptx_txt", line (\d+)')
_LINE = re.compile(r'\s*//## File "[^"]*", line (\d+)')
_LABEL = re.compile(r"(\.\w+):")
_TARGET = re.compile(r"`\((\.\w+)\)")


def read_kernel(listing: str, kernel: str) -> Routine | None:
    """One kernel of a listing; None when it has no such kernel, or one without an instruction."""
    _, found, after = listing.partition(f"\t.section\t.text.{kernel},")
    if not found:
        return None
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    number = ptx_line = 0
    for line in after.partition("\t.section\t")[0].splitlines():
        if match := _INSTRUCTION.match(line):
            instructions.append(Instruction(match[2], match[3].strip(), match[1] or "", number, ptx_line))
        elif match := _PTX_LINE.match(line):
            ptx_line = int(match[1])
        elif match := _LINE.match(line):  # of several for one instruction the last is that of the outermost call
            number = int(match[1])
        elif match := _LABEL.match(line):
            labels[match[1]] = len(instructions)
    return Routine(tuple(instructions), labels) if instructions else None


def longest_loop(routine: Routine) -> Sequence[Instruction]:
    """From the target of a branch back to the branch; empty for a kernel without a loop.

    The branch to itself with which every kernel ends is none.
    """
    loops = [
        (start, end)
        for end, instruction in enumerate(routine.instructions)
        if instruction.opcode.split(".")[0] == "BRA"
        and (target := _TARGET.search(instruction.operands))
        and (start := routine.labels.get(target[1], end)) < end
    ]
    start, end = max(loops, key=lambda loop: loop[1] - loop[0], default=(0, -1))
    return routine.instructions[start : end + 1]
