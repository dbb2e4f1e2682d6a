"""The counts of a kernel put together: by memory space and op, and by line."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from warpviz.kernel.counting.counter import Count
from warpviz.kernel.memory.observing import AccessSpace, Kind
from warpviz.model.metrics import shared_op

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True)
class LineKind:
    """What the accesses of a line are told apart by. op: "copy" for a cp.async. width: bytes a lane."""

    line: int
    op: str
    space: AccessSpace
    width: int


def totals(counts: Mapping[Kind, Count]) -> dict[str, Count]:
    """Sums by memory space and op, such as "global_ld" and "shared_atom".

    Reductions in shared memory count as atomics, and an ldmatrix as a load. What a cp.async reads and writes counts
    apart, as "global_copy" and "shared_copy": the hardware has other counters for it.
    """
    return _summed(counts, lambda kind: f"{kind.space}_{_counted_as(kind)}")


def by_line(counts: Mapping[Kind, Count]) -> dict[LineKind, Count]:
    """Sums by line of the source, op, memory space and width; the first line first."""
    sums = _summed(counts, lambda kind: LineKind(kind.line, _op(kind), kind.space, kind.width))
    return dict(sorted(sums.items(), key=lambda item: item[0].line))


def _op(kind: Kind) -> str:
    return "copy" if kind.is_copy else kind.op


def _counted_as(kind: Kind) -> str:
    return shared_op(kind.op) if kind.space == "shared" and not kind.is_copy else _op(kind)


def _summed(counts: Mapping[Kind, Count], key: Callable[[Kind], _Key]) -> dict[_Key, Count]:
    sums: dict[_Key, Count] = {}
    for kind, count in counts.items():
        sums.setdefault(key(kind), Count()).add(count)
    return sums
