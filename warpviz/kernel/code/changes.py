"""How accesses of PTX turn into those of the machine code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal[
    "fused", "split", "folded", "gone", "in registers", "operand", "predicated", "one lane", "spilled", "not followed"
]


@dataclass(frozen=True)
class Fused:
    """The access becomes one of `width` bytes, which others join.

    offset, size: all that they touch together begins `offset` bytes behind the access, and has so many bytes. The wide
    access begins at the multiple of its width at or before that.
    """

    offset: int
    size: int
    width: int


@dataclass(frozen=True)
class Joined:
    """The access is part of the one that begins at another instruction. index: of that one."""

    index: int


@dataclass(frozen=True)
class Split:
    """The access becomes several. pieces: (offset, width) of each, in bytes."""

    pieces: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Dropped:
    """There is no such access."""


@dataclass(frozen=True)
class OneLane:
    """One lane makes the access for all active ones, which have the same address."""


@dataclass(frozen=True)
class Merged:
    """An atomic in shared memory of which the lanes with one word make one update together."""


Change = Fused | Joined | Split | Dropped | OneLane | Merged


@dataclass(frozen=True)
class Finding:
    """A difference between the PTX of a line and its machine code.

    kind: "not followed" where the counts of the PTX stand although the machine code differs. lines: of the user's file,
    the lowest first; empty where unknown. sentence: what the PTX asks for and what the machine code has.
    """

    kind: FindingKind
    lines: tuple[int, ...]
    sentence: str

    def as_json(self) -> dict[str, object]:
        return {"kind": self.kind, "lines": list(self.lines), "sentence": self.sentence}
