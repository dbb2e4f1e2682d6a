"""Hardware counters: Nsight Compute (ncu) run over a process that makes the accesses, and its answer read."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.counters import ncu
from warpviz.gpu.counters.complaints import known_complaint, why_not
from warpviz.gpu.counters.counting import LONG_TURNS, SHORT_TURNS
from warpviz.gpu.counters.heard import Heard, Row, run_with_known
from warpviz.gpu.counters.ncu import find_ncu
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import UNROLLED, Source, counted_kernel
from warpviz.gpu.measurement import Counts, Unavailable
from warpviz.model.metrics import instruction_metric, metric_names

_ANSWERS = frozenset({"turns", "refused", "error"})

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
    return list(_counts(patterns, run_with_known(run_for, wanted)))


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


def _run(patterns: Sequence[FrozenAccess], wanted: Sequence[str], *, told: Told, **how: Any) -> Heard:
    """how: the rest of what ncu.run takes."""
    run = Heard(_ANSWERS)

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


def _counts(patterns: Sequence[FrozenAccess], run: Heard) -> Iterator[Counts | Unavailable]:
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


def _check(run: Heard, patterns: int) -> None:
    """Raises GpuError unless there is an answer for every pattern and a row for every launch."""
    error = next((answer["error"] for answer in run.answers if "error" in answer), None)
    if error is not None and known_complaint(run.text) is None:
        raise GpuError(error["kind"], error["sentence"])
    launches = sum(len(answer.get("turns", ())) for answer in run.answers)
    if error is not None or len(run.answers) != patterns or len(run.rows) != launches:
        raise GpuError("no_counters", why_not(run.text))
