"""Probe: measures accesses on the GPU from a process that never loads CUDA."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from warpviz.gpu import counters, processes
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.link import Link
from warpviz.gpu.measurement import Counts, Measurement, Unavailable
from warpviz.gpu.presence import gpu_present
from warpviz.gpu.request import ProbeRequest

Progress = Callable[[str], None]


class Probe:
    """Owns the worker process: started by the first measurement, killed when it hangs, started anew by the next.

    One thread measures; `cancel` and `close` may be called from another. command: what runs as the worker.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = list(command or processes.python_module("warpviz.gpu.worker"))
        self._lock = threading.Lock()
        self._link: Link | None = None
        self._ncu: subprocess.Popen[bytes] | None = None
        self._cancelled = False

    def measure(
        self, request: ProbeRequest, *, progress: Progress | None = None, timeout_s: float = 30.0
    ) -> Measurement:
        """Measure one access and wait for it. progress is told the stages, a few words each.

        Raises GpuError: see its kinds. After any of them the next measurement works, if the GPU does.
        """
        (measurement,) = self.measure_all([request], progress=progress, timeout_s=timeout_s)
        return measurement

    def measure_all(
        self, requests: Sequence[ProbeRequest], *, progress: Progress | None = None, timeout_s: float = 30.0
    ) -> list[Measurement]:
        """Measure several accesses, in their order; those that need counters are counted together, in one run.

        progress is told, before each stage, which of the accesses it belongs to ("12 of 65"). timeout_s: for each
        access, and for the counters together that and a second for each. Raises as `measure` does, with the first
        that fails.
        """
        say = progress or _say_nothing
        measured = []
        for answer in self._answers(requests, say, timeout_s):
            if isinstance(answer, GpuError):
                raise answer
            measured.append(answer)
        return self._counted(requests, measured, say, timeout_s)

    def measure_each(
        self, requests: Sequence[ProbeRequest], *, progress: Progress | None = None, timeout_s: float = 30.0
    ) -> list[Measurement | GpuError]:
        """As `measure_all`, but an access that is refused has that error in its place, and the others are measured."""
        say = progress or _say_nothing
        answers = list(self._answers(requests, say, timeout_s))
        places = [i for i, answer in enumerate(answers) if isinstance(answer, Measurement)]
        measured = [answer for answer in answers if isinstance(answer, Measurement)]
        counted = self._counted([requests[i] for i in places], measured, say, timeout_s)
        for i, measurement in zip(places, counted, strict=True):
            answers[i] = measurement
        return answers

    def count(self, patterns: Sequence[FrozenAccess], *, timeout_s: float = 120.0) -> list[Counts | Unavailable]:
        """Count several accesses in one run of Nsight Compute: what the counters show, in the order of the patterns.

        Raises GpuError when it takes too long or is cancelled. Without counters each is Unavailable.
        """
        try:
            return counters.count(patterns, timeout_s=timeout_s, started=self._remember_ncu)
        except GpuError as error:
            if self._cancelled:
                raise _cancelled() from None
            if error.kind != "no_counters":
                raise
            return [Unavailable(error.sentence)] * len(patterns)
        finally:
            self._remember_ncu(None)

    def cancel(self) -> None:
        """Stop the measurement that is running, if one is: it raises GpuError of kind "cancelled"."""
        with self._lock:
            self._cancelled = True
            if self._ncu is not None:
                processes.end(self._ncu)
            if self._link is not None:
                self._link.end()

    def close(self) -> None:
        """End the worker process. A later measurement starts one again."""
        self.cancel()
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _answers(
        self, requests: Sequence[ProbeRequest], say: Progress, timeout_s: float
    ) -> Iterator[Measurement | GpuError]:
        """For each request its measurement without counters, or the error of one that is refused."""
        self._cancelled = False
        if gpu_present() and any(request.counters == "require" for request in requests):
            counters.find_ncu()  # before anything is measured in vain
        for number, request in enumerate(requests, start=1):
            place = f"{number} of {len(requests)}: " if len(requests) > 1 else ""
            try:
                yield self._ask(request, partial(_say_after, place, say), timeout_s)
            except GpuError as error:
                if error.kind != "refused":
                    raise
                yield error

    def _counted(
        self, requests: Sequence[ProbeRequest], measurements: list[Measurement], say: Progress, timeout_s: float
    ) -> list[Measurement]:
        """The measurements, with counters where they are wanted."""
        places = [i for i, request in enumerate(requests) if _wants_counters(request, measurements[i])]
        if not places:
            return measurements
        say("counting with Nsight Compute")
        counted = self.count([requests[i].access for i in places], timeout_s=timeout_s + len(places))
        for i, counts in zip(places, counted, strict=True):
            if requests[i].counters == "require" and isinstance(counts, Unavailable):
                raise GpuError("no_counters", counts.reason)
            measurements[i] = replace(measurements[i], counters=counts)
        return measurements

    def _ask(self, request: ProbeRequest, say: Progress, timeout_s: float) -> Measurement:
        try:
            for reply in self._running().ask(request.to_json(), timeout_s):
                if "progress" in reply:
                    say(reply["progress"])
                elif "error" in reply:
                    raise GpuError(reply["error"]["kind"], reply["error"]["sentence"])
                else:
                    return Measurement.from_json(reply["measurement"])
        except GpuError as error:
            if error.kind != "refused":
                self._drop()
            if self._cancelled:
                raise _cancelled() from None
            raise
        raise AssertionError("a link gives replies until it raises")

    def _running(self) -> Link:
        with self._lock:
            if self._link is None or not self._link.alive:
                self._link = Link(self._command)
            return self._link

    def _drop(self) -> None:
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.end()

    def _remember_ncu(self, process: subprocess.Popen[bytes] | None) -> None:
        with self._lock:
            self._ncu = process
            if process is not None and self._cancelled:
                processes.end(process)


def _say_nothing(stage: str) -> None:
    pass


def _say_after(place: str, say: Progress, stage: str) -> None:
    say(place + stage)


def _cancelled() -> GpuError:
    return GpuError("cancelled", "the measurement was cancelled")


def _wants_counters(request: ProbeRequest, measurement: Measurement) -> bool:
    slope = measurement.wavefronts
    time_tells = slope is not None and slope.count is not None
    return request.counters == "require" or (request.counters == "auto" and not time_tells)
