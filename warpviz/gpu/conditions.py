"""How the GPU stands while it is timed, by NVML: clocks, heat, power, and what holds the clocks back.

On an H200 machine NVML takes 0.1 s to start, so it starts in the background beside CUDA; and 1.5 ms for each
question, so a reading runs in the background as well, and one serves all that is measured within half a second of it.
The clocks come first: they fall when the GPU is idle. The power is what NVML gives: on most GPUs the mean of the last
second.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from warpviz.gpu.measurement import Conditions, Unavailable

_FRESH_SECONDS = 0.5  # a reading that began so long ago still tells how the GPU stands
_PATIENCE_SECONDS = 1.0  # then NVML is given up on, and the measurement goes without it

_IDLE = 0x1  # holds the clocks of a GPU that does nothing
_REASONS = {
    0x2: "application clocks",
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x10: "sync boost",
    0x20: "heat: software slowdown",
    0x40: "heat: hardware slowdown",
    0x80: "power brake",
    0x100: "display",
    0x200: "board limit",
    0x400: "reliability limit",
}  # nvml.h: nvmlClocksEventReason…, and the two older ones

T = TypeVar("T")


class ConditionsReader:
    """Asks NVML about one GPU. NVML starts in the background at once.

    load: gives the module pynvml, initialised. One thread uses a reader.
    """

    def __init__(self, load: Callable[[], Any] | None = None) -> None:
        self._nvml: Future[Any] = _in_background(load or _load)
        self._reading: Future[Conditions | Unavailable] | None = None
        self._begun = float("-inf")  # when, on the monotonic clock

    def begin(self, uuid: str) -> None:
        """Begin a reading of this GPU, while it is busy; `read` gives it. uuid: such as GPU-… or MIG-…"""
        if self._reading is not None and not self._reading.done():
            return  # NVML hangs, or is slow to start: another one would wait as well
        self._begun = time.monotonic()
        self._reading = _in_background(lambda: _read(self._nvml.result(), uuid))

    def read(self, uuid: str) -> Conditions | Unavailable:
        """The reading that began last, if that is less than half a second ago, else a new one of now."""
        if time.monotonic() - self._begun > _FRESH_SECONDS:
            self.begin(uuid)
        assert self._reading is not None
        try:
            return self._reading.result(timeout=max(0.0, self._begun + _PATIENCE_SECONDS - time.monotonic()))
        except TimeoutError:
            return Unavailable("NVML, which tells the clocks, gives no answer")
        except _NvmlError as error:
            return Unavailable(str(error))


class _NvmlError(Exception):
    """There is no NVML to ask: a sentence says why."""


def _load() -> Any:
    """The module pynvml, with NVML started. Raises _NvmlError."""
    try:
        import pynvml
    except ImportError as error:
        mend = "pip install nvidia-ml-py"
        raise _NvmlError(f"the package that tells the GPU's clocks is not installed: {mend}") from error
    try:
        pynvml.nvmlInit()
    except (pynvml.NVMLError, OSError) as error:
        raise _NvmlError(f"NVML, which tells the clocks, does not start: {error}") from error
    return pynvml


def _read(nvml: Any, uuid: str) -> Conditions | Unavailable:
    """The clocks first, while the GPU is busy. uuid: of a GPU or of a MIG slice, whose clocks are those of its GPU."""
    try:
        device = nvml.nvmlDeviceGetHandleByUUID(uuid.encode())
        whole = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device) if uuid.startswith("MIG-") else device
    except (nvml.NVMLError, AttributeError) as error:
        return Unavailable(f"NVML does not find the GPU {uuid}: {error}")
    ask = partial(told, nvml)
    sm_mhz = ask("nvmlDeviceGetClockInfo", whole, nvml.NVML_CLOCK_SM)
    reasons = ask("nvmlDeviceGetCurrentClocksEventReasons", whole)
    if reasons is None:
        reasons = ask("nvmlDeviceGetCurrentClocksThrottleReasons", whole)  # its name before driver 535
    memory_mhz = ask("nvmlDeviceGetClockInfo", whole, nvml.NVML_CLOCK_MEM)
    celsius = ask("nvmlDeviceGetTemperature", whole, nvml.NVML_TEMPERATURE_GPU)
    milliwatts = ask("nvmlDeviceGetPowerUsage", whole)
    return Conditions(
        sm_mhz=sm_mhz,
        memory_mhz=memory_mhz,
        temperature_celsius=celsius,
        power_watts=None if milliwatts is None else milliwatts / 1000,
        throttled=None if reasons is None else reasons_in_words(reasons),
        other_processes=_others(ask("nvmlDeviceGetComputeRunningProcesses", device)),
    )


def told(nvml: Any, function: str, *arguments: Any) -> Any:
    """What NVML answers; None where it refuses, or is too old to know the question."""
    try:
        return getattr(nvml, function)(*arguments)
    except (nvml.NVMLError, AttributeError):
        return None


def reasons_in_words(reasons: int) -> tuple[str, ...]:
    """NVML's bits for what holds the clocks back.

    >>> reasons_in_words(0x1), reasons_in_words(0x24), reasons_in_words(0x800)
    ((), ('power cap', 'heat: software slowdown'), ('a reason that NVML numbers 0x800',))
    """
    bits = [1 << place for place in range(reasons.bit_length()) if reasons >> place & 1]
    return tuple(_REASONS.get(bit, f"a reason that NVML numbers {bit:#x}") for bit in bits if bit != _IDLE)


def _others(processes: list[Any] | None) -> int | None:
    """How many of the processes are not this one; None where this one is not among them, as in some containers."""
    ids = {process.pid for process in processes or ()}
    return len(ids) - 1 if os.getpid() in ids else None


def _in_background(work: Callable[[], T]) -> Future[T]:
    """What `work` gives or raises, in a thread that does not keep the process from ending."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
