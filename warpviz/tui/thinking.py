"""What takes too long for a keystroke: worked out in a thread, told to the screen by a message."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpviz.expression import ExpressionError
from warpviz.tui.measuring import Measuring, find
from warpviz.tui.messages import AdviceFound, SweepFound
from warpviz.tui.state import Advised, Setup, Sweeping, Swept

if TYPE_CHECKING:
    from warpviz.sweep import Sweep


def find_advice(setup: Setup) -> AdviceFound:
    """What would mend a setup; where an access of it is in error, that."""
    from warpviz.advice.fixes import Advice, advise

    ranges = {knob.name: knob.values() for knob in setup.knobs}
    try:
        advice = advise(setup.patterns, setup.values, setup.arch, ranges)
    except ExpressionError as error:
        advice = Advice((), (f"an access of the scene cannot be evaluated: {error}",), "")
    return AdviceFound(Advised(setup, advice))


def find_sweep(wanted: Swept) -> SweepFound:
    """The cost over a knob, with the recorded measurements of it."""
    from warpviz.sweep import sweep

    pattern = wanted.setup.patterns[wanted.access]
    others = {name: value for name, value in wanted.setup.values.items() if name != wanted.name}
    try:
        predicted = sweep(pattern, wanted.name, wanted.values, others, wanted.setup.arch)
    except (ExpressionError, ValueError) as error:
        return SweepFound(Sweeping(wanted, said=str(error)))
    return SweepFound(_with_recorded(Sweeping(wanted, predicted), wanted.setup, predicted))


def _with_recorded(sweeping: Sweeping, setup: Setup, predicted: Sweep) -> Sweeping:
    """With what was measured elsewhere of these very accesses, if anything."""
    measured, gpus = [], set()
    for point in predicted.points:
        recorded = find(point.evaluation.access, setup.arch, setup.recording) if point.evaluation is not None else None
        count = None if recorded is None else recorded.count_of(predicted.unit)
        if recorded is not None and count is not None:
            measured.append((point.value, count))
            gpus.add(recorded.gpu.name.removeprefix("NVIDIA "))
    if not measured:
        return sweeping
    said = f"{len(measured)} recorded on {' and '.join(sorted(gpus))}"
    return replace(sweeping, measured=tuple(measured), origin="recorded", measuring=Measuring("there", said=said))
