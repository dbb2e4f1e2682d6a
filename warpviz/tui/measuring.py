"""What the screen knows of a measurement, and the thread that waits for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from warpviz.access import Access
from warpviz.expression import ExpressionError, Launch
from warpviz.hardware import base_arch
from warpviz.tui.messages import Measured, MeasureFailed, MeasureProgressed

if TYPE_CHECKING:
    from warpviz.expression import Evaluation
    from warpviz.gpu import GpuError, Measurement, Probe
    from warpviz.gpu.recorded import RecordedFile
    from warpviz.gpu.request import Counters

Stage = Literal["not looked", "none", "running", "there", "failed"]


Post = Callable[[Message], object]  # takes a message in any thread


@dataclass(frozen=True)
class Measuring:
    """stage: how far it is. measurement: when there. serial: which request of this screen it answers, from 1; a later
    request has a higher one. said: the progress while it runs; the one sentence when it failed or there is none; beside
    a recorded measurement, why there is no new one.
    """

    stage: Stage
    serial: int = 0
    said: str = ""
    measurement: Measurement | None = None


NOT_LOOKED = Measuring("not looked")
NO_GPU = "no GPU here"


def look_up(access: Access, arch: str, recording: RecordedFile | None = None) -> Measuring:
    """The recorded measurement of this access on this architecture, or a sentence that says what `m` would do.

    recording: the file to look in, if it is of this architecture; None for all that are known.
    """
    from warpviz.gpu import gpu_present

    try:
        recorded = find(access, arch, recording)
    except ValueError as error:
        return Measuring("failed", said=str(error))
    if recorded is not None:
        return Measuring("there", measurement=recorded)
    if gpu_present():
        return Measuring("none", said="not yet: m measures it on this GPU")
    return Measuring("none", said=f"{NO_GPU}, and nothing is recorded for this access on {arch}")


def find(access: Access, arch: str, recording: RecordedFile | None) -> Measurement | None:
    """As `look_up`; None where nothing is recorded. Raises ValueError when the file cannot be read."""
    from warpviz.gpu import find_recorded

    of_arch = base_arch(arch)
    is_of_arch = recording is not None and recording.gpu is not None and recording.gpu.arch == of_arch
    return find_recorded(access, of_arch, recording if is_of_arch else None)


def refuse(access: Access, arch: str, recording: RecordedFile | None) -> Measuring:
    """What to show when a measurement is asked for and there is no GPU: beside a recorded one, that it is not new."""
    found = look_up(access, arch, recording)
    return found if found.measurement is None else replace(found, said=f"{NO_GPU}: see warpviz doctor")


def can_measure() -> bool:
    """Whether a GPU shows itself."""
    from warpviz.gpu import gpu_present

    return gpu_present()


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is measured in one go, and who is told. launch, counters: of all of them."""

    evaluations: Sequence[Evaluation]
    launch: Launch
    counters: Counters
    serial: int
    post: Post


class Measurer:
    """Measures in threads of its own, one request at a time; the latest counts, and no other is answered.

    A measurement that a later one makes void is let end where it takes but a moment, so that the worker process stays.
    make_probe is called once, by the first request. `close` ends the probe's worker process. Nothing here waits.
    """

    def __init__(self, make_probe: Callable[[], Probe]) -> None:
        self._make_probe = make_probe
        self._probe: Probe | None = None
        self._one_at_a_time = threading.Lock()
        self._latest: _Asked | None = None

    def start(
        self, evaluations: Sequence[Evaluation], launch: Launch, serial: int, post: Post, counters: Counters = "auto"
    ) -> None:
        """Begin to measure, all in one go; `post` gets MeasureProgressed and then Measured or MeasureFailed with this
        serial, and after Measured another, when it has been read what the compiler made of the accesses."""
        probe = self._probe = self._probe or self._make_probe()
        self._latest = asked = _Asked(evaluations, launch, counters, serial, post)
        probe.stop_counting()
        threading.Thread(target=self._answer, args=(asked, probe), daemon=True).start()

    def cancel(self) -> None:
        """End the measurement that runs, if one does."""
        self._latest = None
        if self._probe is not None:
            self._probe.cancel()

    def close(self) -> None:
        """End the measurement that runs and the worker process."""
        self._latest = None
        if self._probe is not None:
            self._probe.close()

    def _answer(self, asked: _Asked, probe: Probe) -> None:
        from warpviz.gpu import GpuError

        try:
            with self._one_at_a_time:
                if self._latest is not asked:
                    return
                outcomes = self._measure(asked, probe)
        except GpuError as error:
            self._post(asked, MeasureFailed(asked.serial, error.sentence))
        except (ExpressionError, ValueError) as error:
            self._post(asked, MeasureFailed(asked.serial, str(error)))
        else:
            self._post(asked, Measured(asked.serial, outcomes))
            self._read_codes(asked, probe, outcomes)

    def _measure(self, asked: _Asked, probe: Probe) -> list[Measurement | GpuError]:
        """Raises the first error when all are."""
        from warpviz.asking import request_of
        from warpviz.gpu import GpuError

        requests = [request_of(evaluation, asked.launch, asked.counters) for evaluation in asked.evaluations]
        outcomes = probe.measure_each(
            requests,
            progress=lambda said: self._post(asked, MeasureProgressed(asked.serial, said)),
            wanted=lambda: self._latest is asked,
        )
        if all(isinstance(outcome, GpuError) for outcome in outcomes):
            raise outcomes[0]  # type: ignore[misc]  # every one is an error
        return outcomes

    def _read_codes(self, asked: _Asked, probe: Probe, outcomes: Sequence[Measurement | GpuError]) -> None:
        """Takes as long as a measurement and more, so it comes after, and beside the next one."""
        from warpviz.gpu import Measurement

        read: list[Measurement | GpuError] = []
        for outcome in outcomes:
            if self._latest is not asked:
                return
            read.append(probe.read_code(outcome) if isinstance(outcome, Measurement) else outcome)
        self._post(asked, Measured(asked.serial, read))

    def _post(self, asked: _Asked, message: Message) -> None:
        if self._latest is asked:
            asked.post(message)
