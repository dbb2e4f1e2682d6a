"""Hardware counters: Nsight Compute (ncu) run over a process that makes the accesses, and its answer read."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.counters import ncu
from warpviz.gpu.counters.complaints import known_complaint, why_not, without_unknown
from warpviz.gpu.counters.counting import LONG_TURNS, SHORT_TURNS
from warpviz.gpu.counters.ncu import find_ncu
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import UNROLLED, Source, counted_kernel
from warpviz.gpu.measurement import Counts, Unavailable
from warpviz.model.metrics import instruction_metric, metric_names

_MOST_LINES = 10_000  # of what is neither an answer nor a count

Row = dict[str, float]  # metric -> its value for one launch
Told = Callable[[str], None]


def _tell_nobody(stage: str) -> None:
    pass


def metrics(pattern: FrozenAccess) -> dict[str, str]:
    """Field of Counts -> name of the metric, for the pattern's memory space and op."""
    space, op = pattern.space, pattern.op
    return {**metric_names(space, op), "instructions": instruction_metric(space, op)}


def count(
    patterns: Sequence[FrozenAccess],
    *,
    timeout_s: float,
    started: ncu.Started,
    told: Told = _tell_nobody,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> list[Counts | Unavailable]:
    """What the counters show for each pattern, per access, by one run of ncu.

    ncu that finds a metric unknown runs again without it, and its field of Counts is None. started: is
    given ncu's process. told: is told the progress, such as "counting 12 of 65 with Nsight Compute". environment: of
    the processes, beside this one's. timeout_s: for each run.
    Raises GpuError: "no_counters" when they cannot be read, "timed_out", or what the counted process says.
    """
    run_for = partial(_run, patterns, environment=environment, timeout_s=timeout_s, started=started, told=told)
    wanted = sorted({name for pattern in patterns for name in metrics(pattern).values()})
    run = run_for(wanted)
    while not run.rows and (known := without_unknown(run.text, wanted)) not in (wanted, []):
        wanted = known
        run = run_for(wanted)
    return list(_counts(patterns, run))


def once(short: Row, long: Row) -> Row:
    """What a launch costs once, from two launches that differ in their turns alone."""
    turn = {name: (long[name] - value) / (LONG_TURNS - SHORT_TURNS) for name, value in short.items() if name in long}
    return {name: short[name] - SHORT_TURNS * value for name, value in turn.items()}


def per_access(pattern: FrozenAccess, costs_once: Row, long: Row, tool: str) -> Counts | Unavailable:
    """The counts of one access, from a long launch. costs_once: what any launch of the kernel costs."""
    names = metrics(pattern)
    accesses = LONG_TURNS * UNROLLED
    counted = {
        quantity: (long[name] - costs_once[name]) / accesses
        for quantity, name in names.items()
        if name in long and name in costs_once
    }
    if not counted.keys() - {"instructions"}:
        return Unavailable(f"{tool} gives no value for {next(iter(names.values()))} on this GPU")
    return Counts(tool, **counted)


def read_rows(text: str) -> list[Row]:
    """Metric -> value, for each launch, from ncu's `--csv --page raw`: a header, a row of units, then the launches."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = csv.DictReader(lines[start:])
    return [
        {name: float(value.replace(",", "")) for name, value in row.items() if name and _is_number(name, value)}
        for row in rows
        if (row.get("ID") or "").isdigit()
    ]


@dataclass
class _Run:
    """One run of ncu. answers: of the counted process, one for each pattern. said: all else, line by line."""

    answers: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.said)

    @property
    def rows(self) -> list[Row]:
        return read_rows(self.text)

    def listen(self, line: bytes) -> None:
        """Takes a line that the counted process, or ncu itself, prints."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and answer.keys() & {"turns", "refused", "error"}:
            self.answers.append(answer)
        elif len(self.said) < _MOST_LINES:
            self.said.append(line.decode(errors="replace"))


def _run(patterns: Sequence[FrozenAccess], wanted: Sequence[str], *, told: Told, **how: Any) -> _Run:
    """how: the rest of what ncu.run takes."""
    run = _Run()

    def listen(line: bytes) -> None:
        run.listen(line)
        _tell_progress(told, len(run.answers), len(patterns))

    _tell_progress(told, 0, len(patterns))
    with tempfile.TemporaryDirectory(prefix="warpviz-") as name:
        folder = Path(name)
        asked = folder / "patterns.json"
        asked.write_text(json.dumps([pattern.to_json() for pattern in patterns]))
        written = ncu.run(
            [*processes.python_module("warpviz.gpu.counters.counting"), str(asked)],
            metrics=wanted,
            kernel="accesses",
            folder=folder,
            printed=listen,
            **how,
        )
    run.said.append(written)
    return run


def _tell_progress(told: Told, done: int, patterns: int) -> None:
    if done < patterns:
        place = f" {done + 1} of {patterns}" if patterns > 1 else ""
        told(f"counting{place} with Nsight Compute")


def _counts(patterns: Sequence[FrozenAccess], run: _Run) -> Iterator[Counts | Unavailable]:
    """Raises GpuError unless every pattern that was launched has its rows."""
    _check(run, len(patterns))
    tool = ncu.tool_name(find_ncu())
    rows = iter(run.rows)
    costs_once: dict[Source, Row] = {}
    for pattern, answer in zip(patterns, run.answers, strict=True):
        if "refused" in answer:
            yield Unavailable(answer["refused"])
            continue
        source = counted_kernel(pattern)
        launches = {turns: next(rows) for turns in answer["turns"]}
        if SHORT_TURNS in launches:
            costs_once[source] = once(launches[SHORT_TURNS], launches[LONG_TURNS])
        yield per_access(pattern, costs_once[source], launches[LONG_TURNS], tool)


def _check(run: _Run, patterns: int) -> None:
    """Raises GpuError unless there is an answer for every pattern and a row for every launch."""
    error = next((answer["error"] for answer in run.answers if "error" in answer), None)
    if error is not None and known_complaint(run.text) is None:
        raise GpuError(error["kind"], error["sentence"])
    launches = sum(len(answer.get("turns", ())) for answer in run.answers)
    if error is not None or len(run.answers) != patterns or len(run.rows) != launches:
        raise GpuError("no_counters", why_not(run.text))


def _is_number(name: str, value: str | None) -> bool:
    return "__" in name and value is not None and re.fullmatch(r"[\d,]+(\.\d+)?", value) is not None
