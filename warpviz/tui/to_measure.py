"""What is asked of the GPU in one go, and what a screen is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from warpviz.expression import Launch
from warpviz.tui.messages import Measured

if TYPE_CHECKING:
    from warpviz.expression import Evaluation
    from warpviz.gpu import GpuError, Measurement, Probe
    from warpviz.gpu.request import Counters

Told = Callable[[str], None]  # takes the progress, a few words at a time
Wanted = Callable[[], bool]  # whether nothing newer is asked instead


class ToMeasure(Protocol):
    """serial: which request of its screen it is, from 1; a later one has a higher one."""

    @property
    def serial(self) -> int: ...

    def answers(self, probe: Probe, told: Told, wanted: Wanted) -> Iterator[Message]:
        """The first one is there when the GPU has done its part; more may follow. Raises GpuError and ValueError."""
        ...

    def give_way(self, probe: Probe) -> None:
        """While it is measured: have the GPU free soon for another one, in whose place nothing of this is told."""
        ...


@dataclass(frozen=True, eq=False)
class AccessesToMeasure:
    """Accesses, one after the other. launch, counters: of all of them."""

    serial: int
    evaluations: Sequence[Evaluation]
    launch: Launch
    counters: Counters = "auto"

    def answers(self, probe: Probe, told: Told, wanted: Wanted) -> Iterator[Message]:
        """Measured; and again when it has been read what the compiler made of the accesses, which takes as long as a
        measurement and more. Raises GpuError, the first one, when none could be measured; ExpressionError, ValueError.
        """
        from warpviz.gpu import GpuError

        outcomes = self._measured(probe, told, wanted)
        yield Measured(self.serial, outcomes)
        read: list[Measurement | GpuError] = []
        for outcome in outcomes:
            if not wanted():
                return
            read.append(outcome if isinstance(outcome, GpuError) else probe.read_code(outcome))
        yield Measured(self.serial, read)

    def give_way(self, probe: Probe) -> None:
        """What is timed ends by itself when it is no longer wanted, so that the worker process stays."""
        probe.stop_counting()

    def _measured(self, probe: Probe, told: Told, wanted: Wanted) -> list[Measurement | GpuError]:
        from warpviz.asking import request_of
        from warpviz.gpu import GpuError

        requests = [request_of(evaluation, self.launch, self.counters) for evaluation in self.evaluations]
        outcomes = probe.measure_each(requests, progress=told, wanted=wanted)
        if all(isinstance(outcome, GpuError) for outcome in outcomes):
            raise outcomes[0]  # type: ignore[misc]  # every one is an error
        return outcomes
