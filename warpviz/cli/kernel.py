"""`warpviz kernel`: a user's kernel, interpreted and measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from warpviz.cli import at_terminal
from warpviz.cli import predicted_kernel as shown
from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.cli.measured import failed
from warpviz.gpu import GpuError, Probe, gpu_present
from warpviz.gpu.machine.presence import NO_DRIVER
from warpviz.gpu.request import Counters
from warpviz.hardware import DEFAULT_ARCH, check_arch
from warpviz.kernel.counters import kernel_counters
from warpviz.kernel.errors import KERNEL_ERRORS
from warpviz.kernel.interpret import Outcome
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.measured import Measured, measure
from warpviz.kernel.predict import predict
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import read_source


@dataclass(frozen=True)
class Asked:
    """What is asked of a kernel. name: None for that of the first launch line. blocks: how many of the grid's; None:
    all. arch: None for the GPU's own where one measures. measure: whether it is run on the GPU too, which is `device`,
    see Probe."""

    file: str
    name: str | None
    options: LaunchOptions
    blocks: int | None
    arch: str | None
    measure: bool
    counters: Counters
    device: str | None


def print_kernel(asked: Asked, *, as_json: bool) -> int:
    """Compile, interpret, measure if asked, print; gives the exit code.

    Raises click.UsageError for what cannot be compiled or run.
    """
    _check(asked)
    if asked.measure and not gpu_present():
        return failed(GpuError("no_gpu", NO_DRIVER))
    try:
        with Console(stderr=True).status("compiling") as status, Probe(asked.device) as probe:
            prepared, outcome = _predicted(asked, probe, status.update)
            measured = _measured(asked, prepared, outcome, probe, status.update)
    except GpuError as error:
        return failed(error)
    except KERNEL_ERRORS as error:
        raise click.UsageError(str(error)) from error
    told = json.dumps(shown.as_json(outcome, measured)) if as_json else shown.as_text(prepared, outcome, measured)
    click.echo(told)
    if outcome.stuck is not None:
        complain(str(outcome.stuck))
        return Exit.BAD_INPUT
    return Exit.DONE


def open_kernel(asked: Asked, *, as_json: bool) -> int:
    """Show it on the screen; gives the exit code when the user has left. Raises click.UsageError."""
    _check(asked)
    printing = {"--json": as_json, "--measure": asked.measure, "--blocks": asked.blocks is not None}
    for option, given in printing.items():
        if given:
            raise click.UsageError(f"{option} goes with `warpviz kernel` without --open, which prints")
    if not at_terminal():
        raise click.UsageError(f"the screen needs a terminal; without one there is `warpviz kernel {asked.file}`")
    from warpviz.tui.app import run
    from warpviz.tui.opening import KernelToOpen

    options = asked.options
    kernel = KernelToOpen(
        Path(asked.file),
        asked.name,
        options.grid,
        options.block,
        options.shared_bytes,
        options.arguments,
        asked.arch or DEFAULT_ARCH,
    )
    return run(kernel, device=asked.device)


def _check(asked: Asked) -> None:
    try:
        check_arch(asked.arch or DEFAULT_ARCH)
    except ValueError as error:
        raise click.UsageError(f"--arch: {error}") from error
    if asked.measure and asked.blocks is not None:
        raise click.UsageError("--measure runs the whole grid: leave --blocks out, or give a smaller --grid")


def _predicted(asked: Asked, probe: Probe, told: Callable[[str], None]) -> tuple[Prepared, Outcome]:
    """Raises GpuError, and KERNEL_ERRORS."""
    source = read_source(Path(asked.file))
    arch = asked.arch or (probe.arch(progress=told) if asked.measure else DEFAULT_ARCH)
    told("compiling")
    prepared = prepare(source, asked.options, name=asked.name, arch=arch)
    return prepared, predict(prepared, blocks=asked.blocks, progress=lambda done, of: told(f"block {done:,} of {of:,}"))


def _measured(
    asked: Asked, prepared: Prepared, outcome: Outcome, probe: Probe, told: Callable[[str], None]
) -> Measured | None:
    """None where it is not asked for, and for a kernel that does not end. Raises GpuError."""
    if not asked.measure or outcome.stuck is not None:
        return None
    return measure(prepared, outcome, probe, counters=asked.counters, predicted=kernel_counters(outcome), told=told)
