"""`warpviz measure`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console

from warpviz.asking import request_of
from warpviz.cli.choose import choose_scene, is_scene
from warpviz.cli.evaluate import evaluate_all
from warpviz.cli.exits import Exit
from warpviz.cli.measured import Measured, behind, failed, made_on
from warpviz.cli.options import AccessOptions, combinations
from warpviz.cli.report import text
from warpviz.expression import parse
from warpviz.gpu import GpuError, Probe, gpu_present, recorded
from warpviz.gpu.machine.presence import NO_DRIVER
from warpviz.gpu.recorded import Entry
from warpviz.gpu.request import Counters
from warpviz.prediction import Prediction
from warpviz.recording import label_of
from warpviz.scene import SceneAccess


def print_measurements(
    what: str, options: AccessOptions, device: str | None, counters: Counters, record: str | None, as_json: bool
) -> int:
    """Measure, print and, if asked, record; gives the exit code. device: see Probe.

    Raises ExpressionError, SceneError, click.UsageError for bad input.
    """
    accesses, values = _what_to_measure(what, options)
    if record is not None:
        _recorded_before(Path(record))  # nothing is measured in vain
    if not gpu_present():
        return _without_gpu(accesses, values)
    evaluated = [
        (access, point, evaluation)
        for access in accesses
        for point, evaluation in evaluate_all(parse(access.pattern), combinations(values))
    ]
    requests = [request_of(evaluation, access.pattern.launch, counters) for access, _, evaluation in evaluated]
    try:
        with Probe(device) as probe, Console(stderr=True).status("starting") as status:
            measurements = probe.measure_all(requests, progress=status.update)
            status.update("reading the machine code")
            measurements = [probe.read_code(measurement) for measurement in measurements]
    except GpuError as error:
        return failed(error)
    measured = [
        Measured(
            access.name,
            Prediction.of(access.pattern.expression, point, options.arch or measurement.gpu.arch, evaluation),
            measurement,
        )
        for (access, point, evaluation), measurement in zip(evaluated, measurements, strict=True)
    ]
    click.echo("\n".join(json.dumps(m.as_json()) for m in measured) if as_json else _text(what, measured))
    if record:
        _record(Path(record), what, measured)
    return Exit.DONE


def _without_gpu(accesses: tuple[SceneAccess, ...], values: dict[str, range]) -> int:
    """What is wrong with the texts comes first; but no more than the first combination is worked out in vain."""
    for access in accesses:
        next(evaluate_all(parse(access.pattern), combinations(values)))
    return failed(GpuError("no_gpu", NO_DRIVER))


def _what_to_measure(what: str, options: AccessOptions) -> tuple[tuple[SceneAccess, ...], dict[str, range]]:
    """The accesses, and the values of their names."""
    if is_scene(what):
        scene, values = choose_scene(what, options)
        return scene.accesses, values
    return (SceneAccess("", options.pattern(what)),), options.values


def _text(what: str, measured: list[Measured]) -> str:
    """The figures in a table, what stands behind them, and on which GPU they were taken."""
    figures = text(what, (m.row() for m in measured), (m.prediction for m in measured))
    return "\n".join([figures, *behind(measured), made_on(measured[0].measurement)])


def _record(path: Path, what: str, measured: list[Measured]) -> None:
    """Add to the file, under the expression or the scene's name."""
    entries = []
    for one in measured:
        name = f"{what}: {one.name}" if one.name else one.prediction.expression
        entries.append(Entry((label_of(name, one.prediction.values),), one.measurement))
    try:
        recorded.write(path, recorded.joined(_recorded_before(path), entries))
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--record: {error}") from error


def _recorded_before(path: Path) -> Mapping[str, Entry]:
    """What the file already holds. Raises click.UsageError when it cannot be added to."""
    if not path.parent.is_dir():
        raise click.UsageError(f"--record: the folder of {path} is not there")
    try:
        return recorded.read(path) if path.exists() else {}
    except ValueError as error:
        raise click.UsageError(f"--record: {error}") from error
