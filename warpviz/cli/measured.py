"""An access predicted and measured, as JSON and as text, and what is said when there is no measurement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.gpu import Bandwidth, Counts, GpuError, Measurement, Verdict, compare
from warpviz.prediction import Prediction

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

    @property
    def verdict(self) -> Verdict:
        return compare(self.prediction.cost, self.measurement)

    def as_json(self) -> dict[str, Any]:
        """The prediction's object with the measurement and its verdict."""
        measured = {key: value for key, value in self.measurement.to_json().items() if key != "access"}
        verdict = {"outcome": self.verdict.outcome, "sentence": self.verdict.sentence}
        return self.prediction.as_json() | {"access": self.name, "measured": measured, "verdict": verdict}

    def row(self) -> dict[str, str]:
        """For a table, by column heading."""
        named = {"access": self.name} if self.name else {}
        return (
            named | self.prediction.row() | {"measured": _figures(self.measurement), "verdict": self.verdict.sentence}
        )


def made_on(measurement: Measurement) -> str:
    """The line that says on which GPU and when."""
    gpu = measurement.gpu
    return f"  measured on {gpu.name} ({gpu.arch}, driver {gpu.driver}, NVRTC {gpu.nvrtc}), {measurement.date}"


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
    bandwidth = measurement.bandwidth
    if isinstance(bandwidth, Bandwidth):
        parts.append(
            f"{bandwidth.useful_gb_per_second:,.0f} GB/s useful, {bandwidth.moved_gb_per_second:,.0f} GB/s moved"
        )
    return ", ".join(parts)
