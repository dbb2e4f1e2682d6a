"""What was measured, as facts beside the predicted ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.state import View

if TYPE_CHECKING:
    from warpviz.gpu import Measurement
    from warpviz.model import Cost

Piece = tuple[str, Tone]


def measured(view: View, glyphs: Glyphs, brief: bool = False) -> tuple[Fact, ...]:
    """The measurement with its verdict, and what was measured on; or why there is none. brief: without the bytes moved
    and the driver."""
    measuring = view.measuring
    if measuring.measurement is not None and view.shown is not None:
        return tuple(_facts(measuring.measurement, view.shown.cost, measuring.said, glyphs, brief))
    if measuring.stage == "running":
        return (Fact("measuring", ((measuring.said + glyphs.ellipsis, "text"), ("esc cancels", "quiet"))),)
    tone: Tone = "bad" if measuring.stage == "failed" else "quiet"
    return (Fact("measured", ((measuring.said, tone),)),)


def _facts(measurement: Measurement, cost: Cost, remark: str, glyphs: Glyphs, brief: bool) -> Iterator[Fact]:
    yield Fact(measurement.origin, (*_counts(measurement, glyphs), _verdict(measurement, cost, glyphs)))
    if remark:
        yield Fact("not new", ((remark, "bad"),))
    throughput = _throughput(measurement)
    if throughput:
        yield Fact("throughput", throughput[:1] if brief else throughput)
    gpu = measurement.gpu
    driver = [] if brief else [f"driver {gpu.driver}"]
    label = [gpu.name.removeprefix("NVIDIA "), *driver, measurement.date[:10]]
    yield Fact("on", ((f" {glyphs.dot} ".join(label), "quiet"),))


def _counts(measurement: Measurement, glyphs: Glyphs) -> Iterator[Piece]:
    """The raw figures: by time, in the unit of the prediction, with their spread; or sectors by counters."""
    from warpviz.gpu import Counts

    slope, counters = measurement.wavefronts, measurement.counters
    if slope is not None:
        yield f"{slope.units:.2f} {glyphs.spread} {slope.half_spread_units:.2f}", "strong"
    elif isinstance(counters, Counts) and counters.sectors is not None:
        yield f"{counters.sectors:g} {'sector' if counters.sectors == 1 else 'sectors'}", "strong"


def _verdict(measurement: Measurement, cost: Cost, glyphs: Glyphs) -> Piece:
    from warpviz.gpu import compare

    verdict = compare(cost, measurement)
    if verdict.outcome == "equal":
        return f"{glyphs.equal} equal", "good"
    if verdict.outcome == "off":
        return f"{glyphs.unequal} {verdict.sentence}", "bad"
    return verdict.sentence, "quiet"


def _throughput(measurement: Measurement) -> tuple[Piece, ...]:
    from warpviz.gpu import Bandwidth

    bandwidth = measurement.bandwidth
    if not isinstance(bandwidth, Bandwidth):
        return ()
    return (
        (f"{bandwidth.useful_gb_per_second:,.0f} GB/s used", "text"),
        (f"{bandwidth.moved_gb_per_second:,.0f} GB/s moved", "quiet"),
    )
