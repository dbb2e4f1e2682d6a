"""Nsight Compute's command line, ncu: where it is, which version it is, and one run of it over a process of ours."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from warpviz.gpu import processes
from warpviz.gpu.errors import GpuError
from warpviz.gpu.toolkit import find_program, version_numbers

Started = Callable[[subprocess.Popen[bytes]], None]

_INSTALLED = Path("/opt/nvidia/nsight-compute")  # with a folder for each version
_VERSION_SECONDS = 10.0
_OPTIONS = ("--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units", "base")


def find_ncu() -> str:
    """The path of ncu. Raises GpuError of kind "no_counters" when there is none."""
    found = find_program("ncu") or next((str(path) for path in _installed() if os.access(path, os.X_OK)), None)
    if found is not None:
        return found
    locked = next((path for path in _on_path() if path.exists()), None)
    if locked is not None:
        raise GpuError("no_counters", f"{locked} may not be executed: chmod a+x lets it")
    raise GpuError(
        "no_counters",
        "Nsight Compute (ncu), which reads the hardware counters, is not found: the CUDA toolkit brings it",
    )


@cache
def tool_name(ncu: str) -> str:
    """Such as "Nsight Compute 2025.3.1.0"; without a version where it tells none."""
    try:
        out = subprocess.run(
            [ncu, "--version"], capture_output=True, text=True, errors="replace", check=False, timeout=_VERSION_SECONDS
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        out = ""
    found = re.search(r"Version (\d[\d.]*)", out)
    return f"Nsight Compute {found[1]}" if found else "Nsight Compute"


def run(
    counted: Sequence[str],
    *,
    metrics: Sequence[str],
    kernel: str,
    folder: Path,
    environment: Mapping[str, str],
    timeout_s: float,
    started: Started,
    printed: Callable[[bytes], None],
    options: Sequence[str] = (),
) -> str:
    """Run ncu over the command `counted` and give what it writes: the table of the launches, and what it complains of.

    kernel: as the machine code names it; no other is counted. folder: for its files, empty. environment: of both,
    beside this process's. started: is given ncu's process. printed: is given each line that the command prints, as it
    comes. options: more of ncu's. Raises GpuError: "no_counters" when ncu does not start, "timed_out".
    """
    log, errors = folder / "ncu.csv", folder / "stderr"
    chosen = ["--log-file", str(log), "--metrics", ",".join(metrics), *options]
    chosen += ["--kernel-name-base", "mangled", "--kernel-name", kernel]
    try:
        with errors.open("wb") as file:
            process = processes.start([find_ncu(), *_OPTIONS, *chosen, *counted], stderr=file, environment=environment)
    except OSError as error:
        raise GpuError("no_counters", f"Nsight Compute does not start: {error}") from error
    started(process)
    try:
        _listen(process, time.monotonic() + timeout_s, printed)
    except (queue.Empty, subprocess.TimeoutExpired):
        sentence = f"Nsight Compute was not done within {timeout_s:g} s and was stopped"
        raise GpuError("timed_out", sentence) from None
    finally:
        processes.end(process)
    written = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in (log, errors) if path.exists())
    killed = f"\nit was ended by signal {-process.returncode}" if (process.returncode or 0) < 0 else ""
    return written + killed


def _listen(process: subprocess.Popen[bytes], deadline: float, printed: Callable[[bytes], None]) -> None:
    """Until the process ends. Raises queue.Empty or TimeoutExpired at the deadline."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def read(stdout: Iterable[bytes]) -> None:
        for line in stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, args=(process.stdout,), daemon=True).start()
    while (line := lines.get(timeout=max(0.0, deadline - time.monotonic()))) is not None:
        printed(line)
    process.wait(max(0.0, deadline - time.monotonic()))


def _installed() -> list[Path]:
    """Of Nsight Compute's own installer, the newest version first."""
    return sorted(_INSTALLED.glob("*/ncu"), key=lambda path: version_numbers(path.parent.name), reverse=True)


def _on_path() -> list[Path]:
    return [Path(folder) / "ncu" for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
