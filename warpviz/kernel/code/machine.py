"""The machine code of a user's kernel, by the lines of its PTX: which instructions stand for each, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpviz.gpu.code.compiler import Compiler, running
from warpviz.gpu.code.disassembler import find_disassembler, kept_listing
from warpviz.gpu.code.sass import Instruction, MemoryInstruction, Routine, memory_instruction, read_kernel
from warpviz.gpu.errors import GpuError
from warpviz.gpu.kernels import Source
from warpviz.gpu.measurement import Unavailable
from warpviz.kernel.code.elected import is_elected

_ADDRESS = re.compile(r"\[([^\[\]]*)\]")
_OFFSET = re.compile(r"-?0x[0-9a-f]+")
_TARGET = re.compile(r"`\((\.\w+)\)")
_BRANCHES = ("BRA", "BRX", "JMP", "JMX", "EXIT", "RET")
_FOR_SHUFFLES = ("DIV", "CONV")  # BRA.DIV: to the way that a warp takes which has parted
_NEVER = ("@!PT", "@!UPT")
_PARAMETERS = "c[0x0]"  # the bank of constant memory with a kernel's arguments and its launch


@dataclass(frozen=True)
class MachineAccess:
    """An instruction of the machine code that touches memory.

    place: among the kernel's instructions. block: the number of its basic block. base, offset: its address, registers
    and bytes. is_predicated: whether lanes that execute it may do nothing. is_elected: whether its predicate singles
    out one lane of the warp, which does it for all. is_idle: whether no lane ever does it: ptxas puts such loads before
    asynchronous copies.
    """

    opcode: str
    memory: MemoryInstruction
    place: int
    block: int
    base: str
    offset: int
    is_predicated: bool
    is_elected: bool
    is_idle: bool

    @property
    def merges(self) -> bool:
        """Whether it is an ATOMS.POPC.INC, which adds to each word how many lanes have it."""
        return self.opcode.startswith("ATOMS.") and "POPC" in self.opcode.split(".")


@dataclass(frozen=True)
class Loop:
    """From the target of a branch back to the branch: places of instructions."""

    start: int
    end: int


@dataclass(frozen=True)
class MachineCode:
    """accesses: by the PTX line that they stand for. branches: PTX lines of conditional branches. loops: by the PTX
    line of the branch back. lines: of each basic block, the PTX lines of its instructions. tool: what disassembled it.
    """

    accesses: Mapping[int, Sequence[MachineAccess]]
    branches: frozenset[int]
    loops: Mapping[int, Sequence[Loop]]
    lines: Sequence[frozenset[int]]
    tool: str

    @property
    def every(self) -> Iterator[MachineAccess]:
        """All accesses."""
        return (access for accesses in self.accesses.values() for access in accesses)


def read_code(source: Source, symbol: str, arch: str, compiler: Compiler | None = None) -> MachineCode | Unavailable:
    """The machine code that NVRTC makes of a kernel.

    source: with -lineinfo, as the PTX was compiled from. symbol: the kernel, as PTX names it. compiler: see `running`.
    Unavailable without a disassembler, and when NVRTC does not compile it for the architecture.
    """
    disassembler = find_disassembler()
    if isinstance(disassembler, Unavailable):
        return disassembler
    try:
        with running(compiler) as one:
            cubin = one.cubin(source, arch)
    except GpuError as error:
        return Unavailable(error.sentence)
    listing = kept_listing(disassembler, cubin, with_lines=True)
    if isinstance(listing, Unavailable):
        return listing
    routine = read_kernel(listing, symbol)
    if routine is None:
        return Unavailable(f"{disassembler.tool} lists no machine code of the kernel {symbol}")
    if not any(instruction.ptx_line for instruction in routine.instructions):
        return Unavailable(f"{disassembler.tool} does not tell the lines of PTX: update NVRTC and nvdisasm")
    return machine_code(routine, disassembler.tool)


def machine_code(routine: Routine, tool: str) -> MachineCode:
    """The instructions of a listing, sorted by PTX line."""
    blocks = _block_numbers(routine)
    accesses: dict[int, list[MachineAccess]] = {}
    loops: dict[int, list[Loop]] = {}
    branches: set[int] = set()
    lines: list[set[int]] = [set() for _ in range(blocks[-1] + 1)]
    for place, instruction in enumerate(routine.instructions):
        line = instruction.ptx_line
        lines[blocks[place]].add(line)
        access = _access(routine.instructions, place, blocks[place])
        if access is not None:
            accesses.setdefault(line, []).append(access)
        if _is_branch(instruction):
            if _is_conditional(instruction):
                branches.add(line)
            target = _TARGET.search(instruction.operands)
            start = routine.labels.get(target[1], place) if target else place
            if start < place:
                loops.setdefault(line, []).append(Loop(start, place))
    return MachineCode(accesses, frozenset(branches), loops, [frozenset(each) for each in lines], tool)


def _block_numbers(routine: Routine) -> list[int]:
    """Of each instruction, the number of its basic block."""
    starts = set(_starts(routine))
    numbers, number = [], 0
    for place in range(len(routine.instructions)):
        if place in starts and place:
            number += 1
        numbers.append(number)
    return numbers


def _starts(routine: Routine) -> Iterator[int]:
    """Where basic blocks begin: behind a branch, and where one leads."""
    for place, instruction in enumerate(routine.instructions):
        if _is_branch(instruction):
            yield place + 1
            if (target := _TARGET.search(instruction.operands)) and target[1] in routine.labels:
                yield routine.labels[target[1]]


def _is_branch(instruction: Instruction) -> bool:
    name, *modifiers = instruction.opcode.split(".")
    return name in _BRANCHES and not set(_FOR_SHUFFLES) & set(modifiers)


def _is_conditional(instruction: Instruction) -> bool:
    """BRA also takes a predicate as an operand."""
    return bool(instruction.predicate) or re.search(r"\bU?P\d", instruction.operands) is not None


def _access(instructions: Sequence[Instruction], place: int, block: int) -> MachineAccess | None:
    instruction = instructions[place]
    memory = memory_instruction(instruction.opcode)
    if memory is None or (memory.space == "const" and _PARAMETERS in instruction.operands):
        return None
    addresses = _ADDRESS.findall(instruction.operands)
    parts = addresses[-1].split("+") if addresses else []
    offsets = [part for part in parts if _OFFSET.fullmatch(part)]
    return MachineAccess(
        instruction.opcode,
        memory,
        place,
        block,
        "+".join(part for part in parts if part not in offsets),
        sum(int(offset, 16) for offset in offsets),
        bool(instruction.predicate),
        is_elected(instructions, place),
        instruction.predicate in _NEVER,
    )
