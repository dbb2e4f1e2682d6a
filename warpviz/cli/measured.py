"""An access predicted and measured, as JSON and as text, and what is said when there is no measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.gpu import Bandwidth, Counts, GpuError, Measurement, Verdict, compare, evidence, origin_in_words
from warpviz.gpu.verdict.figures import bandwidth_in_words
from warpviz.prediction import Prediction

_BEHIND_MANY = ("code", "kernel")
_BEHIND_ONE = ("cause", "counted", "counters", *_BEHIND_MANY, "clocks")
_EXIT_OF_KIND = {
    "no_gpu": Exit.NO_GPU,
    "no_counters": Exit.NO_GPU,
    "cancelled": Exit.INTERRUPTED,
    "refused": Exit.BAD_INPUT,
}


@dataclass(frozen=True)
class Measured:
    """One access, predicted and measured. name: of the scene's access; empty for an expression."""

    name: str
    prediction: Prediction
    measurement: Measurement

    @cached_property
    def verdict(self) -> Verdict:
        return compare(self.prediction.cost, self.measurement)

    def as_json(self) -> dict[str, Any]:
        """The prediction's object with the measurement and its verdict."""
        measured = {key: value for key, value in self.measurement.to_json().items() if key != "access"}
        causes = [{"kind": cause.kind, "sentence": cause.sentence} for cause in self.verdict.causes]
        verdict = {"outcome": self.verdict.outcome, "sentence": self.verdict.sentence, "causes": causes}
        return self.prediction.as_json() | {"access": self.name, "measured": measured, "verdict": verdict}

    def row(self) -> dict[str, str]:
        """For a table, by column heading."""
        named = {"access": self.name} if self.name else {}
        return (
            named | self.prediction.row() | {"measured": _figures(self.measurement), "verdict": self.verdict.sentence}
        )


def behind(measured: Sequence[Measured]) -> list[str]:
    """What stands behind the figures, a line each: of one access all of it, of several what was compiled for them."""
    subjects = _BEHIND_ONE if len(measured) == 1 else _BEHIND_MANY
    found = (one for m in measured for one in evidence(m.prediction.cost, m.measurement) if one.subject in subjects)
    return list(
        dict.fromkeys(f"  {one.subject:<8}  {': '.join(filter(None, (one.text, one.detail)))}" for one in found)
    )


def made_on(measurement: Measurement) -> str:
    """The line that says on which GPU and when."""
    return f"  measured on {origin_in_words(measurement)}"


def failed(error: GpuError) -> int:
    """Say why nothing was measured, and give the exit code."""
    complain(error.sentence)
    return _EXIT_OF_KIND.get(error.kind, Exit.MEASUREMENT_FAILED)


def _figures(measurement: Measurement) -> str:
    """What was measured, in a few words."""
    parts = []
    if (slope := measurement.wavefronts) is not None:
        figure = f"{slope.units:.2f} ± {slope.half_spread_units:.2f}"
        parts.append(f"{figure} {measurement.timed_quantity} by time")
    counts = measurement.counters
    if isinstance(counts, Counts):
        names = ("requests", "sectors", "wavefronts", "conflicts")
        parts += [f"{name} {n:g}" for name in names if (n := getattr(counts, name)) is not None]
    if isinstance(measurement.bandwidth, Bandwidth):
        parts.append(bandwidth_in_words(measurement.bandwidth))
    return ", ".join(parts)
