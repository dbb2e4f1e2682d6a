"""What the screen knows of a measurement, and the thread that waits for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from warpviz.access import Access
from warpviz.hardware import base_arch
from warpviz.tui.messages import MeasureFailed, MeasureProgressed

if TYPE_CHECKING:
    from warpviz.gpu import Measurement, Probe
    from warpviz.gpu.recorded import RecordedFile
    from warpviz.tui.to_measure import ToMeasure

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
SEE_DOCTOR = f"{NO_GPU}: see warpviz doctor"


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
    return found if found.measurement is None else replace(found, said=SEE_DOCTOR)


def can_measure() -> bool:
    """Whether a GPU shows itself."""
    from warpviz.gpu import gpu_present

    return gpu_present()


@dataclass(frozen=True, eq=False)
class _Asked:
    """Something to measure, and who is told."""

    what: ToMeasure
    post: Post


class Measurer:
    """Measures in threads of its own, one request at a time; the latest counts, and no other is answered.

    make_probe is called once, by the first request. `close` ends the probe's worker process. Nothing here waits.
    """

    def __init__(self, make_probe: Callable[[], Probe]) -> None:
        self._make_probe = make_probe
        self._probe: Probe | None = None
        self._one_at_a_time = threading.Lock()
        self._latest: _Asked | None = None
        self._now: _Asked | None = None  # has the GPU

    def start(self, what: ToMeasure, post: Post) -> None:
        """Begin to measure; `post` gets MeasureProgressed and then the answers, or MeasureFailed, with its serial. The
        screen of an earlier request, if that is another one, gets MeasureFailed."""
        probe = self._probe = self._probe or self._make_probe()
        void, self._latest = self._latest, _Asked(what, post)
        if void is not None and void.post != post:
            void.post(MeasureFailed(void.what.serial, "it gave way to another measurement"))
        if self._now is not None:
            self._now.what.give_way(probe)
        threading.Thread(target=self._answer, args=(self._latest, probe), daemon=True).start()

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

        answers = asked.what.answers(probe, partial(self._told, asked), lambda: self._latest is asked)
        try:
            first = self._first(answers, asked)
            if first is not None:
                self._post(asked, first)
                for answer in answers:
                    self._post(asked, answer)
        except GpuError as error:
            self._post(asked, MeasureFailed(asked.what.serial, error.sentence))
        except ValueError as error:
            self._post(asked, MeasureFailed(asked.what.serial, str(error)))

    def _first(self, answers: Iterator[Message], asked: _Asked) -> Message | None:
        """The GPU's own one; None when something later is asked for. Raises what the answers do."""
        with self._one_at_a_time:
            self._now = asked  # before it is asked whether it is the latest: so `start` gives way, or this does
            try:
                return next(answers) if self._latest is asked else None
            finally:
                self._now = None

    def _told(self, asked: _Asked, said: str) -> None:
        self._post(asked, MeasureProgressed(asked.what.serial, said))

    def _post(self, asked: _Asked, message: Message) -> None:
        if self._latest is asked:
            asked.post(message)
