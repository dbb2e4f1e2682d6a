"""A hazard as it is shown: in the user's lines, threads and variables, with a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from warpviz.hardware import WORD_BYTES
from warpviz.kernel.machine.geometry import Index

HazardKind = Literal["race", "barrier", "uninitialised"]


@dataclass(frozen=True)
class Hazard:
    """Two instructions that race, a barrier that not all reach, or a read of what nobody has written.

    lines: of the user's file, 0 where unknown: of a race the one that writes, then the other. ops: what is done there:
    "ld", "st", "atom", "red", "ldmatrix", "copy" (cp.async), "bar". threads: the first case's, (x, y, z), in the order
    of the lines; at a barrier one that waits, then one that does not. block: of that case. space: "shared"; None at a
    barrier. variable: its name. byte: where in the block's shared memory. times: how often, over the whole grid: words
    for each two of the lines' instructions; at a barrier meetings. sentence: what is wrong, and the mend.
    """

    kind: HazardKind
    lines: tuple[int, ...]
    ops: tuple[str, ...]
    threads: tuple[Index, ...]
    block: Index
    space: str | None
    variable: str | None
    byte: int | None
    times: int
    sentence: str

    @property
    def word(self) -> int | None:
        """The word of 4 bytes in the block's shared memory that holds the byte."""
        return None if self.byte is None else self.byte // WORD_BYTES

    def as_json(self) -> dict[str, Any]:
        """In plain types."""
        return {
            "kind": self.kind,
            "lines": list(self.lines),
            "ops": list(self.ops),
            "threads": [list(thread) for thread in self.threads],
            "block": list(self.block),
            "space": self.space,
            "variable": self.variable,
            "byte": self.byte,
            "word": self.word,
            "times": self.times,
            "sentence": self.sentence,
        }
