"""Basic blocks: the instructions that threads run together once they are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from warpviz.kernel.program.errors import UnsupportedInstruction
from warpviz.kernel.program.flat import Flat
from warpviz.kernel.program.inlining import ends_block
from warpviz.kernel.program.program import Branch, Choose, Ending, Fail, Go, Leave, Meet, following
from warpviz.kernel.ptx.syntax import Instruction, Symbol

Part = tuple[range, Ending]  # the instructions of a block and how it ends


def basic_blocks(flat: Flat) -> list[Part]:
    """The blocks that threads can reach from the first on, which is number 0. Behind the last instruction they end."""
    starts = sorted(_starts(flat))
    number = {start: place for place, start in enumerate(starts)}
    ends = [*starts[1:], len(flat.instructions)]
    parts = [_part(flat, start, end, number) for start, end in zip(starts, ends, strict=True)]
    return _reachable(parts)


def renumbered(ending: Ending, number: dict[int, int]) -> Ending:
    """The same ending with other numbers for blocks. number: old -> new."""
    match ending:
        case Go(target=target):
            return Go(number[target])
        case Branch(guard=guard, taken=taken, otherwise=otherwise):
            return Branch(guard, number[taken], number[otherwise])
        case Choose(targets=targets):
            return replace(ending, targets=tuple(number[target] for target in targets))
        case Meet(instruction=instruction, then=then):
            return Meet(instruction, number[then])
        case _:
            return ending


def _starts(flat: Flat) -> set[int]:
    """Where blocks begin: at the first instruction, behind each end of a block and behind the last instruction, at each
    label that is used."""
    starts = {0, len(flat.instructions)}
    for place, instruction in enumerate(flat.instructions):
        if ends_block(instruction):
            starts.add(place + 1)
            starts.update(flat.labels[label] for label in _targets(flat, instruction))
    return starts


def _targets(flat: Flat, instruction: Instruction) -> Iterable[str]:
    match instruction.opcode, instruction.operands:
        case "bra", (Symbol(name=label),):
            return (label,)
        case "brx", (_, Symbol(name=table)):
            return flat.tables[table]
        case _:
            return ()


def _part(flat: Flat, start: int, end: int, number: dict[int, int]) -> Part:
    if start == end:  # behind the last instruction
        return range(start, end), Leave()
    last = flat.instructions[end - 1]
    if not ends_block(last):
        return range(start, end), Go(number[end])
    targets = tuple(number[flat.labels[label]] for label in _targets(flat, last))
    return range(start, end - 1), _ending(last, targets, number.get(end, -1))


def _ending(last: Instruction, targets: tuple[int, ...], behind: int) -> Ending:
    match last.opcode:
        case "bra" if len(targets) == 1:
            taken = targets[0]
            return Go(taken) if last.guard is None or taken == behind else Branch(last.guard, taken, behind)
        case "brx" if targets:
            return Choose(last, last.operands[0], targets)
        case "bar" | "barrier":
            return Meet(last, behind)
        case "ret" | "exit":
            return Leave()
        case "trap" | "call":
            return Fail(last)
        case _:
            raise UnsupportedInstruction(last)


def _reachable(parts: list[Part]) -> list[Part]:
    found, unfollowed = {0}, [0]
    while unfollowed:
        new = set(following(parts[unfollowed.pop()][1])) - found
        found |= new
        unfollowed += new
    number = {old: place for place, old in enumerate(sorted(found))}
    return [(parts[old][0], renumbered(parts[old][1], number)) for old in sorted(found)]
