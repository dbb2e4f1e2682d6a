"""The interpreter of PTX beside Numba's CUDA simulator on the same kernels; and how long, and in how much memory, a
whole `warpviz kernel` takes.

A thread-instruction is one PTX instruction run for one thread. Numba runs Python, and counts none: it is credited with
what the same threads run here. It gets a few blocks of the grid, which it runs one after the other, so that the
instructions are scaled by the number of threads. Its threads are Python's, and faster when they are kept to one core
than when several cores contend for the interpreter's lock: both are shown.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import DATA
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.prepare import prepare
from warpviz.kernel.source import read_source

_KERNELS = DATA / "kernels"
_NAMES = {"avg_shared_r3": "stencil, shared tile", "matmul_tiled": "tiled matrix product"}
_LARGE = {"grid": "65536", "N": str(1 << 24), "in": "f32[1<<24]:i%7", "out": "f32[1<<24]"}
_THOUSAND = {"grid": "1000", "N": "256000"}

Timed = dict[str, dict[str, float]]  # by kernel: its threads, and the seconds that they take


def report() -> list[str]:
    """A line for each kernel: thread-instructions a second, the ratio to Numba's; then one for each command."""
    python = _numba_python()
    simulated = {how: _simulated(python, cores) for how, cores in _cores().items()} if python else {}
    lines = [_compared(name, *_interpreted(name), simulated) for name in _NAMES]
    if not python:
        lines.append("Numba is not here: pip install numba, or set WARPVIZ_NUMBA_PYTHON to a Python that has it")
    for title, options, repeats in (("2^24-element stencil", _LARGE, 1), ("stencil of 1,000 blocks", _THOUSAND, 3)):
        seconds, megabytes = min(_command("avg_shared_r3", options) for _ in range(repeats))
        lines.append(f"{title:<24} {seconds:9.2f} s, {megabytes:,.0f} MB at most: the whole command")
    return lines


def _compared(name: str, outcome: Outcome, seconds: float, simulated: dict[str, Timed]) -> str:
    statistics = outcome.statistics
    fast = statistics.thread_instructions / seconds
    of_thread = statistics.thread_instructions / statistics.threads
    ratios = []
    for how, timed in simulated.items():
        slow = of_thread * timed[name]["threads"] / timed[name]["seconds"]
        ratios.append(f"{fast / slow:,.0f} x {how} ({slow:,.0f}/s)")
    return f"{_NAMES[name]:<24} {fast / 1e6:9.0f} M thread-instructions/s   {', '.join(ratios)}".rstrip()


def _interpreted(name: str) -> tuple[Outcome, float]:
    """The kernel as its file launches it, and the seconds of the fastest of three runs, its accesses counted."""
    prepared = prepare(read_source(_KERNELS / f"{name}.cu"), LaunchOptions())
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        outcome = interpret(prepared.program, prepared.launch)
        best = min(best, time.perf_counter() - start)
    return outcome, best


def _simulated(python: str, cores: set[int]) -> Timed:
    command = [python, str(Path(__file__).with_name("numba_simulator.py")), *map(str, cores)]
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    told: Timed = json.loads(subprocess.check_output(command, env=environment, text=True))
    return told


def _cores() -> dict[str, set[int]]:
    """The cores that Numba may use."""
    every = os.sched_getaffinity(0)
    return {"Numba's simulator": every, "it on one core": {min(every)}}


def _numba_python() -> str | None:
    named = os.environ.get("WARPVIZ_NUMBA_PYTHON")
    return named or (sys.executable if importlib.util.find_spec("numba") else None)


def _command(name: str, options: dict[str, str]) -> tuple[float, float]:
    """The seconds of a whole `warpviz kernel`, and the megabytes that it had at most."""
    arguments = [f"--arg={key}={value}" for key, value in options.items() if key != "grid"]
    file = str(_KERNELS / f"{name}.cu")
    command = [sys.executable, "-m", "warpviz", "kernel", file, "--grid", options["grid"], *arguments, "--json"]
    start = time.perf_counter()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    return time.perf_counter() - start, usage.ru_maxrss / 1000
