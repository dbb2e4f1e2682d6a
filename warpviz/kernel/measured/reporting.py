"""What was measured beside what was predicted, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import Any

from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts
from warpviz.gpu.launching.measurement import Occupancy, Timing
from warpviz.gpu.measurement import Unavailable
from warpviz.kernel.measured.counters import CounterComparison
from warpviz.kernel.measured.measured import Measured
from warpviz.kernel.measured.outputs import ArrayComparison
from warpviz.wording import counted


def as_json(measured: Measured) -> dict[str, Any]:
    """The counters under their keys, such as "global_ld"; what could not be had is null, and "unavailable" says why."""
    launch, counts = measured.measurement, measured.measurement.counters
    counters: dict[str, Any] = dict(counts.counters) if isinstance(counts, LaunchCounts) else {}
    missing = {"counters": counts, "lines": measured.rows, "conditions": launch.conditions}
    return counters | {
        "gpu": asdict(launch.gpu),
        "date": launch.date,
        "outputs": [_array(array) for array in measured.arrays],
        "seconds": launch.timing.seconds,
        "timing": asdict(launch.timing),
        "resources": asdict(launch.resources),
        "occupancy": asdict(launch.occupancy),
        "conditions": None if isinstance(launch.conditions, Unavailable) else asdict(launch.conditions),
        "tool": counts.tool if isinstance(counts, LaunchCounts) else None,
        "differences": [asdict(counter) for counter in _different(measured)],
        "lines": None if isinstance(measured.rows, Unavailable) else [_line(row) for row in measured.rows],
        "unavailable": {what: value.reason for what, value in missing.items() if isinstance(value, Unavailable)},
    }


def as_text(measured: Measured) -> Iterator[str]:
    """Lines for a terminal."""
    launch = measured.measurement
    yield f"measured on {launch.gpu.name}, {launch.gpu.arch}"
    yield f"  time       {timing_in_words(launch.timing)}"
    of_thread, of_block = resources_in_words(launch.resources)
    yield f"  takes      {of_thread},"
    yield f"             {of_block}"
    yield f"  occupancy  {occupancy_in_words(launch.occupancy)}"
    for array in measured.arrays:
        yield f"  {'output' if array.difference is None else 'DIFFERS':<9}  {array}"
        yield from (f"             possible cause: {cause}" for cause in array.causes)
    yield from _counters_in_words(measured)


def timing_in_words(timing: Timing) -> str:
    """How long it takes, and how that was found."""
    return (
        f"{seconds_in_words(timing.seconds)}, median of {counted(timing.repeats, 'run')}, "
        f"spread {timing.spread:.0%}, from cold caches{_restored(timing.restored)}"
    )


def resources_in_words(resources: Resources) -> tuple[str, str]:
    """What a thread takes, and what a block takes."""
    registers, local = counted(resources.registers, "register"), counted(resources.local_bytes, "byte")
    return (
        f"{registers} and {local} of local memory a thread",
        f"{counted(resources.shared_bytes, 'byte')} of static shared memory a block",
    )


def occupancy_in_words(occupancy: Occupancy) -> str:
    """How full an SM gets of the kernel."""
    return f"{counted(occupancy.blocks, 'block')} an SM: {occupancy.warps} of {occupancy.most_warps} warps"


def seconds_in_words(seconds: float) -> str:
    """Three digits and the unit.

    >>> seconds_in_words(4.768e-6), seconds_in_words(0.0123), seconds_in_words(2)
    ('4.77 us', '12.3 ms', '2 s')
    """
    rounded = float(f"{seconds:.3g}")
    size, unit = next(((1 / n, unit) for n, unit in ((1, "s"), (1000, "ms")) if rounded * n >= 1), (1e-6, "us"))
    return f"{rounded / size:.3g} {unit}"


def _counters_in_words(measured: Measured) -> Iterator[str]:
    if isinstance(measured.counters, Unavailable):
        yield f"  counters   none: {measured.counters.reason}"
        return
    different, missing = _different(measured), [c for c in measured.counters if c.measured is None]
    equal = len(measured.counters) - len(different) - len(missing)
    yield f"  counters   {equal} of {counted(len(measured.counters), 'prediction')} equal what is counted"
    for one in different:
        yield f"  DIFFERS    {one.key} {one.quantity}: {one.predicted:,} predicted, {one.measured:,} counted"
        yield from (f"             {cause}" for cause in one.causes or ("the cause is not known",))
    if missing:
        yield f"  not counted: {', '.join(f'{c.key} {c.quantity}' for c in missing)}"
    if isinstance(measured.lines, Unavailable):
        yield f"  lines      none: {measured.lines.reason}"


def _different(measured: Measured) -> list[CounterComparison]:
    counters = () if isinstance(measured.counters, Unavailable) else measured.counters
    return [counter for counter in counters if counter.is_equal is False]


def _restored(names: tuple[str, ...]) -> str:
    return f", {', '.join(names)} filled anew before each" if names else ""


def _array(array: ArrayComparison) -> dict[str, Any]:
    far = array.difference
    return {
        "name": array.name,
        "type": array.dtype,
        "count": array.count,
        "equal": far is None,
        "difference": None if far is None else asdict(far) | {"of_largest": _finite(far.of_largest)},
        "causes": list(array.causes),
    }


def _finite(number: float | None) -> float | None:
    """JSON has no infinity."""
    return number if number is not None and isfinite(number) else None


def _line(line: LineCounts) -> dict[str, Any]:
    known = line.wavefronts is not None and line.ideal_wavefronts is not None
    conflicts = (line.wavefronts or 0) - (line.ideal_wavefronts or 0) if known else None
    shown = asdict(line) | {"conflicts": conflicts}
    del shown["ptx_line"]
    return shown
