"""PTX's memory instructions by opcode."""

from __future__ import annotations

from warpviz.kernel.memory.copying import copy_operation
from warpviz.kernel.memory.matrices import matrix_operation
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.operation import MemoryOperation
from warpviz.kernel.memory.plain import load_operation, store_operation
from warpviz.kernel.memory.updating import atomic_operation
from warpviz.kernel.memory.watching import CopiesAwaited, CopiesCommitted, Event, Fenced
from warpviz.kernel.ptx.syntax import Immediate, Instruction

_WITHOUT_EFFECT = ("prefetch", "prefetchu", "discard", "applypriority")
_WAITS = ("commit_group", "wait_group", "wait_all")
_FENCES = ("membar", "fence")


def memory_operation(
    instruction: Instruction, index: int, memory: Memory, *, is_result_dead: bool = False
) -> MemoryOperation | None:
    """The operation of an instruction; None for one that is not known, or a form of it that is not.

    index: of the instruction, for observers. is_result_dead: whether nobody reads the register that it writes.
    """
    match instruction.opcode:
        case "ld" | "ldu":
            return load_operation(instruction, index, memory)
        case "st":
            return store_operation(instruction, index, memory)
        case "atom" | "red":
            return atomic_operation(instruction, index, is_result_dead)
        case "ldmatrix" | "stmatrix":
            return matrix_operation(instruction, index)
        case "cp":
            return copy_operation(instruction, index)
        case _:
            return None


def event_of(instruction: Instruction) -> Event | None:
    """How an instruction that changes no memory orders accesses; None where it does not."""
    if instruction.opcode in _FENCES:
        return Fenced()
    if instruction.opcode != "cp" or not does_nothing(instruction):
        return None
    match instruction.modifiers[1], instruction.operands:
        case "commit_group", _:
            return CopiesCommitted()
        case "wait_group", (Immediate(value=int() as groups), *_):
            return CopiesAwaited(groups)
        case _:
            return CopiesAwaited(None)


def does_nothing(instruction: Instruction) -> bool:
    """Whether an instruction touches no memory that a kernel can see: caches, and waiting for a cp.async."""
    if instruction.opcode == "cp":
        return instruction.modifiers[:1] == ("async",) and instruction.modifiers[1:2] in [(wait,) for wait in _WAITS]
    return instruction.opcode in _WITHOUT_EFFECT
