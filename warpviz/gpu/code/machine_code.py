"""What the compiler made of an access: the instructions of the kernel that ran, beside those asked for. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from warpviz.gpu.code.sass import Instruction, MemoryInstruction, Routine, longest_loop, memory_instruction, read_kernel
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import COPIES_A_WARP, UNROLLED
from warpviz.gpu.measurement import Code, Unavailable
from warpviz.hardware import WORD_BYTES
from warpviz.model import constant
from warpviz.wording import counted, plural, spelled

FindingKind = Literal["as asked", "folded", "fused", "split", "other", "gone"]

_SINK = MemoryInstruction("global", "st", WORD_BYTES)
_COMPANION = "STS"  # see kernels/companion.cuh
_PARAMETERS = "c[0x0]"  # the bank of constant memory with a kernel's arguments and its launch
_NOUNS = {"ld": "load", "st": "store", "atom": "atomic", "red": "reduction", "ldmatrix": "matrix load"}


@dataclass(frozen=True)
class Resources:
    """What a kernel takes, as the driver tells it. registers: of a thread. shared_bytes: static, of a block.
    local_bytes: of a thread."""

    registers: int
    shared_bytes: int
    local_bytes: int


@dataclass(frozen=True)
class Finding:
    """What became of the accesses that were asked for.

    kind: "as asked"; "folded": fewer, of the right width; "fused": fewer and wider; "split": more and narrower, of the
    same bytes; "other": not what was asked for; "gone": none is left. sentence: it in words, with the numbers.
    """

    kind: FindingKind
    sentence: str


def code_in(listing: str, kernel: str, pattern: FrozenAccess, resources: Resources, tool: str) -> Code | Unavailable:
    """What `kernel`, of kernels/, compiled for the pattern, makes of its access.

    listing: of its cubin, by nvdisasm. tool: what made it. Unavailable when the kernel does not stand in it.
    """
    routine = read_kernel(listing, kernel)
    if routine is None:
        return Unavailable(f"{tool} lists no machine code of the kernel {kernel}")
    asked = COPIES_A_WARP if kernel == "stream" else UNROLLED
    made = Counter(i.opcode for i in _place_of_the_access(routine) if _touches(i, pattern))
    if kernel == "timed" and pattern.space == "shared":
        made -= Counter({_COMPANION: asked})
    return Code(
        kernel,
        tuple(made.items()),
        asked,
        resources.registers,
        resources.shared_bytes,
        resources.local_bytes,
        tool,
    )


def finding(code: Code, pattern: FrozenAccess) -> Finding:
    """code: of a kernel that was compiled for the pattern."""
    kind = _kind(code, pattern)
    local = f"; {code.local_bytes} bytes a thread lie in local memory (spilled registers or local arrays)"
    return Finding(kind, _SAY[kind](code, pattern) + (local if code.local_bytes else ""))


def _place_of_the_access(routine: Routine) -> Sequence[Instruction]:
    """The loop of the kernel; in a kernel without one everything but the store of its sink, the last word stored."""
    loop = longest_loop(routine)
    if loop:
        return loop
    stores = [i for i, made in enumerate(routine.instructions) if memory_instruction(made.opcode) == _SINK]
    sink = max(stores, default=len(routine.instructions))
    return routine.instructions[:sink] + routine.instructions[sink + 1 :]


def _touches(instruction: Instruction, pattern: FrozenAccess) -> bool:
    """Whether the instruction touches the pattern's memory space, or may."""
    memory = memory_instruction(instruction.opcode)
    return memory is not None and memory.space in (pattern.space, "generic") and _PARAMETERS not in instruction.operands


def _kind(code: Code, pattern: FrozenAccess) -> FindingKind:
    if not code.opcodes:
        return "gone"
    made = [memory_instruction(opcode) for opcode, count in code.opcodes for _ in range(count)]
    widths = [memory.width for memory in made if memory is not None and _is_asked_for(memory, pattern)]
    if len(widths) < len(made):
        return "other"
    asked, width = code.asked * _parts(pattern), pattern.width // _parts(pattern)
    if set(widths) == {width} and len(widths) <= asked:
        return "as asked" if len(widths) == asked else "folded"
    if min(widths) >= width and sum(widths) <= asked * width:
        return "fused"
    return "split" if max(widths) <= width and sum(widths) == asked * width else "other"


def _is_asked_for(memory: MemoryInstruction, pattern: FrozenAccess) -> bool:
    """Whether it is the pattern's instruction, but for the width."""
    op = "atom" if (pattern.space, pattern.op) == ("shared", "red") else pattern.op
    return (memory.space, memory.op, memory.matrices) == (pattern.space, op, pattern.matrices)


def _parts(pattern: FrozenAccess) -> int:
    """How many instructions an access takes on every GPU."""
    return constant.loads(pattern.width) if pattern.space == "const" else 1


def _say_as_asked(code: Code, pattern: FrozenAccess) -> str:
    parts, opcodes = _parts(pattern), " or ".join(opcode for opcode, _ in code.opcodes)
    why = f", for no constant load is wider than {pattern.width // parts} bytes" if parts > 1 else ""
    return f"{code.asked} of {_asked(code, pattern)} are there, each {spelled(parts)} {opcodes}{why}"


def _say_folded(code: Code, pattern: FrozenAccess) -> str:
    left, asked = sum(count for _, count in code.opcodes), code.asked * _parts(pattern)
    what = plural(asked, _NOUNS[pattern.op]) if _parts(pattern) == 1 else code.opcodes[0][0]
    others = "is left: the others repeat it" if left == 1 else "are left: the others repeat them"
    return f"{left} of {asked} {what} {others} and were folded"


def _say_fused(code: Code, pattern: FrozenAccess) -> str:
    widths = (memory.width * n for opcode, n in code.opcodes if (memory := memory_instruction(opcode)) is not None)
    fewer_bytes = sum(widths) < code.asked * pattern.width
    return f"{_became(code, pattern)}: fused{' and folded' if fewer_bytes else ''}"


def _say_split(code: Code, pattern: FrozenAccess) -> str:
    return f"{_became(code, pattern)}: split"


def _say_other(code: Code, pattern: FrozenAccess) -> str:
    return f"{_became(code, pattern)}: not what was asked for"


def _say_gone(code: Code, pattern: FrozenAccess) -> str:
    return f"none of {_asked(code, pattern)} is left: not needed, or done once before the loop"


def _asked(code: Code, pattern: FrozenAccess) -> str:
    return counted(code.asked, _NOUNS[pattern.op])


def _became(code: Code, pattern: FrozenAccess) -> str:
    made = " and ".join(f"{'one' if count == 1 else count} {opcode}" for opcode, count in code.opcodes)
    return f"{_asked(code, pattern)} became {made}"


_SAY: dict[FindingKind, Callable[[Code, FrozenAccess], str]] = {
    "as asked": _say_as_asked,
    "folded": _say_folded,
    "fused": _say_fused,
    "split": _say_split,
    "other": _say_other,
    "gone": _say_gone,
}
