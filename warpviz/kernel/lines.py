"""What the lines of a kernel's source cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from warpviz.kernel.counting import Count, LineKind, by_line
from warpviz.kernel.memory.observing import AccessSpace, Kind

_UNITS: Mapping[AccessSpace, str] = {
    "shared": "wavefronts",
    "global": "sectors",
    "local": "sectors",
    "const": "requests",
}
_IDEAL = {"wavefronts": "ideal_wavefronts", "sectors": "ideal_sectors"}


@dataclass(frozen=True)
class LineCost:
    """What the accesses of a line cost that are of one op, memory space and width.

    share: of what all the kernel's accesses cost together in the same unit, 0 to 1.
    """

    kind: LineKind
    count: Count
    share: float

    @property
    def unit(self) -> str:
        """What they cost: wavefronts of shared memory, sectors of global and local, requests of constant memory."""
        return _UNITS[self.kind.space]

    @property
    def cost(self) -> int:
        """In that unit."""
        return _cost(self.kind.space, self.count)

    @property
    def per_request(self) -> float:
        """The cost of a request, on average."""
        return self.cost / max(self.count.requests, 1)

    @property
    def ideal_per_request(self) -> float | None:
        """What a request would cost at best, with no bank conflict, or with the bytes used next to each other. None
        where nothing better is known."""
        if self.kind.space in ("local", "const"):
            return None
        return float(getattr(self.count, _IDEAL[self.unit])) / max(self.count.requests, 1)


def line_costs(counts: Mapping[Kind, Count]) -> tuple[LineCost, ...]:
    """The first line first; of a line, in the order in which its accesses are first made."""
    lines = by_line(counts)
    totals: dict[str, int] = {}
    for kind, count in lines.items():
        unit = _UNITS[kind.space]
        totals[unit] = totals.get(unit, 0) + _cost(kind.space, count)
    return tuple(
        LineCost(kind, count, _cost(kind.space, count) / max(totals[_UNITS[kind.space]], 1))
        for kind, count in lines.items()
    )


def hottest_first(costs: Iterable[LineCost]) -> list[LineCost]:
    """Those with the largest share first; of equal ones, those furthest above their ideal."""
    return sorted(costs, key=lambda cost: (-cost.share, (cost.ideal_per_request or 0) - cost.per_request))


def _cost(space: AccessSpace, count: Count) -> int:
    cost: int = getattr(count, _UNITS[space])
    return cost
