"""Hardware counters: Nsight Compute (ncu) run over a process that makes the accesses, and its answer read."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path

from warpviz.gpu import processes
from warpviz.gpu.counting import ACCESSES
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Counts, Unavailable
from warpviz.model.metrics import metric_names

Row = dict[str, float]

_USUAL_PLACES = ("/usr/local/cuda/bin/ncu", "/opt/nvidia/nsight-compute/ncu")


def find_ncu() -> str:
    """The path of ncu. Raises GpuError of kind "no_counters" when there is none."""
    found = shutil.which("ncu") or next((place for place in _USUAL_PLACES if os.access(place, os.X_OK)), None)
    if found is None:
        raise GpuError(
            "no_counters",
            "Nsight Compute (ncu), which reads the hardware counters, is not on the PATH: the CUDA toolkit brings it",
        )
    return found


def metrics(pattern: FrozenAccess) -> dict[str, str]:
    """Field of Counts -> name of the metric, for the pattern's memory space and op."""
    counted = {field.name for field in fields(Counts)}
    return {name: metric for name, metric in metric_names(pattern.space, pattern.op).items() if name in counted}


def count(
    patterns: Sequence[FrozenAccess], *, timeout_s: float, started: Callable[[subprocess.Popen[bytes]], None]
) -> list[Counts | Unavailable]:
    """What the counters show for each pattern, per access, by one run of ncu. started: is given ncu's process.

    Raises GpuError: "no_counters" when they cannot be read, "timed_out", or what the counted process says.
    """
    ncu = find_ncu()
    wanted = sorted({name for pattern in patterns for name in metrics(pattern).values()})
    with tempfile.TemporaryDirectory(prefix="warpviz-") as folder:
        log = Path(folder) / "ncu.csv"
        answer = _run(_command(ncu, wanted, log), patterns, timeout_s, started)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    launched = _launched(answer, text)
    rows = read_rows(text)
    if len(rows) != 2 * sum(entry is True for entry in launched):
        raise GpuError("no_counters", why_not(text))
    tool = _tool(ncu)
    pairs = iter(zip(rows[::2], rows[1::2], strict=True))
    return [
        per_access(pattern, *next(pairs), tool) if entry is True else Unavailable(str(entry))
        for pattern, entry in zip(patterns, launched, strict=True)
    ]


def per_access(pattern: FrozenAccess, short: Row, long: Row, tool: str) -> Counts | Unavailable:
    """The counts of one access, from two launches that differ by ACCESSES of them."""
    names = metrics(pattern)
    missing = [name for name in names.values() if name not in long]
    if missing:
        return Unavailable(f"Nsight Compute gives no value for {missing[0]} on this GPU")
    return Counts(tool, **{field: (long[name] - short[name]) / ACCESSES for field, name in names.items()})


def read_rows(text: str) -> list[Row]:
    """Metric -> value, for each launch, from ncu's `--csv --page raw`: a header, a row of units, then the launches."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = csv.DictReader(lines[start:])
    return [
        {name: float(value.replace(",", "")) for name, value in row.items() if name and _is_number(name, value)}
        for row in rows
        if row.get("ID", "").isdigit()
    ]


def why_not(text: str) -> str:
    """One sentence for what ncu's output says went wrong, with the mend where there is one."""
    if "ERR_NVGPUCTRPERM" in text:
        return (
            "this user may not read the GPU's hardware counters (ERR_NVGPUCTRPERM): the administrator allows it with "
            "the driver option NVreg_RestrictProfilingToAdminUsers=0"
        )
    unknown = re.search(r"Failed to find metric (\S+)", text)
    if unknown:
        return f"this version of Nsight Compute knows no metric {unknown[1]} for this GPU: a newer one may"
    error = re.search(r"==ERROR==\s*(.+)", text)
    return f"Nsight Compute counted nothing: {error[1].strip() if error else 'it gives no reason'}"


def _command(ncu: str, wanted: Sequence[str], log: Path) -> list[str]:
    options = [
        "--clock-control",
        "none",
        "--cache-control",
        "none",
        "--csv",
        "--page",
        "raw",
        "--print-units",
        "base",
        "--log-file",
        str(log),
    ]
    chosen = ["--metrics", ",".join(wanted), "--kernel-name", "accesses"]
    return [ncu, *options, *chosen, *processes.python_module("warpviz.gpu.counting")]


def _run(
    command: Sequence[str],
    patterns: Sequence[FrozenAccess],
    timeout_s: float,
    started: Callable[[subprocess.Popen[bytes]], None],
) -> bytes:
    """What the counted process prints."""
    try:
        process = processes.start(command)
    except OSError as error:
        raise GpuError("no_counters", f"Nsight Compute does not start: {error}") from error
    started(process)
    try:
        out, _ = process.communicate(json.dumps([pattern.to_json() for pattern in patterns]).encode(), timeout_s)
    except subprocess.TimeoutExpired:
        raise GpuError("timed_out", f"Nsight Compute was not done within {timeout_s:g} s and was stopped") from None
    finally:
        processes.end(process)
    return out


def _launched(answer: bytes, text: str) -> list[bool | str]:
    """For each pattern: True, or why it was not launched."""
    lines = [line for line in answer.splitlines() if line.startswith(b"{")]
    if not lines:
        raise GpuError("no_counters", why_not(text))
    data = json.loads(lines[-1])
    if "error" in data:
        raise GpuError(data["error"]["kind"], data["error"]["sentence"])
    return list(data["launched"])


def _is_number(name: str, value: str | None) -> bool:
    return "__" in name and value is not None and re.fullmatch(r"[\d,]+(\.\d+)?", value) is not None


@cache
def _tool(ncu: str) -> str:
    """Such as "Nsight Compute 2025.3.1.0"."""
    out = subprocess.run([ncu, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Version (\S+)", out)
    return f"Nsight Compute {found[1]}" if found else "Nsight Compute"
