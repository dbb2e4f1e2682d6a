"""From the accesses of a program's PTX to those of its machine code."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from warpviz.kernel.code.asked import Asked, asked_of
from warpviz.kernel.code.changes import Change, Dropped, Finding, Fused, Joined, Merged, OneLane, Split
from warpviz.kernel.code.executing import Executing
from warpviz.kernel.code.machine import MachineAccess, MachineCode
from warpviz.kernel.code.matching import Likeness, groups, likeness, pieces, standing_for
from warpviz.kernel.code.telling import Telling, opcodes_of
from warpviz.kernel.program import Program


@dataclass(frozen=True)
class Matched:
    """asked: an access of the PTX. own: the instructions of its PTX line."""

    asked: Asked
    own: tuple[MachineAccess, ...]
    likeness: Likeness


@dataclass
class Followed:
    """matched: all accesses of the PTX. changes: by index. homes: of each access that is predicated in the machine
    code, by index (of a fused one, the first), the basic block of the program whose warps execute it. idle: of loads of
    shared memory that do nothing, how many the warps execute that run a basic block. findings: the differences."""

    matched: list[Matched]
    changes: dict[int, Change] = field(default_factory=dict)
    homes: dict[int, int] = field(default_factory=dict)
    idle: dict[int, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def follow(program: Program, code: MachineCode) -> Followed:
    matched = [_matched(asked, code) for asked in asked_of(program)]
    follower = _Follower(program, code, Followed(matched))
    follower.run()
    return follower.followed


def _matched(asked: Asked, code: MachineCode) -> Matched:
    own = standing_for(asked, code.accesses.get(asked.ptx_line, ()))
    return Matched(asked, own, likeness(asked, own))


class _Follower:
    def __init__(self, program: Program, code: MachineCode, followed: Followed) -> None:
        self.followed = followed
        self._program = program
        self._code = code
        self._executing = Executing(program, code)
        self._telling = Telling()
        self._lonely: list[Asked] = []  # those of wide instructions with nobody to join them

    def run(self) -> None:
        for family in _families(self.followed.matched):
            self._fuse(family)
        for matched in self.followed.matched:
            if matched.likeness != "none":
                self._place(matched)
            elif matched.asked.index not in self.followed.changes:
                self._drop(matched.asked)
        asked_for = {each.place for matched in self.followed.matched for each in matched.own}
        self._telling.unasked(each for each in self._code.every if each.place not in asked_for and not each.is_idle)
        self.followed.findings = self._telling.findings()

    def _fuse(self, family: Sequence[Matched]) -> None:
        """Accesses of one op and memory space whose addresses have the same terms."""
        changes = self.followed.changes
        wide = {each.asked.index: each for each in family if each.likeness == "wider"}
        made = groups(
            [(each.asked, each.own[0].memory.width) for each in wide.values()],
            [each.asked for each in family if each.likeness == "none"],
            self._may_join,
        )
        for group in made:
            (named,) = (wide.pop(member.index) for member in group.members if member.index in wide)
            self._telling.fused(group, named.own[0].opcode)
            changes[group.leader.index] = Fused(group.start - group.leader.offset, group.size, group.width)
            members = (member for member in group.members if member is not group.leader)
            changes.update((member.index, Joined(group.leader.index)) for member in members)
        for lonely in wide.values():
            self._lonely.append(lonely.asked)
            self._telling.not_followed(lonely.asked, f"has one {lonely.own[0].opcode}, which is wider")

    def _may_join(self, named: Asked, other: Asked) -> bool:
        """A load may be made ahead, where it is not yet known whether it is wanted."""
        if named.op == "ld":
            return self._executing.dominates(named.block, other.block)
        return named.block == other.block

    def _drop(self, orphan: Asked) -> None:
        """An access for which no instruction stands."""
        if any(
            (lonely.op, lonely.space) == (orphan.op, orphan.space) and self._may_join(lonely, orphan)
            for lonely in self._lonely
        ):
            self._telling.not_followed(orphan, "has none of its own, and a wider one for something else")
        elif orphan.space in ("local", "const") or (orphan.op == "ld" and orphan.is_unread) or self._is_known(orphan):
            self.followed.changes[orphan.index] = Dropped()
            self._telling.dropped(orphan)
        else:
            self._telling.not_followed(orphan, "has none")

    def _is_known(self, orphan: Asked) -> bool:
        """Whether another access has read or written the bytes of a load, or will overwrite those of a store."""
        return any(
            self._makes_known(other.asked, orphan)
            for other in self.followed.matched
            if other.likeness != "none" and _covers(other.asked, orphan)
        )

    def _makes_known(self, other: Asked, orphan: Asked) -> bool:
        is_same_block = other.block == orphan.block
        if orphan.op != "ld":
            return orphan.op == other.op == "st" and is_same_block and other.index > orphan.index
        if is_same_block:
            return other.op in ("ld", "st")
        return other.op == "ld" and self._executing.dominates(other.block, orphan.block)

    def _place(self, matched: Matched) -> None:
        """What the instructions of an access say about who executes it."""
        asked, own = matched.asked, matched.own
        match matched.likeness:
            case "narrower":
                self._split(asked, own)
            case "one lane":
                self.followed.changes[asked.index] = OneLane()
                self._telling.one_lane(asked, own)
            case "merged":
                self.followed.changes[asked.index] = Merged()
            case "a loop":
                self._telling.loop(asked, own)
            case "other":
                self._telling.not_followed(asked, f"has {opcodes_of(own)}")
        if matched.likeness in ("a loop", "other"):
            return
        idle = [each for each in self._code.accesses[asked.ptx_line] if each.is_idle and each.memory.space == "shared"]
        if idle:
            times, block = len(idle) // len(own), self._executing.home(asked.block)
            self.followed.idle[block] = self.followed.idle.get(block, 0) + times
            self._telling.idle(asked, idle[:times])
        if any(each.is_predicated for each in own):
            home, change = self._executing.home(asked.block), self.followed.changes.get(asked.index)
            self.followed.homes[change.index if isinstance(change, Joined) else asked.index] = home
            if home != asked.block and asked.space == "shared":
                self._telling.predicated(asked, own)
        if doubt := self._executing.doubt(asked, own):
            self._telling.not_followed(asked, f"has {doubt}")

    def _split(self, asked: Asked, own: Sequence[MachineAccess]) -> None:
        parts = pieces(asked, own)
        if parts is None:
            self._telling.not_followed(asked, f"has {opcodes_of(own)}")
        else:
            self.followed.changes[asked.index] = Split(parts)
            self._telling.split(asked, parts, own)


def _covers(one: Asked, other: Asked) -> bool:
    """Whether an access touches all bytes of another."""
    if one.address is None or other.address is None or one.address.terms != other.address.terms:
        return False
    return one.offset <= other.offset and other.offset + other.width <= one.offset + one.width


def _families(all_matched: Iterable[Matched]) -> Iterable[list[Matched]]:
    """Those of one op and memory space whose addresses have the same terms."""
    families: dict[Hashable, list[Matched]] = {}
    for each in all_matched:
        terms = each.asked.address.terms if each.asked.address else each.asked.index
        families.setdefault((each.asked.space, each.asked.op, terms), []).append(each)
    return families.values()
