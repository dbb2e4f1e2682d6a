"""Hazards as they are found, in numbers: which instructions, which threads, where, how often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from warpviz.kernel.memory.checks import Ints
from warpviz.kernel.memory.observing import Kind

# read: a write, then another thread's read; overwritten: a read, then another's write; written: two writes that differ;
# copied: the own cp.async not waited for; unwritten: a read of what nobody wrote; ended, parted, stuck: at barriers
Manner = Literal["read", "overwritten", "written", "copied", "unwritten", "ended", "parted", "stuck"]


@dataclass(frozen=True)
class Touch:
    """How a hazard is met. line: of the user's file, 0 where unknown. index: tells instructions apart. name: as PTX
    writes it, up to its modifiers for a barrier. kind: of an access of memory."""

    line: int
    index: int
    op: str
    kind: Kind | None = None

    @classmethod
    def of(cls, kind: Kind) -> Touch:
        """An access."""
        return cls(kind.line, kind.index, "copy" if kind.is_copy else kind.op, kind)


@dataclass(frozen=True)
class Finding:
    """The first case of a hazard, and how often it occurs.

    touches: the instructions; threads: one for each, by its place in the block. block: by its place in the grid.
    byte: where in the block's shared memory; None at a barrier. times: words, or meetings of a block. across_warps:
    whether one of the cases is between two warps. counts: threads that wait at each of the touches, and those that do
    not wait, at a barrier.
    """

    manner: Manner
    touches: tuple[Touch, ...]
    threads: tuple[int, ...]
    block: int
    byte: int | None = None
    times: int = 1
    across_warps: bool = False
    counts: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[Manner, tuple[Touch, ...]]:
        """What makes two findings one hazard."""
        return self.manner, self.touches

    def with_other(self, other: Finding) -> Finding:
        """Both as one: the case of the first block, rather one between two warps, however often both occur."""
        first = min(self, other, key=lambda finding: (not finding.across_warps, finding.block))
        return replace(first, times=self.times + other.times, across_warps=self.across_warps or other.across_warps)


class Findings:
    """Findings by what makes them one, in the order in which they came."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[Manner, tuple[Touch, ...]], Finding] = {}

    def add(self, findings: Iterable[Finding]) -> None:
        """Put them to what is there."""
        for finding in findings:
            known = self._by_key.get(finding.key)
            self._by_key[finding.key] = finding if known is None else known.with_other(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._by_key.values())


def distinct(places: Ints) -> int:
    """How many different ones there are. By sorting: numpy.unique is slow on millions that are nearly all different."""
    ordered = np.sort(places, axis=None)
    return int(np.count_nonzero(np.diff(ordered))) + min(ordered.size, 1)
