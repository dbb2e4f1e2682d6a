"""`warpviz kernel`: a user's kernel, interpreted and measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from warpviz.cli import predicted_kernel as shown
from warpviz.cli.asked_kernel import Asked
from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.gpu import GpuError, Probe, gpu_present
from warpviz.gpu.code.compiler import Compiler
from warpviz.gpu.machine.presence import NO_DRIVER
from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.errors import KERNEL_ERRORS, in_file
from warpviz.kernel.interpret import Outcome
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.measured import Measured, measure
from warpviz.kernel.predict import predict
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import read_source


def print_kernel(asked: Asked, compiler: Compiler, *, as_json: bool) -> int:
    """Compile, interpret, measure if asked, print; gives the exit code. compiler: one that is running.

    Raises click.UsageError for what cannot be compiled or run, GpuError for what the compiler or the GPU does not do.
    """
    if asked.measure and not gpu_present():
        raise GpuError("no_gpu", NO_DRIVER)
    try:
        with Console(stderr=True).status("compiling") as status, Probe(asked.device) as probe:
            prepared, outcome = _predicted(asked, compiler, probe, status.update)
            measured = _measured(asked, prepared, outcome, probe, status.update)
    except KERNEL_ERRORS as error:
        raise click.UsageError(in_file(error, Path(asked.file).name)) from error
    told = json.dumps(shown.as_json(outcome, measured)) if as_json else shown.as_text(prepared, outcome, measured)
    click.echo(told)
    if outcome.stuck is not None:
        complain(in_file(outcome.stuck, Path(asked.file).name))
        return Exit.BAD_INPUT
    return Exit.DONE


def _predicted(asked: Asked, compiler: Compiler, probe: Probe, told: Callable[[str], None]) -> tuple[Prepared, Outcome]:
    """Raises GpuError, and KERNEL_ERRORS."""
    source = read_source(Path(asked.file))
    options = LaunchOptions(asked.grid, asked.block, asked.smem, asked.arguments)
    arch = asked.arch or (probe.arch(progress=told) if asked.measure else DEFAULT_ARCH)
    told("compiling")
    prepared = prepare(source, options, name=asked.name, arch=arch, compiler=compiler)
    outcome = predict(
        prepared,
        compiler=compiler,
        blocks=asked.blocks,
        progress=lambda done, of: told(f"block {done:,} of {of:,}"),
    )
    return prepared, outcome


def _measured(
    asked: Asked, prepared: Prepared, outcome: Outcome, probe: Probe, told: Callable[[str], None]
) -> Measured | None:
    """None where it is not asked for, and for a kernel that does not end. Raises GpuError."""
    if not asked.measure or outcome.stuck is not None:
        return None
    return measure(prepared, outcome, probe, counters=asked.counters, told=told)
