"""Predicted beside measured: equal, off by so much, or not measurable here and why. Pure; knows no CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from warpviz.gpu.measurement import Counts, Measurement
from warpviz.model.cost import Cost
from warpviz.wording import counted

Outcome = Literal["equal", "off", "unmeasured"]


@dataclass(frozen=True)
class Comparison:
    """One quantity, such as "wavefronts", predicted and measured.

    by: "time" or "counters". measured: None when it could not be, for the `reason`.
    """

    quantity: str
    predicted: int
    measured: float | None
    by: Literal["time", "counters"]
    reason: str = ""

    @property
    def outcome(self) -> Outcome:
        if self.measured is None:
            return "unmeasured"
        return "equal" if self.measured == self.predicted else "off"

    @property
    def off_by(self) -> float:
        """measured less predicted; 0 when it was not measured."""
        return 0.0 if self.measured is None else self.measured - self.predicted


@dataclass(frozen=True)
class Verdict:
    """outcome: "off" when any comparison is, else "equal" when any is, else "unmeasured". sentence: it in words."""

    outcome: Outcome
    comparisons: tuple[Comparison, ...]
    sentence: str


def compare(cost: Cost, measurement: Measurement) -> Verdict:
    """cost: the prediction of the access that was measured, a batch of one."""
    comparisons = (*_by_time(cost, measurement), *_by_counters(cost, measurement))
    outcomes = {comparison.outcome for comparison in comparisons}
    outcome: Outcome = next((kind for kind in _WORST_FIRST if kind in outcomes), "unmeasured")
    telling = [comparison for comparison in comparisons if comparison.outcome == outcome]
    return Verdict(outcome, comparisons, _SAY[outcome](telling))


_WORST_FIRST: tuple[Outcome, ...] = ("off", "equal", "unmeasured")


def _by_time(cost: Cost, measurement: Measurement) -> Iterator[Comparison]:
    slope = measurement.wavefronts
    quantity = measurement.timed_quantity
    predicted = _predicted(cost, quantity)
    if slope is not None and predicted is not None:
        yield Comparison(quantity, predicted, slope.count, "time", slope.doubt or "")


def _by_counters(cost: Cost, measurement: Measurement) -> Iterator[Comparison]:
    counters = measurement.counters
    if not isinstance(counters, Counts):
        if measurement.access.space == "global":
            for quantity in ("requests", "sectors"):
                predicted = _predicted(cost, quantity)
                if predicted is not None:
                    yield Comparison(quantity, predicted, None, "counters", counters.reason)
        return
    for quantity in ("requests", "sectors", "wavefronts", "conflicts"):
        predicted, counted = _predicted(cost, quantity), getattr(counters, quantity)
        if predicted is not None and counted is not None:
            yield Comparison(quantity, predicted, counted, "counters")


def _predicted(cost: Cost, quantity: str) -> int | None:
    values = getattr(cost, quantity)
    return None if values is None else int(values[0])


def _say_equal(comparisons: list[Comparison]) -> str:
    return "equal: " + ", ".join(dict.fromkeys(counted(c.predicted, c.quantity.removesuffix("s")) for c in comparisons))


def _say_off(comparisons: list[Comparison]) -> str:
    return "; ".join(
        f"{c.quantity} off by {c.off_by:+g}: predicted {c.predicted}, measured {c.measured:g} by {c.by}"
        for c in comparisons
    )


def _say_unmeasured(comparisons: list[Comparison]) -> str:
    reasons = dict.fromkeys(c.reason for c in comparisons)
    return "not measurable here: " + ("; ".join(reasons) or "nothing to compare")


_SAY = {"equal": _say_equal, "off": _say_off, "unmeasured": _say_unmeasured}
