"""Loads that the compiler may have made for threads whose source makes none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from warpviz.kernel.program import Program
from warpviz.kernel.program.operands import read, result_count, written
from warpviz.kernel.ptx.syntax import Address, Instruction, Register, Symbol

# What they read is needed at once, whatever becomes of their result.
_NEEDING = frozenset("ld ldu ldmatrix atom setp set shfl vote match redux bar barrier call tex".split())


def hoisted_loads(program: Program) -> frozenset[int]:
    """The indices of loads of shared memory whose results end in a choice between two values (selp), and nowhere else.

    `c ? s[3] : 0` becomes such a load: of an address that it knows to be good, a compiler reads at once and chooses
    later. Which threads need what they read is not known, so nothing is said of them. An address that depends on the
    thread is never read so.
    """
    candidates = [index for index, each in enumerate(program.instructions) if _is_of_known_address(each)]
    if not candidates:
        return frozenset()
    needed = _needed(program.instructions)
    return frozenset(index for index in candidates if needed.isdisjoint(written(program.instructions[index])))


def _is_of_known_address(instruction: Instruction) -> bool:
    match instruction.operands:
        case (_, Address(base=Symbol())) if instruction.opcode == "ld":
            return "shared" in instruction.modifiers and "volatile" not in instruction.modifiers
    return False


def _needed(instructions: Sequence[Instruction]) -> set[str]:
    """The registers whose values do something on a way that leads through no choice."""
    makers: dict[str, list[Instruction]] = {}
    for each in instructions:
        for name in written(each):
            makers.setdefault(name, []).append(each)
    needed: set[str] = set()
    unsettled = [name for each in instructions if _needs_at_once(each) for name in read(each)]
    while unsettled:
        name = unsettled.pop()
        if name not in needed:
            needed.add(name)
            unsettled += _sources(makers.get(name, ()))
    return needed


def _needs_at_once(instruction: Instruction) -> bool:
    return not result_count(instruction) or instruction.opcode in _NEEDING


def _sources(makers: Iterable[Instruction]) -> Iterable[str]:
    """The registers of which a register is made, without those among which it is chosen."""
    for maker in makers:
        if maker.opcode == "selp":
            yield from (each.name for each in maker.operands[3:] if isinstance(each, Register))
        else:
            yield from read(maker)
