"""Which registers an instruction reads and which it writes."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.kernel.ptx.syntax import Address, Instruction, Negated, Operand, Pair, Register, Vector

NOBODY = "_"
CARRY = "%cc"  # the carry flag: a predicate of each thread that no instruction names
_WITHOUT_RESULT = frozenset(
    "st red bra brx ret exit trap brkpt bar.sync barrier.sync bar.arrive barrier.arrive bar.warp membar fence "
    "nanosleep prefetch prefetchu discard applypriority cp stmatrix sust call pmevent griddepcontrol setmaxnreg "
    "wmma.store barrier.cluster".split()
)
_READS_CARRY = frozenset(("addc", "subc", "madc"))


def result_count(instruction: Instruction) -> int:
    """How many operands, from the first on, name what the instruction writes: 0 or 1.

    >>> from warpviz.kernel.ptx.syntax import Line
    >>> result_count(Instruction("bar", ("red", "popc", "u32"), (Register("%r1"),), None, Line(1), 1))
    1
    """
    names = {instruction.opcode, ".".join((instruction.opcode, *_barrier_kind(instruction)))}
    return 0 if not instruction.operands or names & _WITHOUT_RESULT else 1


def written(instruction: Instruction) -> list[str]:
    """The registers that an instruction writes."""
    results = instruction.operands[: result_count(instruction)]
    names = [name for operand in results for name in _registers(operand)]
    return [*names, CARRY] if "cc" in instruction.modifiers else names


def read(instruction: Instruction) -> list[str]:
    """The registers that an instruction reads, its guard's as well."""
    sources = instruction.operands[result_count(instruction) :]
    names = [name for operand in sources for name in _registers(operand)]
    if instruction.guard is not None:
        names.append(instruction.guard.register.name)
    return [*names, CARRY] if instruction.opcode in _READS_CARRY else names


def _barrier_kind(instruction: Instruction) -> tuple[str, ...]:
    """The modifier that says what a barrier or a wmma does: bar.cta.sync is bar.sync."""
    return tuple(modifier for modifier in instruction.modifiers if modifier != "cta")[:1]


def _registers(operand: Operand | None) -> Iterator[str]:
    match operand:
        case Register(name=name):
            if name != NOBODY:
                yield name
        case Negated(register=register):
            yield register.name
        case Address(base=Register(name=name)):
            yield name
        case Vector(elements=elements):
            for element in elements:
                yield from _registers(element)
        case Pair(first=first, second=second):
            yield from _registers(first)
            yield from _registers(second)
