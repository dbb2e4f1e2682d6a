"""What the screen knows of a measurement, and the thread that waits for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from warpviz.access import Access
from warpviz.expression import ExpressionError, Launch
from warpviz.tui.messages import Measured, MeasureFailed, MeasureProgressed

if TYPE_CHECKING:
    from warpviz.expression import Evaluation
    from warpviz.gpu import Measurement, Probe

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


def look_up(access: Access, arch: str) -> Measuring:
    """The measurement of this access on this architecture that ships with the program, or a sentence that says what `m`
    would do."""
    from warpviz.gpu import find_recorded, gpu_present

    try:
        recorded = find_recorded(access)
    except ValueError as error:
        return Measuring("failed", said=str(error))
    if recorded is not None and recorded.gpu.arch == arch.rstrip("af"):
        return Measuring("there", measurement=recorded)
    if gpu_present():
        return Measuring("none", said="not yet: m measures it on this GPU")
    return Measuring("none", said=f"{NO_GPU}, and nothing is recorded for this access on {arch}")


def refuse(access: Access, arch: str) -> Measuring:
    """What to show when a measurement is asked for and there is no GPU: beside a recorded one, that it is not new."""
    found = look_up(access, arch)
    return found if found.measurement is None else replace(found, said=NO_GPU)


def can_measure() -> bool:
    """Whether a GPU shows itself."""
    from warpviz.gpu import gpu_present

    return gpu_present()


class Measurer:
    """Measures in a thread of its own, one request at a time. A new request ends the one that runs.

    make_probe is called once, by the first request. `close` ends the probe's worker process.
    """

    def __init__(self, make_probe: Callable[[], Probe] | None = None) -> None:
        self._make_probe = make_probe or _probe
        self._probe: Probe | None = None
        self._one_at_a_time = threading.Lock()
        self._latest: object = None

    def start(self, evaluations: Sequence[Evaluation], launch: Launch, serial: int, post: Post) -> None:
        """Begin to measure, all in one go; `post` gets MeasureProgressed and then Measured or MeasureFailed with this
        serial. launch: of all of them."""
        self.cancel()
        self._probe = probe = self._probe or self._make_probe()
        self._latest = ticket = object()
        thread = threading.Thread(
            target=self._measure, args=(ticket, probe, evaluations, launch, serial, post), daemon=True
        )
        thread.start()

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

    def _measure(
        self, ticket: object, probe: Probe, evaluations: Sequence[Evaluation], launch: Launch, serial: int, post: Post
    ) -> None:
        from warpviz.asking import request_of
        from warpviz.gpu import GpuError

        with self._one_at_a_time:
            if self._latest is not ticket:
                return
            try:
                requests = [request_of(evaluation, launch) for evaluation in evaluations]
                outcomes = probe.measure_each(requests, progress=partial(_tell, post, serial))
                if all(isinstance(outcome, GpuError) for outcome in outcomes):
                    raise outcomes[0]  # type: ignore[misc]  # every one is an error
            except GpuError as error:
                post(MeasureFailed(serial, error.sentence))
            except (ExpressionError, ValueError) as error:
                post(MeasureFailed(serial, str(error)))
            else:
                post(Measured(serial, outcomes))


def _tell(post: Post, serial: int, said: str) -> None:
    post(MeasureProgressed(serial, said))


def _probe() -> Probe:
    from warpviz.gpu import Probe

    return Probe()
