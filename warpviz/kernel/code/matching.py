"""Which accesses of PTX the instructions of the machine code stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from warpviz.kernel.code.asked import Asked
from warpviz.kernel.code.machine import MachineAccess

Likeness = Literal["kept", "none", "wider", "narrower", "one lane", "merged", "a loop", "other"]
"""What stands for an access. "none": nothing does. "wider", "narrower": instructions of another width. "one lane": one
that one lane makes for all. "merged": one that adds up the lanes of each word first. "a loop": of loads and
compare-and-swaps. "other": what is not understood."""

_WHOLE = ("copy", "ldmatrix")  # always one instruction of the same shape
_ATOMIC = ("atom", "red")


def standing_for(asked: Asked, candidates: Iterable[MachineAccess]) -> tuple[MachineAccess, ...]:
    """Those of its PTX line that do the same in the same memory space: not the registers that ptxas puts into local
    memory, and not the constants that it reads on the way. An atomic may be a loop of loads and compare-and-swaps."""
    alike = (each for each in candidates if not each.is_idle and _is_same_space(asked, each))
    return tuple(each for each in alike if asked.op in _ATOMIC or _is_same_op(asked, each))


def _is_same_space(asked: Asked, access: MachineAccess) -> bool:
    """The space of either may be known to the address alone."""
    spaces = {asked.space, access.memory.space}
    return len(spaces) == 1 or ("generic" in spaces and "const" not in spaces)


def likeness(asked: Asked, own: Sequence[MachineAccess]) -> Likeness:
    if not own:
        return "none"
    if not all(_is_same_op(asked, each) for each in own):
        return "a loop" if asked.op in _ATOMIC and any(each.memory.op == "cas" for each in own) else "other"
    if len({each.memory.space for each in own}) > 1:
        return "other"
    elected = {each.is_elected for each in own}
    if True in elected:
        return "one lane" if len(elected) == 1 else "other"
    merges = {each.merges for each in own}
    if True in merges:
        return "merged" if len(merges) == 1 else "other"
    widths = {each.memory.width for each in own}
    if widths == {asked.width} or asked.op in _WHOLE:
        return "kept"
    if len(widths) == 1 and min(widths) > asked.width:
        return "wider"
    return "narrower" if max(widths) < asked.width else "other"


def _is_same_op(asked: Asked, access: MachineAccess) -> bool:
    op = access.memory.op
    if asked.op in _ATOMIC:
        return op in _ATOMIC or (op == "cas" and asked.is_cas)
    return op == asked.op or (op == "stmatrix" and asked.op == "st")


@dataclass(frozen=True)
class Group:
    """Accesses of PTX that are one of the machine code.

    leader: the first of those in its basic block. members: all, the leader as well, in their order. width: of the one,
    in bytes.
    """

    leader: Asked
    members: tuple[Asked, ...]
    width: int

    @property
    def start(self) -> int:
        """The first byte that a member touches, as an offset behind the terms of their addresses."""
        return min(member.offset for member in self.members)

    @property
    def size(self) -> int:
        """From there to the last byte, in bytes."""
        return max(member.offset + member.width for member in self.members) - self.start


def groups(
    wide: Sequence[tuple[Asked, int]], orphans: Sequence[Asked], may_join: Callable[[Asked, Asked], bool]
) -> list[Group]:
    """The groups that wide instructions make with accesses that have none of their own.

    wide: (the access that an instruction stands for, its width in bytes). All are of one op and memory space, and their
    addresses have the same terms. may_join: whether one with an instruction may take one without along. Where the
    address of a group begins is not known: that by which the groups hold most, since all begin at multiples of their
    width from one another.
    """
    found: list[Group] = []
    for width in sorted({width for _, width in wide}, reverse=True):
        named = [asked for asked, each in wide if each == width]
        taken = {member.index for group in found for member in group.members}
        free = [orphan for orphan in orphans if orphan.index not in taken]
        best = _best_remainder(named, free, width, may_join)
        for each in named:
            partners = _within(each, free, best, width, may_join)
            members = tuple(sorted([each, *partners], key=lambda member: member.index))
            if partners:
                leader = next(member for member in members if member.block == each.block)
                found.append(Group(leader, members, width))
                free = [orphan for orphan in free if orphan not in partners]
    return found


def _best_remainder(
    named: Sequence[Asked], free: Sequence[Asked], width: int, may_join: Callable[[Asked, Asked], bool]
) -> int:
    """By how many bytes the groups begin behind multiples of their width, if the terms are one; best 0."""
    remainders = sorted({0, *(each.offset % width for each in (*named, *free))})
    return max(remainders, key=lambda by: sum(len(_within(each, free, by, width, may_join)) for each in named))


def _start(asked: Asked, remainder: int, width: int) -> int:
    return asked.offset - (asked.offset - remainder) % width


def _within(
    asked: Asked,
    orphans: Iterable[Asked],
    remainder: int,
    width: int,
    may_join: Callable[[Asked, Asked], bool],
) -> list[Asked]:
    """The orphans in the window of an access; none when that is not in it itself."""
    start = _start(asked, remainder, width)

    def fits(each: Asked) -> bool:
        return start <= each.offset and each.offset + each.width <= start + width

    return [orphan for orphan in orphans if fits(orphan) and may_join(asked, orphan)] if fits(asked) else []


def pieces(asked: Asked, own: Sequence[MachineAccess]) -> tuple[tuple[int, int], ...] | None:
    """(offset, width) of the narrower accesses that an access becomes; None where they do not fit together.

    ptxas reads no more than is used. Copies of an unrolled loop all have the same pieces.
    """
    if not asked.used:
        return None
    found: set[tuple[tuple[int, int], ...]] = set()
    for there in {(each.block, each.base) for each in own}:
        same = sorted((each for each in own if (each.block, each.base) == there), key=lambda each: each.offset)
        while same:
            first, size, taken = same[0], 0, 0
            while taken < len(same) and size < len(asked.used):
                size += same[taken].memory.width
                taken += 1
            found.add(tuple((each.offset - first.offset, each.memory.width) for each in same[:taken]))
            same = same[taken:]
    (pattern,) = found if len(found) == 1 else (None,)
    if pattern is None:
        return None
    start = asked.used[0] // pattern[0][1] * pattern[0][1]
    placed = tuple((start + offset, width) for offset, width in pattern)
    covered = {byte for offset, width in placed for byte in range(offset, offset + width)}
    return placed if covered.issuperset(asked.used) and max(covered) < asked.width else None
