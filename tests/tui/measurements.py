"""Measurements as a GPU would give them, and a probe that gives them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from warpviz.access import Access
from warpviz.gpu import (
    Conditions,
    FrozenAccess,
    Gpu,
    GpuError,
    Measurement,
    ProbeRequest,
    Run,
    Slope,
    Unavailable,
)

GPU = Gpu("NVIDIA H200", "sm_90", "580.1", "13.0", "13.0")


def measurement(access: Access, cycles: float, origin: str = "recorded") -> Measurement:
    """What timing gives for a shared access that takes so many cycles a request."""
    slope = Slope(cycles, 0.01, 1.0, Run(32, 32 * cycles), Run(128, 128 * cycles), 5, round(cycles))
    return Measurement(
        origin,  # type: ignore[arg-type]
        GPU,
        "2026-11-30T12:00:00Z",
        FrozenAccess.of(access),
        slope,
        Unavailable("not asked for"),
        None,
        addresses_agree=True,
        conditions=Conditions(1980, 3201, 41, 118.5, (), 0),
    )


class HeldProbe:
    """Measures what it is told to, once `release` is set; `cancel` ends the wait, and so does a later request."""

    def __init__(self, cycles: float = 8.0) -> None:
        self.cycles = cycles
        self.release = threading.Event()
        self.asked: list[ProbeRequest] = []
        self.closed = False
        self._cancelled = threading.Event()

    def measure_each(
        self,
        requests: Sequence[ProbeRequest],
        *,
        progress: Callable[[str], None] | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> list[Measurement | GpuError]:
        self._cancelled.clear()
        self.asked += requests
        if progress:
            progress("compiling")
        while not self.release.wait(0.005):
            if self._cancelled.is_set() or not wanted():
                raise GpuError("cancelled", "the measurement was cancelled")
        return [measurement(request.access.access(), self.cycles, origin="measured") for request in requests]

    def read_code(self, measured: Measurement) -> Measurement:
        return measured

    def stop_counting(self) -> None:
        pass

    def cancel(self) -> None:
        self._cancelled.set()

    def close(self) -> None:
        self.cancel()
        self.closed = True
