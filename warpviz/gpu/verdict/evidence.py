"""All that stands behind a verdict, in words: the time, the counters by name, the machine code, the clocks. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from warpviz.gpu.code.machine_code import finding
from warpviz.gpu.measurement import Bandwidth, Code, Conditions, Counts, Measurement, Unavailable
from warpviz.gpu.verdict.figures import bandwidth_in_words, conditions_in_words
from warpviz.gpu.verdict.verdict import CountedRow, compare, counted_rows
from warpviz.model.cost import Cost
from warpviz.wording import plural

Tone = Literal["good", "bad", "plain", "quiet"]


@dataclass(frozen=True)
class Evidence:
    """subject: in one word, what it is about. text: what is known of it. tone: how it speaks for the prediction.
    detail: the full name of the counter that says so; empty elsewhere."""

    subject: str
    text: str
    tone: Tone
    detail: str = ""


def evidence(cost: Cost, measurement: Measurement) -> tuple[Evidence, ...]:
    """What was measured and how, the most telling first. cost: the prediction, a batch of one."""
    return tuple(_evidence(cost, measurement))


def origin_in_words(measurement: Measurement) -> str:
    """On which GPU, with which driver and compiler, and when."""
    return f"{measurement.gpu.in_words}, {measurement.date}"


def _evidence(cost: Cost, measurement: Measurement) -> Iterator[Evidence]:
    yield from _verdict(cost, measurement)
    yield from _time(measurement)
    yield from _counters(cost, measurement)
    yield from _code(measurement)
    yield from _clocks(measurement)
    yield Evidence(measurement.origin, origin_in_words(measurement), "quiet")


def _verdict(cost: Cost, measurement: Measurement) -> Iterator[Evidence]:
    verdict = compare(cost, measurement)
    tone: Tone = {"equal": "good", "off": "bad", "unmeasured": "plain"}[verdict.outcome]  # type: ignore[assignment]
    yield Evidence("verdict", verdict.sentence, tone)
    for cause in verdict.causes:
        if cause.sentence not in verdict.sentence:
            yield Evidence("cause", f"{cause.kind}: {cause.sentence}", "plain")


def _time(measurement: Measurement) -> Iterator[Evidence]:
    slope, bandwidth = measurement.wavefronts, measurement.bandwidth
    if slope is not None:
        yield Evidence(
            "by time",
            f"{slope.units:.2f} ± {slope.half_spread_units:.2f} {measurement.timed_quantity}: "
            f"{slope.cycles_per_access:.2f} cycles an access, the median of {slope.repeats}",
            "plain",
        )
    if isinstance(bandwidth, Bandwidth):
        yield Evidence("by time", bandwidth_in_words(bandwidth), "plain")
    elif isinstance(bandwidth, Unavailable):
        yield Evidence("by time", bandwidth.reason, "quiet")


def _counters(cost: Cost, measurement: Measurement) -> Iterator[Evidence]:
    counters = measurement.counters
    if not isinstance(counters, Counts):
        yield Evidence("counters", counters.reason, "quiet")
        return
    for row in counted_rows(cost, measurement):
        equal = row.counted == row.predicted
        beside = "as predicted" if equal else f"predicted {row.predicted}"
        yield Evidence("counted", f"{_amount(row)}, {beside}", "good" if equal else "bad", row.metric)
    yield Evidence("counters", f"read by {counters.tool}, for one access", "quiet")


def _amount(row: CountedRow) -> str:
    return f"{row.counted:g} {plural(row.counted, row.quantity.removesuffix('s'))}"


def _code(measurement: Measurement) -> Iterator[Evidence]:
    code = measurement.code
    if isinstance(code, Code):
        found = finding(code, measurement.access)
        yield Evidence("code", found.sentence, "plain" if found.kind == "as asked" else "bad")
        yield Evidence(
            "kernel",
            f"{code.kernel}: {code.registers} registers and {code.local_bytes} bytes of local memory a thread, "
            f"{code.shared_bytes:,} bytes of static shared memory; read with {code.tool}",
            "quiet",
        )
    elif isinstance(code, Unavailable):
        yield Evidence("code", f"not checked: {code.reason}", "quiet")


def _clocks(measurement: Measurement) -> Iterator[Evidence]:
    conditions = measurement.conditions
    if isinstance(conditions, Conditions):
        yield Evidence("clocks", conditions_in_words(conditions), "bad" if conditions.throttled else "plain")
    else:
        yield Evidence("clocks", f"not known: {conditions.reason}", "quiet")
