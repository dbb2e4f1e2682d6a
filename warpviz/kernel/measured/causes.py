"""Why a GPU may leave other numbers in memory, or count otherwise, than was predicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpviz.kernel.counting import Count
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program
from warpviz.kernel.program.operands import read, written
from warpviz.kernel.ptx.syntax import Instruction
from warpviz.wording import plural

_APPROXIMATE = {"approx", "full"}  # modifiers, as of div.full.f32
_MOST_NAMES = 4
_ROUNDED = {"rn", "rz", "rm", "rp"}  # modifiers


def causes_of_other_numbers(program: Program, counts: Mapping[Kind, Count]) -> tuple[str, ...]:
    """Sentences on what in the kernel need not give the same bits everywhere. counts: of its accesses."""
    return tuple(_causes(program, counts))


def _causes(program: Program, counts: Mapping[Kind, Count]) -> Iterator[str]:
    updates = [kind for kind in counts if kind.op in ("red", "atom")]
    if any(kind.type[:1] == "f" or kind.type[:2] == "bf" for kind in updates):
        yield "floating-point atomics add up in an order that is not fixed, and the last bits depend on it"
    if any(kind.op == "atom" for kind in updates):
        yield "what an atomic gives back, and what an exchange leaves, depends on which thread comes first"
    approximate = sorted({i.opcode for i in program.instructions if _APPROXIMATE & set(i.modifiers)})
    if approximate:
        shown = ", ".join(approximate[:_MOST_NAMES]) + (" …" if len(approximate) > _MOST_NAMES else "")
        yield f"the GPU's approximate functions ({shown}) have last bits of their own"
    contracted = sorted(line for line in _contracted(program) if line)
    if contracted:
        yield f"{_at(contracted)}: a product and a sum may be one multiply-add in the machine code, which rounds once"


def _at(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_MOST_NAMES])) + (" …" if len(lines) > _MOST_NAMES else "")
    return f"{plural(len(lines), 'line')} {shown}"


def _contracted(program: Program) -> set[int]:
    """The lines of sums of a product, of which neither says how it is rounded: ptxas may make one instruction of them
    that rounds once (PTX ISA, "mul" and "add" of floating-point numbers)."""
    products = {name for each in program.instructions if _is_open(each, ("mul",)) for name in written(each)}
    sums = (each for each in program.instructions if _is_open(each, ("add", "sub")) and products & set(read(each)))
    return {each.line.number for each in sums}


def _is_open(instruction: Instruction, opcodes: tuple[str, ...]) -> bool:
    """Whether it is of floating-point numbers, rounded as the compiler likes."""
    *how, kind = instruction.modifiers or ("",)
    return instruction.opcode in opcodes and "f" in kind and _ROUNDED.isdisjoint(how)


def causes_of_other_counts(
    key: str, quantity: str, predicted: Mapping[str, int], measured: Mapping[str, int], generic: int
) -> Iterator[str]:
    """Sentences on what is known of this counter. predicted, measured: all quantities of the key. generic: how many
    instructions of its op were executed with an address that alone tells the memory space."""
    expected, found = predicted.get(quantity, 0), measured[quantity]
    same_cost = all(measured.get(what) == predicted.get(what) for what in ("wavefronts", "sectors"))
    if quantity == "instructions" and same_cost and found > expected:
        yield f"{found - expected:,} were executed with every lane predicated off, and cost no wavefront"
    if quantity == "instructions" and generic and found < expected:
        yield f"{generic:,} were executed as generic instructions, which are counted apart"
    if key in ("local_ld", "local_st") and not same_cost:
        if found > expected:
            yield "registers that did not suffice were spilled to local memory"
        else:
            yield "the compiler keeps in registers what PTX has in local memory"
