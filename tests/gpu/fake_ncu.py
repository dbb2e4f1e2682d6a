"""A stand-in for Nsight Compute that counts what the model predicts: the counting process runs over a GPU that is none.

FAKE_NCU_UNKNOWN in the environment: metrics that it does not know, with commas between. FAKE_NCU_NO_VALUE: those that
have no value. Of a user's kernel, which is launched on the fake driver, every metric is 1,024, of which each of the
first instructions has 32.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import warpviz
from warpviz.gpu.counters import counting
from warpviz.gpu.kernels import UNROLLED, Source
from warpviz.gpu.lanes import Lanes
from warpviz.gpu.launching.metrics import BY_INSTRUCTION
from warpviz.gpu.limits import Limits
from warpviz.model.metrics import instruction_metric, instructions, metric_names

CONSTANT_LINE_BYTES = 64
CODE_START, INSTRUCTIONS = 0x7FF0_1230_0000, 20  # of a user's kernel


def main() -> None:
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print("NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.1.0 (build 36398880) (public-release)")
        return
    after = {option: arguments[arguments.index(option) + 1] for option in ("--log-file", "--metrics")}
    log, metrics = Path(after["--log-file"]), after["--metrics"].split(",")
    unknown = [metric for metric in metrics if metric in _named("FAKE_NCU_UNKNOWN")]
    if unknown:
        log.write_text(f"==PROF== Connected to process 1 (python)\n==ERROR== Failed to find metric {unknown[0]}\n")
        return
    if "warpviz.gpu.counters.launch" in arguments:
        subprocess.run(arguments[arguments.index(sys.executable) :], check=True)
        _write_table(log, arguments[arguments.index("--kernel-name") + 1], metrics, [_of_users_kernel(metrics)])
        return
    launches: list[dict[str, float]] = []
    counting.Device = lambda: NoGpu(launches)  # type: ignore[assignment,misc]
    sys.argv = ["counting", arguments[-1]]
    counting.main()
    rows = [[_shown(metric, launch.get(metric, 0.0)) for metric in metrics] for launch in launches]
    _write_table(log, "accesses", metrics, rows)


def _write_table(log: Path, kernel: str, metrics: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with log.open("w", newline="") as file:
        file.write("==PROF== Connected to process 1 (python)\n")
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        table.writerow(["ID", "Kernel Name", *metrics])
        table.writerow(["", "", *("" for _ in metrics)])
        for number, row in enumerate(rows):
            table.writerow([number, kernel, *row])


def _of_users_kernel(metrics: Sequence[str]) -> list[str]:
    instances = "; ".join(f"{CODE_START + 16 * place:#x}: 32" for place in range(INSTRUCTIONS))
    return [_shown(metric, 1024.0) + (f" ({instances})" if metric in BY_INSTRUCTION else "") for metric in metrics]


class NoGpu:
    """Notes what a launch would count, from what the kernel is given."""

    def __init__(self, launches: list[dict[str, float]]) -> None:
        self._launches = launches

    def limits(self) -> Limits:
        return Limits(shared_bytes=232_448, constant_bytes=65_536, global_bytes=1 << 30)

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        yield 0

    def wait(self) -> None:
        pass

    def launch(self, source: Source, kernel: str, *arguments: Any, shared_bytes: int) -> None:
        lanes, turns = arguments[0], arguments[3].value
        self._launches.append(dict(_counted(dict(macro.split("=") for macro in source.macros), lanes, turns)))


def _counted(macros: Mapping[str, str], lanes: Lanes, turns: int) -> Iterator[tuple[str, float]]:
    space: Any = macros["SPACE"].lower()
    op: Any = macros["OP"].lower()
    width = int(macros["WIDTH"])
    matrices = int(macros["MATRICES"]) if "MATRICES" in macros else None
    offsets, active = list(lanes.offset), [bool(lanes.active >> lane & 1) for lane in range(32)]
    cost = warpviz.cost(offsets, space=space, op=op, width=width, active=active, matrices=matrices)
    accesses = turns * UNROLLED
    for quantity, metric in metric_names(space, op).items():
        yield metric, _once(metric, lanes) + accesses * int(getattr(cost, quantity)[0])
    metric = instruction_metric(space, op)
    yield metric, _once(metric, lanes) + accesses * instructions(space, width)


def _once(metric: str, lanes: Lanes) -> float:
    """What a launch costs once: its parameters are read from constant memory, the offset of each active lane by itself,
    and a line that is not in the constant cache is asked for again."""
    if metric == "idc__requests.sum":
        lines = {offset // CONSTANT_LINE_BYTES for offset in lanes.offset}
        return 3 + lanes.active.bit_count() + len(lines)
    return 4.0 if metric == "smsp__inst_executed_op_ldc.sum" else 0.0


def _named(variable: str) -> list[str]:
    return os.environ.get(variable, "").split(",")


def _shown(metric: str, value: float) -> str:
    return "n/a" if metric in _named("FAKE_NCU_NO_VALUE") else f"{value:,.0f}"
