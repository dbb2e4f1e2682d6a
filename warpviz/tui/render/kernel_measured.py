"""What a GPU showed of the kernel: in a word, of the chosen access, and all of it."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.gpu.measurement import Conditions, Unavailable
from warpviz.gpu.verdict.figures import conditions_in_words
from warpviz.kernel.counting import LineKind
from warpviz.kernel.measured import Measured
from warpviz.kernel.measured.reporting import occupancy_in_words, resources_in_words, timing_in_words
from warpviz.tui.glyphs import Glyphs
from warpviz.tui.measured_kernel import MeasuredKernel, MeasuredRow
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.state.kernel import KernelView
from warpviz.wording import counted

_NOT_YET = "not yet: m runs it on the GPU, beside what is predicted"


def measured_in_a_word(measured: MeasuredKernel, glyphs: Glyphs) -> str:
    """Whether it is as predicted."""
    return f"measured, {glyphs.equal} equal" if measured.all.is_equal else f"measured, {glyphs.unequal} differs"


def line_facts(view: KernelView, kind: LineKind, glyphs: Glyphs) -> tuple[Fact, ...]:
    """How far the measurement is; of the chosen access what was counted. None where nothing is known."""
    if view.measuring.stage in ("running", "failed"):
        return (_news(view, glyphs),)
    if view.measured is None:
        return ()
    row = view.measured.rows.get(kind)
    if row is not None:
        return (Fact("measured", tuple(_compared(row, glyphs))),)
    lines = view.measured.all.lines
    return (Fact("measured", ((f"lines: {lines.reason}", "quiet"),)),) if isinstance(lines, Unavailable) else ()


def evidence_facts(view: KernelView, glyphs: Glyphs) -> Iterator[Fact]:
    """The outputs, the time, what the kernel takes, the counters with the causes, the clocks, the GPU."""
    if view.measuring.stage in ("running", "failed"):
        yield _news(view, glyphs)
    if view.measured is not None:
        yield from _evidence(view.measured.all, glyphs)
    elif view.measuring.stage not in ("running", "failed"):
        yield Fact("measured", ((_NOT_YET, "quiet"),))


def _news(view: KernelView, glyphs: Glyphs) -> Fact:
    """While it is measured how far it is; else why it is not."""
    said = view.measuring.said
    if view.measuring.stage == "running":
        return Fact("measuring", ((said + glyphs.ellipsis, "text"), ("esc cancels", "quiet")))
    return Fact("not measured" if view.measured is None else "not new", ((said, "bad"),))


def _compared(row: MeasuredRow, glyphs: Glyphs) -> Iterator[tuple[str, Tone]]:
    of_line = "" if row.each is not None else " for the line"
    yield f"{row.measured:,} {row.unit} counted{of_line}", "strong"
    if row.is_equal:
        yield f"{glyphs.equal} as predicted", "good"
        return
    yield f"{glyphs.unequal} {row.predicted:,} predicted", "bad"
    if row.cause:
        yield row.cause, "text"


def _evidence(measured: Measured, glyphs: Glyphs) -> Iterator[Fact]:
    launch = measured.measurement
    yield from _outputs(measured, glyphs)
    yield Fact("time", ((timing_in_words(launch.timing), "text"),))
    yield Fact("takes", tuple((text, "text") for text in resources_in_words(launch.resources)))
    yield Fact("occupancy", ((occupancy_in_words(launch.occupancy), "text"),))
    yield from _counters(measured, glyphs)
    conditions = launch.conditions
    if isinstance(conditions, Conditions):
        words = conditions_in_words(conditions).replace("°C", glyphs.celsius)
        yield Fact("clocks", ((words, "bad" if conditions.throttled else "text"),))
    else:
        yield Fact("clocks", ((f"not known: {conditions.reason}", "quiet"),))
    yield Fact("on", ((f"{launch.gpu.in_words}, {launch.date}", "quiet"),))


def _outputs(measured: Measured, glyphs: Glyphs) -> Iterator[Fact]:
    """The arrays that are equal together, of the others each what differs and why it may."""
    equal = [array for array in measured.arrays if array.difference is None]
    if equal:
        said = f"{glyphs.equal} {', '.join(array.name for array in equal)}: every element as predicted"
        yield Fact("arrays", ((said, "good"),))
    for array in measured.arrays:
        if array.difference is not None:
            yield Fact("array", ((f"{glyphs.unequal} {array}", "bad"),))
            yield from (Fact("", ((f"possible cause: {cause}", "text"),)) for cause in array.causes)


def _counters(measured: Measured, glyphs: Glyphs) -> Iterator[Fact]:
    counters = measured.counters
    if isinstance(counters, Unavailable):
        yield Fact("counters", ((f"none: {counters.reason}", "quiet"),))
        return
    known = [one for one in counters if one.measured is not None]
    off = [one for one in known if not one.is_equal]
    if off:
        said = f"{glyphs.unequal} {len(off)} of {len(known)} are not as predicted; c: which, and why"
    else:
        said = f"{glyphs.equal} all {counted(len(known), 'counter')} as predicted; c shows them"
    yield Fact("counters", ((said, "bad" if off else "good"),))
    if isinstance(measured.lines, Unavailable):
        yield Fact("lines", ((f"none: {measured.lines.reason}", "quiet"),))
