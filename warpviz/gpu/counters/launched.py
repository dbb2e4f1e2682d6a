"""Hardware counters of a user's kernel: Nsight Compute run over one launch of it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.code.disassembler import find_disassembler, kept_listing
from warpviz.gpu.code.sass import read_kernel
from warpviz.gpu.counters import ncu
from warpviz.gpu.counters.complaints import known_complaint, why_not
from warpviz.gpu.counters.heard import Heard, read_instances, read_table, read_values, run_with_known
from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts
from warpviz.gpu.launching.lines import line_counts
from warpviz.gpu.launching.metrics import BY_INSTRUCTION, metric_names
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.measurement import Unavailable

_ANSWERS = frozenset({"launched", "error"})


def count_launch(
    request: LaunchRequest,
    *,
    timeout_s: float,
    started: ncu.Started,
    told: Callable[[str], None],
    environment: Mapping[str, str],
) -> LaunchCounts:
    """What the counters show for one launch. Metrics that this Nsight Compute does not know for the GPU are left out.

    started: is given ncu's process. told: is told the progress. environment: of the processes, beside this one's.
    timeout_s: for each run of ncu; it launches the kernel again and again, some counters at a time.
    Raises GpuError: "no_counters" when they cannot be read, "timed_out", or what the counted process says.
    """
    told(f"counting {request.name} with Nsight Compute")

    def run(wanted: Sequence[str]) -> Heard:
        heard = Heard(_ANSWERS)
        with tempfile.TemporaryDirectory(prefix="warpviz-") as name:
            asked = Path(name) / "launch.json"
            asked.write_text(json.dumps(request.to_json()))
            written = ncu.run(
                [*processes.python_module("warpviz.gpu.counters.launch"), str(asked)],
                metrics=wanted,
                kernel=request.symbol,
                options=("--print-metric-instances", "details"),
                folder=Path(name),
                environment=environment,
                timeout_s=timeout_s,
                started=started,
                printed=heard.listen,
            )
        heard.said.append(written)
        return heard

    heard = run_with_known(run, metric_names())
    (answer,) = _checked(heard)
    cells = read_table(heard.text)[-1]
    lines = _lines(
        request, answer["launched"], {name: read_instances(cells[name]) for name in BY_INSTRUCTION if name in cells}
    )
    return LaunchCounts(ncu.tool_name(ncu.find_ncu()), read_values(cells, metric_names()), lines)


def _lines(
    request: LaunchRequest, arch: str, counted: Mapping[str, Mapping[int, int]]
) -> tuple[LineCounts, ...] | Unavailable:
    """arch: that the counted kernel was compiled for."""
    disassembler = find_disassembler()
    if isinstance(disassembler, Unavailable):
        return disassembler
    listing = kept_listing(disassembler, compile_cubin(request.source, arch), with_lines=True)
    if isinstance(listing, Unavailable):
        return listing
    routine = read_kernel(listing, request.symbol)
    try:
        return line_counts(counted, routine.instructions if routine else ())
    except ValueError as error:
        return Unavailable(f"the counts cannot be sorted by line: {error}")


def _checked(heard: Heard) -> list[dict[str, Any]]:
    """The one answer. Raises GpuError unless the kernel was launched and counted."""
    error = next((answer["error"] for answer in heard.answers if "error" in answer), None)
    if error is not None and known_complaint(heard.text) is None:
        raise GpuError(error["kind"], error["sentence"])
    if error is not None or len(heard.answers) != 1 or not heard.rows:
        raise GpuError("no_counters", why_not(heard.text))
    return heard.answers
