"""What was predicted for a whole kernel, and what was measured, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from warpviz.cli.report import table
from warpviz.kernel.counters import kernel_counters
from warpviz.kernel.counting import by_line
from warpviz.kernel.hazards import Hazard
from warpviz.kernel.interpret import Outcome
from warpviz.kernel.lines import LineCost, line_costs
from warpviz.kernel.measured import Measured
from warpviz.kernel.measured import as_json as measured_as_json
from warpviz.kernel.measured import as_text as measured_as_text
from warpviz.kernel.prepare import Prepared
from warpviz.wording import counted

_MOST_SOURCE = 48  # characters of a line


def as_json(outcome: Outcome, measured: Measured | None) -> dict[str, Any]:
    """The object that `kernel --json` prints."""
    return {
        "kernel": outcome.launch.name,
        "arch": outcome.arch,
        "grid": list(outcome.launch.grid),
        "block": list(outcome.launch.block),
        "blocks": outcome.statistics.blocks,
        "counters": kernel_counters(outcome),
        "lines": list(_lines(outcome)),
        "code": [finding.as_json() for finding in outcome.findings],
        "notices": list(outcome.notices),
        "hazards": [hazard.as_json() for hazard in outcome.hazards],
        "measured": None if measured is None else measured_as_json(measured),
    }


def as_text(prepared: Prepared, outcome: Outcome, measured: Measured | None) -> str:
    """What `kernel` prints."""
    return "\n".join([*_predicted(prepared, outcome), *(measured_as_text(measured) if measured else ())])


def _predicted(prepared: Prepared, outcome: Outcome) -> Iterator[str]:
    launch = outcome.launch
    threads = counted(prod(launch.block) * (outcome.statistics.blocks or prod(launch.grid)), "thread")
    grid, block = ("x".join(map(str, extent)) for extent in (launch.grid, launch.block))
    yield f"{launch.name}   grid {grid}, block {block}, {threads}, {outcome.arch}"
    if outcome.stuck is not None:
        yield "  it does not end: the counts are those until its threads wait for ever"
    if outcome.is_sample:
        yield f"  a sample: {outcome.statistics.blocks:,} of {prod(launch.grid):,} blocks, spread over the grid, alone"
    costs = line_costs(outcome.counts)
    yield table(_row(cost, prepared.lines) for cost in costs) if costs else "  it touches no memory"
    yield from (f"  hazard  {hazard.sentence}{_times(hazard)}" for hazard in outcome.hazards)
    yield from (f"  code    {finding.sentence}" for finding in outcome.findings)
    yield from (f"  note    {notice}" for notice in outcome.notices)


def _times(hazard: Hazard) -> str:
    return f" ({hazard.times:,} times)" if hazard.times > 1 else ""


def _row(cost: LineCost, lines: list[str]) -> dict[str, str]:
    kind, ideal = cost.kind, cost.ideal_per_request
    return {
        "line": str(kind.line) if kind.line else "",
        "access": f"{kind.op} {kind.space}",
        "bytes": str(kind.width),
        "requests": str(cost.count.requests),
        "each": f"{cost.per_request:.2f}",
        "ideal": "" if ideal is None else f"{ideal:.2f}",
        "of": cost.unit,
        "conflicts": str(cost.count.conflicts) if kind.space == "shared" else "",
        "share": f"{cost.share:.0%}",
        "source": _source(lines, kind.line),
    }


def _source(lines: list[str], line: int) -> str:
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return text if len(text) <= _MOST_SOURCE else text[: _MOST_SOURCE - 1] + "…"


def _lines(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for kind, count in by_line(outcome.counts).items():
        shared = kind.space == "shared"
        yield {
            "line": kind.line,
            "op": kind.op,
            "space": kind.space,
            "width": kind.width,
            "requests": count.requests,
            "sectors": None if shared else count.sectors,
            "wavefronts": count.wavefronts if shared else None,
            "conflicts": count.conflicts if shared else None,
        }
