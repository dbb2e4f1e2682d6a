"""Kernels measured by a GPU that does what it is told to, for the tests of their screen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tests.gpu.samples import CONDITIONS, H200
from tests.kernel.test_measured import as_counted
from warpviz.gpu import GpuError, Unavailable
from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts
from warpviz.gpu.launching.measurement import LaunchMeasurement, Occupancy, Timing
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.kernel.measured import measure
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.measured_kernel import MeasuredKernel, by_row

Arrays = Mapping[str, np.ndarray[Any, Any]]


class KernelProbe:
    """Leaves these arrays, and counts this, once `release` is set; `cancel` ends the wait. here: the GPU's own arch."""

    def __init__(self, arrays: Arrays, counters: LaunchCounts | Unavailable, here: str = "sm_90") -> None:
        self._arrays, self._counters, self._here = arrays, counters, here
        self.release = threading.Event()
        self.cancelled = threading.Event()
        self.launched: list[str] = []

    def arch(self, *, progress: Callable[[str], None]) -> str:
        return self._here

    def launch(
        self, request: LaunchRequest, *, progress: Callable[[str], None] | None, counters: str, timeout_s: float
    ) -> LaunchMeasurement:
        self.cancelled.clear()
        self.launched.append(request.name)
        if progress is not None:
            progress("copying 64 MB")
        while not self.release.wait(0.005):
            if self.cancelled.is_set():
                raise GpuError("cancelled", "the measurement was cancelled")
        for array in request.arrays:
            self._arrays[array.name].tofile(array.result)
        timing = Timing(4.77e-6, 0.02, 10, ())
        return LaunchMeasurement(
            H200, "2026-12-01", timing, Resources(16, 4096, 0), Occupancy(2, 64, 64), CONDITIONS, self._counters
        )

    def cancel(self) -> None:
        self.cancelled.set()

    def stop_counting(self) -> None:
        pass

    def close(self) -> None:
        self.cancel()


def probe_for(
    shown: Interpreted, change: Callable[[LineCounts], LineCounts] = lambda line: line, here: str = "sm_90"
) -> KernelProbe:
    """Does what is predicted, but for a change of each line's counts."""
    return KernelProbe(shown.outcome.arrays, as_counted(shown.outcome, change), here)


def measured_with(shown: Interpreted, probe: KernelProbe) -> MeasuredKernel:
    """What such a GPU shows, at once."""
    probe.release.set()
    measured = measure(shown.prepared, shown.outcome, probe)  # type: ignore[arg-type]
    return by_row(measured, shown.table.costs)


def twice_the_loads(line: LineCounts) -> LineCounts:
    """Loads from shared memory that take twice the wavefronts."""
    if line.key != "shared_ld" or line.wavefronts is None:
        return line
    return replace(line, wavefronts=2 * line.wavefronts)
