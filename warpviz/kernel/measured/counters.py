"""A kernel's counters as Nsight Compute shows them beside those that were predicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpviz.gpu.launching.counts import LaunchCounts
from warpviz.gpu.launching.metrics import METRICS
from warpviz.kernel.measured.causes import causes_of_other_counts

Counters = Mapping[str, Mapping[str, int]]  # such as "global_ld": quantity -> value

_QUANTITIES = {
    "shared": ("instructions", "wavefronts", "ideal_wavefronts", "conflicts"),
    "global": ("requests", "sectors"),
    "local": ("requests", "sectors"),
}


@dataclass(frozen=True)
class CounterComparison:
    """key: such as "global_ld". quantity: such as "sectors". measured: None where it was not counted. causes: of a
    difference, as sentences; empty where none is known."""

    key: str
    quantity: str
    predicted: int
    measured: int | None
    causes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool | None:
        """None where it was not counted."""
        return None if self.measured is None else self.measured == self.predicted


def compare_counters(
    predicted: Counters, measured: LaunchCounts, causes: Mapping[str, Sequence[str]]
) -> tuple[CounterComparison, ...]:
    """Of what the kernel does or was predicted to do. causes: by key, sentences on what is known of its accesses."""
    comparisons: list[CounterComparison] = []
    counted, generic = measured.counters, measured.generic
    for key in METRICS:
        expected, found = predicted.get(key, {}), counted[key]
        if any((*expected.values(), *found.values())):
            comparisons += _compared(key, expected, found, causes.get(key, ()), generic.get(key.split("_")[1], 0))
    return tuple(comparisons)


def _compared(
    key: str, predicted: Mapping[str, int], measured: Mapping[str, int], causes: Sequence[str], generic: int
) -> Iterator[CounterComparison]:
    for quantity in _QUANTITIES[key.partition("_")[0]]:
        expected, found = predicted.get(quantity, 0), measured.get(quantity)
        why: tuple[str, ...] = ()
        if found is not None and found != expected:
            why = (*causes, *causes_of_other_counts(key, quantity, predicted, measured, generic))
        yield CounterComparison(key, quantity, expected, found, why)
