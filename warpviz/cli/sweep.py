"""`warpviz sweep`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from warpviz.cli import swept as written
from warpviz.cli.choose import choose_scene, is_scene
from warpviz.cli.complain import complain
from warpviz.cli.evaluate import warn_of_unused
from warpviz.cli.exits import Exit
from warpviz.cli.measured import failed
from warpviz.cli.options import AccessOptions
from warpviz.cli.swept import Swept
from warpviz.expression import ExpressionError, parse
from warpviz.gpu import GpuError, Measurement, Probe, gpu_present
from warpviz.gpu.machine.presence import NO_DRIVER
from warpviz.gpu.request import Counters
from warpviz.hardware import DEFAULT_ARCH
from warpviz.resources import write_whole
from warpviz.scene import SceneAccess, find_scene
from warpviz.sweep import WIDTH, Sweep, sweep
from warpviz.tui.glyphs import choose_glyphs

_MOST_POINTS = 4096

Over = tuple[str, range]
Answers = list[dict[int, Measurement | GpuError]]  # for each access, by value


@dataclass(frozen=True)
class Wanted:
    """How the sweep is written, and whether it is measured. counters: None to measure nothing. device: see Probe."""

    as_json: bool
    as_csv: bool
    svg: str | None
    counters: Counters | None
    device: str | None


@dataclass(frozen=True)
class _Task:
    """The accesses, the knob with its values and the other names' values. arch: of the prediction."""

    accesses: tuple[SceneAccess, ...]
    over: Over
    fixed: dict[str, int]
    arch: str


def print_sweep(what: str, over: Over, options: AccessOptions, wanted: Wanted) -> int:
    """Predict, measure if asked, write and print; gives the exit code.

    Raises ExpressionError, SceneError, click.UsageError for bad input.
    """
    if wanted.as_json and wanted.as_csv:
        raise click.UsageError("--json and --csv both go to standard output; give one of them")
    if wanted.svg == "-":
        raise click.UsageError("--svg - : standard output has the table; give the chart a file")
    if wanted.svg is not None and not Path(wanted.svg).parent.is_dir():
        raise click.UsageError(f"--svg: the folder of {wanted.svg} is not there")
    task = _task(what, over, options)
    sweeps = [_predict(access, task) for access in task.accesses]
    answers: Sequence[dict[int, Measurement | GpuError] | None] = [None] * len(sweeps)
    if wanted.counters is not None:
        try:
            answers = _measure(task, sweeps, wanted.counters, wanted.device)
        except GpuError as error:
            return failed(error)
    _warn(sweeps)
    taken = [m for answer in answers for m in (answer or {}).values() if isinstance(m, Measurement)]
    arch = options.arch or (taken[0].gpu.arch if taken else task.arch)
    swept = [
        Swept(access.name, access.pattern.expression, task.fixed, arch, sweep, answer)
        for access, sweep, answer in zip(task.accesses, sweeps, answers, strict=True)
    ]
    _write(what, swept, wanted)
    return Exit.DONE


def _task(what: str, over: Over, options: AccessOptions) -> _Task:
    name, values = over
    if len(values) > _MOST_POINTS:
        raise click.UsageError(f"--over {name} has {len(values):,} values; the limit is {_MOST_POINTS:,}")
    if name in options.values:
        raise click.UsageError(f"{name} is given by --over and by --set; leave out --set {name}")
    if is_scene(what):
        return _task_of_scene(what, over, options)
    fixed = _fixed(options.values)
    access = SceneAccess("", options.pattern(what))
    warn_of_unused(parse(access.pattern), fixed)
    return _Task((access,), over, fixed, options.arch or DEFAULT_ARCH)


def _task_of_scene(what: str, over: Over, options: AccessOptions) -> _Task:
    """Of a scene's knob its own steps; the others stand at their --set value or where the scene begins."""
    name, values = over
    turned = {**options.values, name: values}
    if name == WIDTH and WIDTH not in find_scene(what).defaults():
        turned = options.values
    scene, knobs = choose_scene(what, replace(options, values=turned))
    values = knobs.pop(name, values)
    return _Task(scene.accesses, (name, values), _fixed(knobs), options.arch or scene.arch)


def _fixed(values: Mapping[str, range]) -> dict[str, int]:
    for name, given in values.items():
        if len(given) > 1:
            raise click.UsageError(f"--set {name}={given[0]}..{given[-1]} is a range; only --over takes one here")
    return {name: given[0] for name, given in values.items()}


def _predict(access: SceneAccess, task: _Task) -> Sweep:
    name, values = task.over
    try:
        return sweep(access.pattern, name, values, task.fixed, task.arch)
    except ExpressionError:
        raise
    except ValueError as error:
        raise click.UsageError(f"--over {name}: {error}") from error


def _warn(sweeps: Sequence[Sweep]) -> None:
    """Say the first warning of each sweep, and at how many of its values there are any."""
    for swept in sweeps:
        warned = [p for p in swept.points if p.evaluation is not None and p.evaluation.warnings]
        if warned and warned[0].evaluation is not None:
            others = f" (and at {len(warned) - 1:,} more of its values)" if len(warned) > 1 else ""
            complain(f"warning: {swept.name}={warned[0].value}: {warned[0].evaluation.warnings[0]}{others}")


def _measure(task: _Task, sweeps: Sequence[Sweep], counters: Counters, device: str | None) -> Answers:
    """All in one go. Raises GpuError: the first one when everything is refused."""
    from rich.console import Console

    from warpviz.asking import request_of

    if not gpu_present():
        raise GpuError("no_gpu", NO_DRIVER)
    places, requests = [], []
    for number, (access, swept) in enumerate(zip(task.accesses, sweeps, strict=True)):
        for point in swept.points:
            if point.evaluation is not None:
                places.append((number, point.value))
                requests.append(request_of(point.evaluation, access.pattern.launch, counters))
    with Probe(device) as probe, Console(stderr=True).status("starting") as status:
        answered = probe.measure_each(requests, progress=_telling(status.update))
        status.update("reading the machine code")
        measured = [probe.read_code(one) if isinstance(one, Measurement) else one for one in answered]
    if all(isinstance(answer, GpuError) for answer in measured):
        raise measured[0]  # type: ignore[misc]  # each is an error
    answers: Answers = [{} for _ in sweeps]
    for (number, value), answer in zip(places, measured, strict=True):
        answers[number][value] = answer
    return answers


def _telling(update: Callable[[str], None]) -> Callable[[str], None]:
    return lambda stage: update(f"measuring {stage}")


def _write(what: str, swept: Sequence[Swept], wanted: Wanted) -> None:
    if wanted.svg is not None:
        title = what if swept[0].access else swept[0].expression
        try:
            write_whole(Path(wanted.svg), written.as_svg(title, swept))
        except OSError as error:
            raise click.UsageError(f"--svg: {wanted.svg} cannot be written: {error.strerror or error}") from error
    if wanted.as_json:
        click.echo(written.as_json(swept))
    elif wanted.as_csv:
        click.echo(written.as_csv(swept))
    else:
        bar = choose_glyphs(encoding=sys.stdout.encoding).bar_full
        click.echo(written.as_text(what, swept, bar))
