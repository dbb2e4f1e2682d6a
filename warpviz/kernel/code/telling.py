"""The differences between PTX and machine code in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from warpviz.kernel.code.asked import Asked, AskedOp
from warpviz.kernel.code.changes import Finding, FindingKind
from warpviz.kernel.code.machine import MachineAccess
from warpviz.kernel.code.matching import Group
from warpviz.wording import counted, plural, spelled

_NOUNS: Mapping[AskedOp, str] = {
    "ld": "load",
    "st": "store",
    "atom": "atomic",
    "red": "reduction",
    "ldmatrix": "matrix load",
    "copy": "copy",
}


class Telling:
    """Collects what is found, and tells once what is found again and again on a line."""

    def __init__(self) -> None:
        self._found: Counter[tuple[FindingKind, tuple[int, ...], str]] = Counter()

    def findings(self) -> tuple[Finding, ...]:
        """The first line first."""
        told = [
            Finding(kind, lines, _where(lines) + text + (f" ({counted(times, 'time')})" if times > 1 else ""))
            for (kind, lines, text), times in self._found.items()
        ]
        return tuple(sorted(told, key=lambda finding: finding.lines))

    def fused(self, group: Group, opcode: str) -> None:
        widths = {member.width for member in group.members}
        noun = _noun(group.leader)
        each = f" of {counted(min(widths), 'byte')}" if len(widths) == 1 else ""
        text = f"{spelled(len(group.members))} {plural(2, noun)}{each} are one {opcode} in the machine code"
        self._add("fused", group.members, text)

    def split(self, asked: Asked, parts: Sequence[tuple[int, int]], own: Sequence[MachineAccess]) -> None:
        opcodes = " and ".join(each.opcode for each in sorted(own[: len(parts)], key=lambda each: each.offset))
        unused = asked.width - len(asked.used)
        why = f": {counted(unused, 'byte')} of it are not used" if unused else ""
        size = counted(asked.width, "byte")
        self._add("split", [asked], f"the {_noun(asked)} of {size} is {opcodes} in the machine code{why}")

    def dropped(self, asked: Asked) -> None:
        noun = _noun(asked)
        if asked.space == "local":
            told = f"what a {noun} of local memory asks for is in a register in the machine code"
            self._add("in registers", [asked], told)
        elif asked.space == "const":
            self._add("operand", [asked], "the machine code has the constant as an operand: no load")
        elif asked.is_unread or asked.op == "st":
            self._add("gone", [asked], f"the machine code has no {noun}: nobody reads what it gives")
        else:
            told = f"a {noun} is left out of the machine code: its value is in a register already"
            self._add("folded", [asked], told)

    def predicated(self, asked: Asked, own: Sequence[MachineAccess]) -> None:
        opcode = next(each.opcode for each in own if each.is_predicated)
        told = (
            f"the {_noun(asked)} is a predicated {opcode} in the machine code: a warp executes it even if no lane asks"
        )
        self._add("predicated", [asked], told)

    def idle(self, asked: Asked, idle: Sequence[MachineAccess]) -> None:
        told = (
            f"with the {_noun(asked)} the machine code executes {spelled(len(idle))} {idle[0].opcode} that do nothing"
        )
        self._add("predicated", [asked], told)

    def one_lane(self, asked: Asked, own: Sequence[MachineAccess]) -> None:
        told = f"one lane of each warp makes the {_noun(asked)} for all others in the machine code ({own[0].opcode})"
        self._add("one lane", [asked], told)

    def loop(self, asked: Asked, own: Sequence[MachineAccess]) -> None:
        told = (
            f"the {_noun(asked)} is a loop of {opcodes_of(own)} in the machine code, which goes round until every lane "
            "has had its turn: the counts here are of one turn, a lower bound"
        )
        self._add("not followed", [asked], told)

    def not_followed(self, asked: Asked, seen: str) -> None:
        """seen: what the machine code has."""
        asks = f"the PTX has a {_noun(asked)} of {counted(asked.width, 'byte')}"
        self._add("not followed", [asked], f"{asks}, the machine code {seen}: the counts here are those of the PTX")

    def unasked(self, accesses: Iterable[MachineAccess]) -> None:
        """What the machine code does to memory without the PTX: registers that it spills, and what is not known."""
        spilled: Counter[str] = Counter()
        for each in accesses:
            if each.memory.space == "local":
                spilled[each.memory.op] += 1
            elif each.memory.space in ("shared", "global", "generic"):
                told = f"the machine code has {each.opcode}, for which the PTX asks nowhere: it is not in the counts"
                self._found["not followed", (), told] += 1
        if spilled:
            made = f"{counted(spilled['st'], 'store')} and {counted(spilled['ld'], 'load')} of the machine code"
            self._found["spilled", (), f"registers are kept in local memory: {made}"] += 1

    def _add(self, kind: FindingKind, members: Sequence[Asked], text: str) -> None:
        self._found[kind, tuple(sorted({member.line for member in members if member.line})), text] += 1


def refusal(asked: Asked) -> Finding:
    """An access that cannot be fused as it seems to be in the machine code."""
    lines = (asked.line,) if asked.line else ()
    told = f"{_where(lines)}what one wide {_noun(asked)} of the machine code stands for is not found"
    return Finding("not followed", lines, f"{told}: the counts here are those of the PTX")


def _where(lines: Sequence[int]) -> str:
    if not lines:
        return ""
    return f"line {lines[0]}: " if len(lines) == 1 else f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}: "


def _noun(asked: Asked) -> str:
    return _NOUNS[asked.op]


def opcodes_of(own: Sequence[MachineAccess]) -> str:
    """Each once."""
    return " and ".join(dict.fromkeys(each.opcode for each in own))
