"""CodeTable: the lines of a kernel's file, each with what its accesses cost. Holds nothing of the kernel's arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from warpviz.kernel.counting import LineKind
from warpviz.kernel.lines import LineCost, hottest_first
from warpviz.tui.code_text import CodePiece

Order = Literal["source", "hottest"]
Distance = Literal["unknown", "ideal", "near", "far"]

_FAR = 2.0  # times the ideal
_SHORT_OPS = {"atom": "atomic", "red": "reduce"}


@dataclass(frozen=True)
class CodeRow:
    """A line of the file with the first of its accesses, or one more access of the line above.

    line: from 1; 0 for accesses whose line is not known. shows_line: whether the line itself stands there. cost: of the
    access; None for a line that touches no memory.
    """

    line: int
    shows_line: bool
    cost: LineCost | None = None

    @property
    def kind(self) -> LineKind | None:
        """What the row's access is told apart by."""
        return None if self.cost is None else self.cost.kind


@dataclass(frozen=True, eq=False)
class CodeTable:
    """lines: of the file, in pieces of one meaning each. costs: of each access, the first line first. dangerous: the
    lines with a hazard."""

    lines: tuple[tuple[CodePiece, ...], ...]
    costs: tuple[LineCost, ...]
    dangerous: frozenset[int]

    def rows(self, order: Order) -> tuple[CodeRow, ...]:
        """ "source": every line of the file, at the end what belongs to no line of it; "hottest": the accesses alone,
        those with the largest share first."""
        return self._rows[order]

    def name_of(self, kind: LineKind) -> str:
        """What an access does, and where: "ld shared"; with its bytes where its line does the same with others."""
        name = f"{_SHORT_OPS.get(kind.op, kind.op)} {kind.space}"
        return f"{name} {kind.width}B" if (kind.line, kind.op, kind.space) in self._of_several_widths else name

    @cached_property
    def _rows(self) -> dict[Order, tuple[CodeRow, ...]]:
        hottest = tuple(CodeRow(self._known(cost.kind.line), True, cost) for cost in hottest_first(self.costs))
        return {"source": tuple(self._in_order()), "hottest": hottest}

    @cached_property
    def _of_several_widths(self) -> frozenset[tuple[int, str, str]]:
        accesses = Counter((cost.kind.line, cost.kind.op, cost.kind.space) for cost in self.costs)
        return frozenset(access for access, widths in accesses.items() if widths > 1)

    def _in_order(self) -> Iterator[CodeRow]:
        by_line: dict[int, list[LineCost]] = {}
        for cost in self.costs:
            by_line.setdefault(self._known(cost.kind.line), []).append(cost)
        for line in range(1, len(self.lines) + 1):
            here = by_line.get(line, [])
            yield CodeRow(line, True, here[0] if here else None)
            yield from (CodeRow(line, False, cost) for cost in here[1:])
        yield from (CodeRow(0, place == 0, cost) for place, cost in enumerate(by_line.get(0, ())))

    def _known(self, line: int) -> int:
        return line if line <= len(self.lines) else 0


def distance(cost: LineCost) -> Distance:
    """How far an access is from the least that it could cost: at it, less than twice as much, or more."""
    ideal = cost.ideal_per_request
    if ideal is None:
        return "unknown"
    if cost.per_request <= ideal:
        return "ideal"
    return "far" if cost.per_request >= _FAR * ideal else "near"
