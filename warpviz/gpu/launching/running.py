"""A kernel of the user's, run on the device: once for what it leaves in memory, then again for the time it takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from warpviz.gpu.conditions import ConditionsReader
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.loaded import LoadedKernel, loaded, overwritten_bytes
from warpviz.gpu.launching.measurement import LaunchMeasurement, Timing
from warpviz.gpu.launching.memory import LaunchMemory, launch_memory
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.machine.complaints import DriverError
from warpviz.gpu.measurement import Unavailable

_TIMING_SECONDS = 2.0  # then no further repeat is begun
_LARGE_BYTES = 1_000_000  # arrays whose copying is worth its number
_NOT_COUNTED = Unavailable("the hardware counters were not asked for")

_FAULTS = {
    700: "a thread reads or writes at an address that holds nothing",
    702: "it takes longer than the system allows on a GPU that drives a display",
    710: "an assertion fails",
    714: "the stack overflows",
    715: "it comes to an illegal instruction or a trap",
    716: "a thread reads or writes at an address that is no multiple of the access's width",
    717: "an instruction for one memory space is given an address in another",
    718: "it jumps to where no code is",
    719: "it ends with an error that the driver does not explain",
}  # CUresult: what a kernel itself can do wrong

Progress = Callable[[str], None]


def measure_launch(
    device: Device, request: LaunchRequest, conditions: ConditionsReader, progress: Progress
) -> LaunchMeasurement:
    """Everything but the counters, which need a process of their own. The arrays go into the request's files.

    progress is told each stage as it begins. Raises GpuError: "refused" before anything is launched, or failed.
    """
    with _running(device, request, progress) as (kernel, memory):
        start = partial(kernel.start, memory.parameters)
        start()
        device.wait()
        progress("copying the arrays back")
        memory.save()
        progress("timing")
        timing = _timed(device, start, memory, request.repeats, halfway=lambda: conditions.begin(device.uuid))
        return LaunchMeasurement(
            gpu=device.describe(),
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            timing=timing,
            resources=kernel.resources,
            occupancy=kernel.occupancy(),
            conditions=conditions.read(device.uuid),
            counters=_NOT_COUNTED,
        )


def launch_once(device: Device, request: LaunchRequest) -> None:
    """For who counts it. Raises GpuError."""
    with _running(device, request, lambda stage: None) as (kernel, memory):
        kernel.start(memory.parameters)
        device.wait()


@contextmanager
def _running(device: Device, request: LaunchRequest, progress: Progress) -> Iterator[tuple[LoadedKernel, LaunchMemory]]:
    """The kernel and its memory, filled: the next thing is to start it. What it does wrong is told in a sentence."""
    progress("compiling for the GPU")
    try:
        with loaded(device, request) as kernel, launch_memory(device, request, kernel) as memory:
            size = request.array_bytes
            progress(f"copying {size / 1e6:,.0f} MB to the GPU" if size >= _LARGE_BYTES else "copying the arrays")
            memory.fill()
            progress(f"running {request.name} on the GPU")
            yield kernel, memory
    except DriverError as error:
        if error.code not in _FAULTS:
            raise
        raise GpuError("failed", f"{request.name} fails on the GPU: {_FAULTS[error.code]}") from error


def _timed(
    device: Device, start: Callable[[], None], memory: LaunchMemory, most: int, halfway: Callable[[], None]
) -> Timing:
    """Each run from the same contents, and with none of them in the caches. At least one, and fewer than `most` for a
    kernel that takes long."""
    runs: list[float] = []
    end = time.monotonic() + _TIMING_SECONDS
    size = overwritten_bytes(device)
    with device.memory(size) as elsewhere:
        while not runs or (len(runs) < most and time.monotonic() < end):
            memory.restore()
            if len(runs) == most // 2:
                halfway()
            runs.append(device.seconds(start, before=partial(device.overwrite, elsewhere, size)))
    median = statistics.median(runs)
    spread = (max(runs) - min(runs)) / median if median > 0 else 0.0
    return Timing(median, spread, len(runs), memory.changed)
