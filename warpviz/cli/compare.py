"""`warpviz compare`."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from warpviz.cli.report import table
from warpviz.comparing import (
    Compared,
    Difference,
    KindCompared,
    Pace,
    Recording,
    Throughput,
    compare_recordings,
    kind_of,
)
from warpviz.gpu.recorded import open_file
from warpviz.wording import counted, listed, printable

_MOST_LINES = 12  # of a table
_ALIKE = 0.98  # bytes a second of the slowest file over those of the fastest
_MOST_COLUMNS = 2  # files that have a column each
_NAME_CHARACTERS, _COUNT_CHARACTERS = 42, 30  # so that a table fits in 100 columns


def print_comparison(files: Sequence[str], as_json: bool) -> None:
    """Compare these recorded files and print it.

    Raises click.UsageError for one that cannot be read, and for files with nothing in common.
    """
    recordings = [_read(name) for name in files]
    compared = compare_recordings(recordings)
    if not compared.common:
        fewest = min(recordings, key=lambda recording: len(recording.entries))
        holds = counted(len(fewest.entries), "measurement")
        raise click.UsageError(
            f"the files have no access in common; the one with the fewest, {fewest.name}, has {holds}"
        )
    click.echo(json.dumps(_as_json(compared)) if as_json else "\n".join(_text(compared)))


def _read(name: str) -> Recording:
    file = open_file(Path(name))
    if file.gpu is None:
        raise click.UsageError(file.problem)
    try:
        return Recording(name, file.gpu, file.entries())
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _text(compared: Compared) -> Iterator[str]:
    for number, recording in enumerate(compared.recordings, start=1):
        measurements = counted(len(recording.entries), "measurement")
        yield f"{number}  {printable(recording.name)}: {printable(recording.gpu.in_words)}, {measurements}"
    yield ""
    yield _summary(compared)
    yield from _slower(compared)
    yield from _part(table(map(_difference, compared.differences[:_MOST_LINES])), len(compared.differences))
    yield from _part(table(_kind(row) for row in compared.kinds if row.differing))
    yield from _part(table(_pace(n, pace) for n, pace in enumerate(compared.paces, start=1)))
    if len(compared.recordings) > 1:
        yield from _speeds(compared.throughputs)


def _speeds(throughputs: Sequence[Throughput]) -> Iterator[str]:
    """The patterns of global memory that are faster in one file than in another, the most different first."""
    rows = sorted((row for row in throughputs if _ratio(row) < _ALIKE), key=_ratio)
    alike = len(throughputs) - len(rows)
    yield from _part(table(map(_throughput, rows[:_MOST_LINES])), len(rows))
    if alike:
        yield ""
        yield f"{counted(alike, 'pattern')} of global memory: as many bytes a second everywhere, within 2 %"


def _part(text: str, rows: int = 0) -> Iterator[str]:
    """A table and, of more rows than it shows, how many are left out. Nothing for an empty one."""
    if text:
        yield ""
        yield text
    if rows > _MOST_LINES:
        yield f"  and {rows - _MOST_LINES:,} more: --json"


def _summary(compared: Compared) -> str:
    differing = len(compared.differences)
    accesses, counts = counted(compared.common, "access"), counted(compared.counts, "count")
    if len(compared.recordings) == 1:
        return f"{accesses}, {counts}: {compared.counts - differing:,} as predicted, {differing:,} not"
    off = ", ".join(f"{count:,} in {number}" for number, count in enumerate(compared.off[:_MOST_LINES], start=1))
    return (
        f"{accesses} in all of them, {counts}: {compared.counts - differing:,} equal everywhere, {differing:,} not\n"
        f"not as predicted: {off}{', …' if len(compared.off) > _MOST_LINES else ''}"
    )


def _difference(difference: Difference) -> dict[str, str]:
    return {
        "count": difference.quantity,
        "predicted": str(difference.predicted),
        "measured": _cut(_by_file(difference.counts), _COUNT_CHARACTERS),
        "access": _access(difference.labels, str(kind_of(difference.access))),
    }


def _by_file(counts: Sequence[float | None]) -> str:
    """
    >>> _by_file([5.0, 6.0, 5.0]), _by_file([5.0])
    ('5 in 1, 3; 6 in 2', '5')
    """
    if len(counts) == 1:
        return "" if counts[0] is None else f"{counts[0]:g}"
    places: dict[float, list[int]] = {}
    for number, count in enumerate(counts, start=1):
        if count is not None:
            places.setdefault(count, []).append(number)
    return "; ".join(f"{count:g} in {listed(numbers)}" for count, numbers in places.items())


def _kind(row: KindCompared) -> dict[str, str]:
    return {"rule": str(row.kind), "accesses": str(row.accesses), "differ": str(row.differing)}


def _pace(number: int, pace: Pace) -> dict[str, str]:
    cycles, copy = pace.cycles_per_wavefront, pace.copy_gb_per_second
    return {
        "file": str(number),
        "cycles a wavefront": "" if cycles is None else "{1:.3f} ({0:.3f} to {2:.3f})".format(*cycles),
        "a copy": "" if copy is None else f"{copy:,.0f} GB/s",
        "SM clock": "" if pace.sm_mhz is None else f"{pace.sm_mhz:,.0f} MHz",
        "throttled": "" if pace.throttled is None else f"{100 * pace.throttled:.0f} % of the time",
    }


def _throughput(row: Throughput) -> dict[str, str]:
    speeds = row.useful_gb_per_second
    cells = [_speed(speed, share) for speed, share in zip(speeds, row.of_copy, strict=True)]
    if len(speeds) <= _MOST_COLUMNS:
        columns = {f"{number} GB/s (of a copy)": cell for number, cell in enumerate(cells, start=1)}
    else:
        known = [speed for speed in speeds if speed is not None]
        figures = {"least": min(known), "median": statistics.median(known), "most": max(known)}
        columns = {f"{name} GB/s": f"{figure:,.0f}" for name, figure in figures.items()}
    return {"access": _access(row.labels, str(row.kind)), **columns, "least/most": f"{_ratio(row):.2f}"}


def _speed(speed: float | None, share: float | None) -> str:
    return "" if speed is None or share is None else f"{speed:,.0f} ({100 * share:.0f} %)"


def _ratio(row: Throughput) -> float:
    """The slowest file's bytes a second over the fastest's."""
    known = [speed for speed in row.useful_gb_per_second if speed is not None]
    return min(known) / max(known) if max(known) > 0 else 1.0


def _access(labels: Sequence[str], kind: str) -> str:
    """What it is called, not too long, and what it is."""
    return f"{_cut(printable(labels[0]), _NAME_CHARACTERS - len(kind) - 2)}, {kind}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _slower(compared: Compared) -> Iterator[str]:
    slow = [
        f"{printable(recording.name)} is {100 * pace.slower_by:.0f} % slower than the other "
        f"{printable(recording.gpu.name)}"
        for recording, pace in zip(compared.recordings, compared.paces, strict=True)
        if pace.slower_by is not None
    ]
    yield from slow


def _as_json(compared: Compared) -> dict[str, Any]:
    files = zip(compared.recordings, compared.off, compared.paces, strict=True)
    return {
        "files": [
            {"file": recording.name, "gpu": asdict(recording.gpu), "measurements": len(recording.entries)}
            | {"off": off}
            | asdict(pace)
            for recording, off, pace in files
        ],
        "accesses": compared.common,
        "counts": compared.counts,
        "differences": [_flat(asdict(d) | {"access": d.access.to_json()}) for d in compared.differences],
        "kinds": [_flat(asdict(row)) for row in compared.kinds],
        "throughputs": [_flat(asdict(row)) for row in compared.throughputs],
    }


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with the fields of its kind among its own."""
    return {**row.get("kind", {}), **{name: value for name, value in row.items() if name != "kind"}}
