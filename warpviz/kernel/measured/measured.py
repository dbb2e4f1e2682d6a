"""One launch on the GPU beside the same launch in the interpreter."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.counts import LineCounts
from warpviz.gpu.launching.measurement import LaunchMeasurement
from warpviz.gpu.measurement import Unavailable
from warpviz.gpu.probe import Probe
from warpviz.gpu.request import Counters
from warpviz.kernel.counters import kernel_counters
from warpviz.kernel.counting import by_line
from warpviz.kernel.interpret import Outcome
from warpviz.kernel.measured.causes import causes_of_other_numbers
from warpviz.kernel.measured.counters import CounterComparison, compare_counters
from warpviz.kernel.measured.lines import LineComparison, as_in_ptx, causes_by_key, compare_lines
from warpviz.kernel.measured.outputs import ArrayComparison, compare_arrays
from warpviz.kernel.measured.requesting import launch_request
from warpviz.kernel.prepare import Prepared

_SECONDS = 60.0


@dataclass(frozen=True)
class Measured:
    """What a GPU showed for a launch, and how that compares.

    arrays: each beside the interpreted one. counters: of the whole kernel; lines: by line; rows: what was counted for
    the lines, by op, memory space and width. Each of these is Unavailable where it could not be counted.
    """

    measurement: LaunchMeasurement
    arrays: tuple[ArrayComparison, ...]
    counters: tuple[CounterComparison, ...] | Unavailable
    lines: tuple[LineComparison, ...] | Unavailable
    rows: tuple[LineCounts, ...] | Unavailable

    @property
    def is_equal(self) -> bool:
        """Whether nothing that was measured differs from what was predicted."""
        counted = () if isinstance(self.counters, Unavailable) else self.counters
        arrays_equal = all(array.difference is None for array in self.arrays)
        return arrays_equal and all(counter.is_equal is not False for counter in counted)


def measure(
    prepared: Prepared,
    outcome: Outcome,
    probe: Probe,
    *,
    counters: Counters = "auto",
    told: Callable[[str], None] | None = None,
    timeout_s: float = _SECONDS,
) -> Measured:
    """Launch the kernel as it was interpreted, and compare.

    outcome: of interpreting it. counters, told, timeout_s: see Probe.launch. Raises GpuError, LaunchError.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="warpviz-") as folder:
            request = launch_request(prepared, Path(folder))
            measurement = probe.launch(request, counters=counters, progress=told, timeout_s=timeout_s)
            why = causes_of_other_numbers(prepared.program, outcome.counts)
            arrays = compare_arrays(outcome.arrays, request, why)
    except OSError as error:
        raise GpuError("failed", f"there is no room for the arrays in files: {error.strerror or error}") from error
    counted = measurement.counters
    if isinstance(counted, Unavailable):
        return Measured(measurement, arrays, counted, counted, counted)
    rows = counted.lines if isinstance(counted.lines, Unavailable) else as_in_ptx(counted.lines, prepared.program)
    lines = rows if isinstance(rows, Unavailable) else compare_lines(by_line(outcome.counts), rows)
    reasons = {} if isinstance(lines, Unavailable) else causes_by_key(lines, outcome.findings)
    return Measured(measurement, arrays, compare_counters(kernel_counters(outcome), counted, reasons), lines, rows)
