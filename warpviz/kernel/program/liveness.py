"""Which registers somebody still reads."""

from __future__ import annotations

from collections.abc import Sequence

from warpviz.kernel.program.flow import Part
from warpviz.kernel.program.operands import read, written
from warpviz.kernel.program.program import Branch, Choose, Ending, Meet, following
from warpviz.kernel.ptx.syntax import Instruction, Register


def live_registers(parts: Sequence[Part], instructions: Sequence[Instruction]) -> list[frozenset[str]]:
    """Of each block, the registers that are read, there or later, before they are written."""
    live: list[frozenset[str]] = [frozenset()] * len(parts)
    before = _predecessors(parts)
    unsettled = list(range(len(parts)))
    while unsettled:
        place = unsettled.pop()
        found = frozenset(_before(parts[place], instructions, _behind(parts[place], live)))
        if found != live[place]:
            live[place] = found
            unsettled += before[place]
    return live


def unread_results(
    parts: Sequence[Part], instructions: Sequence[Instruction], live: Sequence[frozenset[str]]
) -> frozenset[int]:
    """The indices of instructions that write registers of which nobody reads one."""
    unread: set[int] = set()
    for part in parts:
        _before(part, instructions, _behind(part, live), unread)
    return frozenset(unread)


def _behind(part: Part, live: Sequence[frozenset[str]]) -> set[str]:
    """The registers that are live once the block has ended."""
    return set().union(*(live[place] for place in following(part[1])))


def _before(
    part: Part, instructions: Sequence[Instruction], live: set[str], unread: set[int] | None = None
) -> set[str]:
    """The registers that are live at a block's beginning. live: those at its end, changed in place."""
    places, ending = part
    live.difference_update(_ending_writes(ending))
    live.update(_ending_reads(ending))
    for place in reversed(places):
        instruction = instructions[place]
        results = written(instruction)
        if unread is not None and results and live.isdisjoint(results):
            unread.add(place)
        if instruction.guard is None:
            live.difference_update(results)
        live.update(read(instruction))
    return live


def _ending_reads(ending: Ending) -> list[str]:
    match ending:
        case Branch(guard=guard):
            return [guard.register.name]
        case Choose(index=Register(name=name)):
            return [name]
        case Meet(instruction=instruction):
            return read(instruction)
        case _:
            return []


def _ending_writes(ending: Ending) -> list[str]:
    return written(ending.instruction) if isinstance(ending, Meet) else []


def _predecessors(parts: Sequence[Part]) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in parts]
    for place, (_, ending) in enumerate(parts):
        for target in following(ending):
            before[target].append(place)
    return before
