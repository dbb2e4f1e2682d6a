"""A module's kernel -> a Program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpviz.kernel.program.errors import CannotRun
from warpviz.kernel.program.flat import Flat
from warpviz.kernel.program.flow import Part, basic_blocks, renumbered
from warpviz.kernel.program.inlining import inlined
from warpviz.kernel.program.liveness import live_registers, unread_results
from warpviz.kernel.program.operands import CARRY, read, written
from warpviz.kernel.program.order import running_order
from warpviz.kernel.program.program import Block, Choose, Ending, Fail, Meet, Program, following
from warpviz.kernel.program.special import not_interpreted, special_type
from warpviz.kernel.ptx.syntax import Address, Instruction, Module, Operand, Symbol, Variable, Vector


def build_program(module: Module, kernel: str) -> Program:
    """The kernel of that name, as PTX has it, made ready to run.

    Raises CannotRun, or UnsupportedInstruction for a special register that is not known; KeyError for a name that is
    no kernel's.
    """
    routine = module.routines[kernel]
    if not routine.is_kernel or not routine.instructions:
        raise KeyError(kernel)
    flat = inlined(module, routine)
    parts = _in_order(basic_blocks(flat))
    live = live_registers(parts, flat.instructions)
    used = [flat.instructions[place] for places, _ in parts for place in places]
    used += [last for _, ending in parts if (last := _last(ending)) is not None]
    blocks = (Block(places, ending, alive) for (places, ending), alive in zip(parts, live, strict=True))
    return Program(
        kernel,
        routine.parameters,
        tuple(_variables(module, flat, used)),
        {**flat.registers, **dict(_undeclared(flat, used))},
        flat.instructions,
        tuple(blocks),
        next(place for place, (places, _) in enumerate(parts) if places.start == 0),
        unread_results(parts, flat.instructions, live),
        flat.notices,
    )


def _in_order(parts: list[Part]) -> list[Part]:
    order = running_order([following(ending) for _, ending in parts], [not places for places, _ in parts])
    number = {old: place for place, old in enumerate(order)}
    return [(parts[old][0], renumbered(parts[old][1], number)) for old in order]


def _last(ending: Ending) -> Instruction | None:
    """The instruction at a block's end, where it has operands besides labels."""
    return ending.instruction if isinstance(ending, Choose | Meet | Fail) else None


def _undeclared(flat: Flat, used: Iterable[Instruction]) -> Iterator[tuple[str, str]]:
    """(register, type) of the special ones and of the carry flag."""
    for instruction in used:
        if instruction.opcode == "call":
            continue
        for name in (*read(instruction), *written(instruction)):
            if name not in flat.registers:
                kind = "pred" if name == CARRY else special_type(name)
                if name in written(instruction) and name != CARRY:
                    raise CannotRun(f"the special register {name} is written to", instruction.line.number)
                if kind is None:
                    raise CannotRun(not_interpreted(name), instruction.line.number)
                yield name, kind


def _variables(module: Module, flat: Flat, used: Iterable[Instruction]) -> Iterator[Variable]:
    """The variables that the kernel names, and those whose addresses are in their first values."""
    known = {**module.variables, **{variable.name: variable for variable in flat.variables}}
    names = list(dict.fromkeys(name for each in used for operand in each.operands for name in _symbols(operand)))
    seen: set[str] = set()
    while names:
        variable = known.get(name := names.pop(0))
        if variable is not None and name not in seen:
            yield variable
            names += [symbol for _, symbol, _ in variable.addresses]
        seen.add(name)


def _symbols(operand: Operand) -> Iterator[str]:
    match operand:
        case Symbol(name=name) | Address(base=Symbol(name=name)):
            yield name
        case Vector(elements=elements):
            yield from (element.name for element in elements if isinstance(element, Symbol))
