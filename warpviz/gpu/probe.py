"""Probe: measures accesses on the GPU from a process that never loads CUDA."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

from warpviz.gpu import processes
from warpviz.gpu.code.reader import CodeReader, Compiled
from warpviz.gpu.counters.ncu import find_ncu
from warpviz.gpu.counters.run import CounterRun
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.launching.counts import LaunchCounts
from warpviz.gpu.launching.measurement import LaunchMeasurement
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.link import Ask
from warpviz.gpu.machine import choice
from warpviz.gpu.machine.presence import gpu_present
from warpviz.gpu.measurement import Counts, Measurement, Unavailable
from warpviz.gpu.owner import Owner
from warpviz.gpu.request import Counters, ProbeRequest, wants_counters
from warpviz.hardware import check_device

_PREPARED = 64  # requests whose sources are compiled ahead together

Progress = Callable[[str], None]
Wanted = Callable[[], bool]


class Probe:
    """Owns the worker process: started by the first measurement, killed when it hangs, started anew by the next.

    device: the number or UUID of the GPU (see `warpviz.gpu.machine.choice`); None for the first that CUDA shows.
    command: what runs as the worker. One thread measures; others may read code, `cancel` and `close` meanwhile. Raises
    ValueError for a device that is neither a number nor a UUID.
    """

    def __init__(self, device: str | None = None, *, command: Sequence[str] | None = None) -> None:
        if device is not None:
            check_device(device)
        environment = partial(choice.environment, device)
        self._owner = Owner(command or processes.python_module("warpviz.gpu.worker"), environment)
        self._counters = CounterRun(environment)
        self._codes = CodeReader()
        self._stops = 0  # so many times it was cancelled or closed

    def arch(self, *, progress: Progress | None = None, timeout_s: float = 30.0) -> str:
        """The GPU's architecture, such as sm_90. Starts it if need be. Raises GpuError: see its kinds."""
        return str(self._owner.ask({"start": True}, self._begin(progress, timeout_s)).get("arch"))

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
        ask = self._begin(progress, timeout_s)
        measured = []
        for answer in self._answers(requests, ask):
            if isinstance(answer, GpuError):
                raise answer
            measured.append(answer)
        return self._counted(requests, measured, ask)

    def measure_each(
        self,
        requests: Sequence[ProbeRequest],
        *,
        progress: Progress | None = None,
        timeout_s: float = 30.0,
        wanted: Wanted | None = None,
    ) -> list[Measurement | GpuError]:
        """As `measure_all`, but an access that is refused has that error in its place, and the others are measured.

        wanted: asked now and then. When it says no, the access that is timed may end, within half a second, and
        GpuError of kind "cancelled" is raised: so the worker stays for what comes next. `stop_counting` does the rest.
        """
        ask = self._begin(progress, timeout_s, wanted)
        answers = list(self._answers(requests, ask))
        places = [i for i, answer in enumerate(answers) if isinstance(answer, Measurement)]
        measured = [answer for answer in answers if isinstance(answer, Measurement)]
        counted = self._counted([requests[i] for i in places], measured, ask)
        for i, measurement in zip(places, counted, strict=True):
            answers[i] = measurement
        return answers

    def count(
        self, patterns: Sequence[FrozenAccess], *, progress: Progress | None = None, timeout_s: float = 120.0
    ) -> list[Counts | Unavailable]:
        """Count several accesses in one run of Nsight Compute: what the counters show, in the order of the patterns.

        Raises GpuError when it takes too long or is cancelled. Without counters each is Unavailable.
        """
        return self._counters.count(patterns, self._begin(progress, timeout_s))

    def launch(
        self,
        request: LaunchRequest,
        *,
        counters: Counters = "auto",
        progress: Progress | None = None,
        timeout_s: float = 60.0,
    ) -> LaunchMeasurement:
        """Launch a kernel once, its arrays going into the files that the request names, then time it and count it.

        counters: "off" never; "require" always, and fails without; else where they can be read. timeout_s: for the
        launch with its timing, and for the counters again. Raises GpuError: see its kinds. After any of them the next
        launch works, if the GPU does.
        """
        ask = self._begin(progress, timeout_s)
        if counters == "require" and gpu_present():
            find_ncu()  # before anything is measured in vain
        launched = _launched(self._owner.ask({"launch": request.to_json()}, ask))
        ask.check()
        if counters == "off":
            return launched
        try:
            counted: LaunchCounts | Unavailable = self._counters.count_launch(request, ask)
        except GpuError as error:
            if counters == "require" or error.kind == "cancelled":
                raise
            counted = Unavailable(error.sentence)
        return replace(launched, counters=counted)

    def read_code(self, measurement: Measurement, *, timeout_s: float = 30.0) -> Measurement:
        """The measurement with what the machine code of its kernel makes of the access, or why that is not known.

        It takes some 0.4 s the first time for a kind of instruction. A worker that measures meanwhile is let finish,
        and is free again before the code is disassembled. Never raises GpuError.
        """
        pattern, ask = measurement.access, self._begin(None, timeout_s)

        def compiled() -> Compiled:
            return Compiled.from_json(self._owner.ask({"compile": pattern.to_json()}, ask)["compiled"])

        return replace(measurement, code=self._codes.read(pattern, compiled))

    def stop_counting(self) -> None:
        """End Nsight Compute, if it runs. Does not wait."""
        self._counters.stop()

    def cancel(self) -> None:
        """Stop the measurement that is running, if one is: it raises GpuError of kind "cancelled". Does not wait."""
        self._stops += 1
        self.stop_counting()
        self._owner.kill()

    def close(self) -> None:
        """End the worker process. A later measurement starts one again."""
        self.cancel()
        self._owner.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, progress: Progress | None, timeout_s: float, wanted: Wanted | None = None) -> Ask:
        stops = self._stops
        return Ask(progress or _say_nothing, timeout_s, lambda: self._stops != stops, wanted or _always)

    def _answers(self, requests: Sequence[ProbeRequest], ask: Ask) -> Iterator[Measurement | GpuError]:
        """For each request its measurement without counters, or the error of one that is refused."""
        if gpu_present() and any(request.counters == "require" for request in requests):
            find_ncu()  # before anything is measured in vain
        for number, request in enumerate(requests, start=1):
            if number % _PREPARED == 1 and len(requests) > 1:
                following = requests[number : number - 1 + _PREPARED]
                self._owner.ask({"prepare": [one.source for one in following if one.source]}, ask)
            place = f"{number} of {len(requests)}: " if len(requests) > 1 else ""
            try:
                reply = self._owner.ask(
                    {"measure": request.to_json()}, replace(ask, say=partial(_say_after, place, ask.say))
                )
                answer: Measurement | GpuError = _measurement(reply, request)
            except GpuError as error:
                answer = error
            ask.check()
            if isinstance(answer, GpuError) and answer.kind != "refused":
                raise answer
            yield answer

    def _counted(
        self, requests: Sequence[ProbeRequest], measurements: list[Measurement], ask: Ask
    ) -> list[Measurement]:
        """The measurements, with counters where they are wanted."""
        places = [i for i, request in enumerate(requests) if wants_counters(request.counters, measurements[i])]
        if not places:
            return measurements
        longer = replace(ask, timeout_s=ask.timeout_s + len(places))
        counted = self._counters.count([requests[i].access for i in places], longer)
        for i, counts in zip(places, counted, strict=True):
            if requests[i].counters == "require" and isinstance(counts, Unavailable):
                raise GpuError("no_counters", counts.reason)
            measurements[i] = replace(measurements[i], counters=counts)
        return measurements


def _always() -> bool:
    return True


def _measurement(reply: dict[str, Any], request: ProbeRequest) -> Measurement:
    """The worker's answer to this request. Raises GpuError for another."""
    try:
        measurement = Measurement.from_json(reply["measurement"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise GpuError("failed", f"the GPU worker answers what is no measurement: {error!r}") from error
    if measurement.access != request.access:
        raise GpuError("failed", "the GPU worker answers for another access")
    return measurement


def _launched(reply: dict[str, Any]) -> LaunchMeasurement:
    """The worker's answer to a launch. Raises GpuError for another."""
    try:
        return LaunchMeasurement.from_json(reply["launched"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise GpuError("failed", f"the GPU worker answers what is no measurement: {error!r}") from error


def _say_nothing(stage: str) -> None:
    pass


def _say_after(place: str, say: Progress, stage: str) -> None:
    say(place + stage)
