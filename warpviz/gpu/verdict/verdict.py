"""Predicted beside measured: equal, off by so much and why, or not measurable here and why. Pure; knows no CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from warpviz.gpu.code.machine_code import finding
from warpviz.gpu.measurement import Code, Counts, Measurement
from warpviz.gpu.verdict.causes import cause_of
from warpviz.gpu.verdict.comparison import Cause, Comparison, Outcome
from warpviz.model.cost import Cost
from warpviz.model.metrics import instruction_metric, instructions, metric_names
from warpviz.wording import counted


@dataclass(frozen=True)
class Verdict:
    """outcome: "off" when any comparison is, else "equal" when any is, else "unmeasured". sentence: it in words, with
    the causes."""

    outcome: Outcome
    comparisons: tuple[Comparison, ...]
    sentence: str

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Of all comparisons, each once; none when all are equal."""
        return _causes(self.comparisons)


@dataclass(frozen=True)
class CountedRow:
    """One hardware counter of an access. metric: its full name."""

    quantity: str
    metric: str
    predicted: int
    counted: float


def compare(cost: Cost, measurement: Measurement) -> Verdict:
    """cost: the prediction of the access that was measured, a batch of one."""
    comparisons = tuple(
        replace(comparison, cause=cause_of(comparison, cost, measurement))
        for comparison in (*_by_time(cost, measurement), *_by_counters(cost, measurement), *_executed(measurement))
    )
    outcomes = {comparison.outcome for comparison in comparisons}
    outcome: Outcome = next((kind for kind in _WORST_FIRST if kind in outcomes), "unmeasured")
    telling = tuple(comparison for comparison in comparisons if comparison.outcome == outcome)
    lacking = [c.quantity for c in comparisons if outcome == "equal" and c.outcome == "unmeasured"]
    sentence = _SAY[outcome](telling) + (f"; not told: {', '.join(dict.fromkeys(lacking))}" if lacking else "")
    return Verdict(outcome, comparisons, sentence)


def counted_rows(cost: Cost, measurement: Measurement) -> tuple[CountedRow, ...]:
    """What was counted, metric by metric, beside the prediction; empty without counters.

    The last row are the instructions that were executed for one access, beside how many it takes.
    """
    kind = measurement.access.space, measurement.access.op
    metrics = {**metric_names(*kind), "instructions": instruction_metric(*kind)}
    return tuple(
        CountedRow(compared.quantity, metrics[compared.quantity], compared.predicted, compared.measured)
        for compared in (*_by_counters(cost, measurement), *_executed(measurement))
        if compared.measured is not None
    )


_WORST_FIRST: tuple[Outcome, ...] = ("off", "equal", "unmeasured")


def _by_time(cost: Cost, measurement: Measurement) -> Iterator[Comparison]:
    slope = measurement.wavefronts
    quantity = measurement.timed_quantity
    predicted = _predicted(cost, quantity)
    if slope is None or predicted is None:
        return
    compared = Comparison(quantity, predicted, slope.count, "time", slope.doubt or "")
    found = finding(measurement.code, measurement.access) if isinstance(measurement.code, Code) else None
    if compared.outcome == "equal" and found is not None and found.kind != "as asked":
        compared = replace(compared, measured=None, reason=found.sentence)  # the time is that of something else
    yield compared


def _by_counters(cost: Cost, measurement: Measurement) -> Iterator[Comparison]:
    """Without counters only what nothing else tells, as unmeasured."""
    counters, access = measurement.counters, measurement.access
    for quantity, metric in metric_names(access.space, access.op).items():
        predicted = _predicted(cost, quantity)
        if predicted is None:
            continue
        if isinstance(counters, Counts):
            value: float | None = getattr(counters, quantity)
            reason = f"{counters.tool} has no value for {metric} on this GPU" if value is None else ""
            yield Comparison(quantity, predicted, value, "counters", reason)
        elif access.space == "global":
            yield Comparison(quantity, predicted, None, "counters", counters.reason)


def _executed(measurement: Measurement) -> Iterator[Comparison]:
    """The instructions that were executed for one access, beside how many it takes."""
    counters, access = measurement.counters, measurement.access
    if isinstance(counters, Counts) and counters.instructions is not None:
        takes = instructions(access.space, access.width)
        yield Comparison("instructions", takes, counters.instructions, "counters")


def _predicted(cost: Cost, quantity: str) -> int | None:
    values = getattr(cost, quantity)
    return None if values is None else int(values[0])


def _causes(comparisons: tuple[Comparison, ...]) -> tuple[Cause, ...]:
    return tuple(dict.fromkeys(c.cause for c in comparisons if c.cause is not None))


def _say_equal(comparisons: tuple[Comparison, ...]) -> str:
    told = [c for c in comparisons if c.quantity != "instructions"] or comparisons
    return "equal: " + ", ".join(dict.fromkeys(counted(c.predicted, c.quantity.removesuffix("s")) for c in told))


def _say_off(comparisons: tuple[Comparison, ...]) -> str:
    methods: dict[str, list[str]] = {}
    for c in comparisons:
        difference = f"{c.quantity} off by {c.off_by:+g}: predicted {c.predicted}, measured {c.measured:g} by"
        methods.setdefault(difference, []).append(c.by)
    differences = "; ".join(f"{difference} {' and '.join(by)}" for difference, by in methods.items())
    return ". ".join([differences, *(f"{cause.kind.capitalize()}: {cause.sentence}" for cause in _causes(comparisons))])


def _say_unmeasured(comparisons: tuple[Comparison, ...]) -> str:
    reasons = dict.fromkeys(c.reason if c.cause is None else c.cause.sentence for c in comparisons)
    return "not measurable here: " + ("; ".join(reasons) or "nothing to compare")


_SAY = {"equal": _say_equal, "off": _say_off, "unmeasured": _say_unmeasured}
