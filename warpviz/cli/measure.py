"""`warpviz measure`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from warpviz.asking import request_of
from warpviz.cli.choose import choose_scene, is_scene
from warpviz.cli.complain import complain
from warpviz.cli.evaluate import evaluate_all
from warpviz.cli.exits import Exit
from warpviz.cli.options import AccessOptions, combinations
from warpviz.cli.report import Prediction, text
from warpviz.expression import parse
from warpviz.gpu import Bandwidth, Counts, GpuError, Measurement, Probe, Verdict, compare, gpu_present, recorded
from warpviz.gpu.presence import NO_DRIVER
from warpviz.gpu.request import Counters
from warpviz.scene import SceneAccess

_EXIT_OF_KIND = {
    "no_gpu": Exit.NO_GPU,
    "no_counters": Exit.NO_GPU,
    "cancelled": Exit.INTERRUPTED,
    "refused": Exit.BAD_INPUT,
}


@dataclass(frozen=True)
class _Measured:
    """One access, predicted and measured."""

    name: str
    prediction: Prediction
    measurement: Measurement

    @property
    def verdict(self) -> Verdict:
        return compare(self.prediction.cost, self.measurement)

    def as_json(self) -> dict[str, Any]:
        measured = {key: value for key, value in self.measurement.to_json().items() if key != "access"}
        verdict = {"outcome": self.verdict.outcome, "sentence": self.verdict.sentence}
        return self.prediction.as_json() | {"access": self.name, "measured": measured, "verdict": verdict}

    def row(self) -> dict[str, str]:
        named = {"access": self.name} if self.name else {}
        return (
            named | self.prediction.row() | {"measured": _figures(self.measurement), "verdict": self.verdict.sentence}
        )


def print_measurements(what: str, options: AccessOptions, counters: Counters, record: str | None, as_json: bool) -> int:
    """Measure, print and, if asked, record; gives the exit code.

    Raises ExpressionError, SceneError, click.UsageError for bad input.
    """
    accesses, values = _what_to_measure(what, options)
    if not gpu_present():
        return _without_gpu(accesses, values)
    evaluated = [
        (access, point, evaluation)
        for access in accesses
        for point, evaluation in evaluate_all(parse(access.pattern), combinations(values))
    ]
    requests = [request_of(evaluation, access.pattern.launch, counters) for access, _, evaluation in evaluated]
    try:
        with Probe() as probe, Console(stderr=True).status("starting") as status:
            measurements = probe.measure_all(requests, progress=status.update)
    except GpuError as error:
        return _failed(error)
    measured = [
        _Measured(
            access.name,
            Prediction.of(access.pattern.expression, point, options.arch or measurement.gpu.arch, evaluation),
            measurement,
        )
        for (access, point, evaluation), measurement in zip(evaluated, measurements, strict=True)
    ]
    click.echo("\n".join(json.dumps(m.as_json()) for m in measured) if as_json else _text(what, measured))
    if record:
        _record(Path(record), measurements)
    return Exit.DONE


def _without_gpu(accesses: tuple[SceneAccess, ...], values: dict[str, range]) -> int:
    """What is wrong with the texts comes first; but no more than the first combination is worked out in vain."""
    for access in accesses:
        next(evaluate_all(parse(access.pattern), combinations(values)))
    return _failed(GpuError("no_gpu", NO_DRIVER))


def _failed(error: GpuError) -> int:
    complain(error.sentence)
    return _EXIT_OF_KIND.get(error.kind, Exit.MEASUREMENT_FAILED)


def _what_to_measure(what: str, options: AccessOptions) -> tuple[tuple[SceneAccess, ...], dict[str, range]]:
    """The accesses, and the values of their names."""
    if is_scene(what):
        scene, values = choose_scene(what, options)
        return scene.accesses, values
    return (SceneAccess("", options.pattern(what)),), options.values


def _text(what: str, measured: list[_Measured]) -> str:
    """The figures in a table, and on which GPU they were taken."""
    first = measured[0].measurement
    gpu = first.gpu
    made_on = f"{gpu.name} ({gpu.arch}, driver {gpu.driver}, NVRTC {gpu.nvrtc}), {first.date}"
    figures = text(what, (m.row() for m in measured), (m.prediction for m in measured))
    return f"{figures}\n  measured on {made_on}"


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


def _record(path: Path, measurements: list[Measurement]) -> None:
    try:
        recorded.write(path, measurements)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--record: {error}") from error
