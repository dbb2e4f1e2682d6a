"""A kernel measured: what is asked of the GPU, and its answer by the rows of the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.counts import LineCounts
from warpviz.gpu.measurement import Unavailable
from warpviz.hardware import base_arch
from warpviz.kernel.counting import LineKind
from warpviz.kernel.lines import LineCost
from warpviz.kernel.measured import LineComparison, Measured, measure
from warpviz.kernel.measured.lines import key_of
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.messages import KernelMeasured
from warpviz.tui.to_measure import Told, Wanted

if TYPE_CHECKING:
    from warpviz.gpu import Probe


@dataclass(frozen=True)
class MeasuredRow:
    """What was predicted and what was counted for a row of the screen: wavefronts or sectors; of the whole line, where
    what was counted cannot be told apart by row. each: of a predicted request; None for a whole line. cause: of a
    difference, where it is known."""

    predicted: int
    measured: int
    unit: str
    each: float | None
    cause: str

    @property
    def is_equal(self) -> bool:
        return self.predicted == self.measured


@dataclass(frozen=True, eq=False)
class MeasuredKernel:
    """All that a GPU showed of a kernel; and by row. A row that was not counted is left out."""

    all: Measured
    rows: Mapping[LineKind, MeasuredRow]


def by_row(measured: Measured, costs: Iterable[LineCost]) -> MeasuredKernel:
    """costs: of the rows that are shown."""
    rows: dict[LineKind, MeasuredRow] = {}
    if isinstance(measured.lines, Unavailable) or isinstance(measured.rows, Unavailable):
        return MeasuredKernel(measured, rows)
    lines = {(line.line, line.key): line for line in measured.lines}
    groups: dict[tuple[int, str, int], list[LineCost]] = {}
    for cost in costs:
        groups.setdefault((cost.kind.line, key_of(cost.kind), cost.kind.width), []).append(cost)
    for (number, key, width), group in groups.items():
        if (number, key) in lines:
            row = _row(lines[number, key], group, [one for one in measured.rows if one.width == width])
            rows |= {cost.kind: row for cost in group}
    return MeasuredKernel(measured, rows)


def _row(line: LineComparison, costs: Sequence[LineCost], counted: Iterable[LineCounts]) -> MeasuredRow:
    """costs: of one width, and all that the line has of it. counted: of this width, of any line."""
    cause = (line.cause or "").removeprefix(f"line {line.line}: ")
    if line.asked.keys() != line.executed.keys():
        return MeasuredRow(line.predicted, line.measured, line.quantity, None, cause)
    own = [one for one in counted if (one.line, one.key) == (line.line, line.key)]
    measured = sum(getattr(one, line.quantity) or 0 for one in own)
    requests = sum(cost.count.requests for cost in costs)
    return MeasuredRow(sum(cost.cost for cost in costs), measured, line.quantity, measured / max(requests, 1), cause)


@dataclass(frozen=True, eq=False)
class KernelToMeasure:
    """A kernel as it was interpreted."""

    serial: int
    shown: Interpreted

    def answers(self, probe: Probe, told: Told, wanted: Wanted) -> Iterator[Message]:
        """KernelMeasured. Raises GpuError; LaunchError for an array that cannot be filled."""

        def tell(said: str) -> None:
            if not wanted():  # it may have been given up while nobody listened
                raise GpuError("cancelled", "the measurement was cancelled")
            told(said)

        arch, predicted = probe.arch(progress=tell), self.shown.prepared.arch
        if base_arch(predicted) != arch:
            sentence = f"this GPU is {arch} and the prediction is for {predicted}: open the file with --arch {arch}"
            raise GpuError("refused", sentence)
        measured = measure(self.shown.prepared, self.shown.outcome, probe, told=tell)
        yield KernelMeasured(self.serial, by_row(measured, self.shown.table.costs))

    def give_way(self, probe: Probe) -> None:
        """A kernel does not end by itself as soon as one would like."""
        probe.cancel()
