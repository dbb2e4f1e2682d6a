"""What was measured, as facts beside the predicted ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.measuring import Measuring
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.shown import Shown
from warpviz.wording import plural

if TYPE_CHECKING:
    from warpviz.gpu import Measurement
    from warpviz.model import Cost

_BRIEF_NAME = 20  # characters of a GPU's name where there is little room

Piece = tuple[str, Tone]


def measured(shown: Shown | None, measuring: Measuring, glyphs: Glyphs, brief: bool = False) -> tuple[Fact, ...]:
    """The measurement with its verdict, and what was measured on; or why there is none. brief: without the bytes moved
    and the driver."""
    if measuring.measurement is not None and shown is not None:
        return tuple(_facts(measuring.measurement, shown.cost, measuring.said, glyphs, brief))
    if measuring.stage == "running":
        return (Fact("measuring", ((measuring.said + glyphs.ellipsis, "text"), ("esc cancels", "quiet"))),)
    tone: Tone = "bad" if measuring.stage == "failed" else "quiet"
    return (Fact("measured", ((measuring.said, tone),)),)


def figure(measurement: Measurement, glyphs: Glyphs) -> str:
    """The raw figure: by time, in the unit of the prediction, with its spread; or sectors by counters; else empty."""
    from warpviz.gpu import Counts

    slope, counters = measurement.wavefronts, measurement.counters
    if slope is not None:
        return f"{slope.units:.2f} {glyphs.spread} {slope.half_spread_units:.2f}"
    if isinstance(counters, Counts) and counters.sectors is not None:
        return f"{counters.sectors:g} {plural(counters.sectors, 'sector')}"
    return ""


def _facts(measurement: Measurement, cost: Cost, remark: str, glyphs: Glyphs, brief: bool) -> Iterator[Fact]:
    number = figure(measurement, glyphs)
    numbers: tuple[Piece, ...] = ((number, "strong"),) if number else ()
    yield Fact(measurement.origin, (*numbers, _verdict(measurement, cost, glyphs)))
    throughput = _throughput(measurement)
    if throughput:
        yield Fact("throughput", throughput[:1] if brief else throughput)
    gpu = measurement.gpu
    name = gpu.name.removeprefix("NVIDIA ")
    label = [name[:_BRIEF_NAME]] if brief else [name, f"driver {gpu.driver}", measurement.date[:10]]
    yield Fact("on", ((f" {glyphs.dot} ".join(label), "quiet"),))
    if remark:
        yield Fact("not new", ((remark, "bad"),))


def _verdict(measurement: Measurement, cost: Cost, glyphs: Glyphs) -> Piece:
    from warpviz.gpu import compare

    verdict = compare(cost, measurement)
    if verdict.outcome == "equal":
        return f"{glyphs.equal} equal", "good"
    if verdict.outcome == "off":
        first = next(one for one in verdict.comparisons if one.outcome == "off")
        return f"{glyphs.unequal} off by {first.off_by:+g}, v: why", "bad"
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
