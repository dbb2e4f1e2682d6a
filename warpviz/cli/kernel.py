"""`warpviz kernel`: a user's kernel, interpreted."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from warpviz.cli.complain import complain
from warpviz.cli.exits import Exit
from warpviz.cli.measured import failed
from warpviz.cli.predicted_kernel import as_json, as_text
from warpviz.gpu import GpuError
from warpviz.hardware import check_arch
from warpviz.kernel.errors import KERNEL_ERRORS
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.predict import predict
from warpviz.kernel.prepare import prepare
from warpviz.kernel.source import read_source


def print_kernel(
    file: str, name: str | None, arch: str, options: LaunchOptions, *, blocks: int | None, as_json_object: bool
) -> int:
    """Compile, interpret, print; gives the exit code. blocks: how many of the grid's; None: all.

    Raises click.UsageError for what cannot be compiled or run.
    """
    try:
        check_arch(arch)
    except ValueError as error:
        raise click.UsageError(f"--arch: {error}") from error
    try:
        with Console(stderr=True).status("compiling") as status:
            prepared = prepare(read_source(Path(file)), options, name=name, arch=arch)
            outcome = predict(
                prepared, blocks=blocks, progress=lambda done, of: status.update(f"block {done:,} of {of:,}")
            )
    except GpuError as error:
        return failed(error)
    except KERNEL_ERRORS as error:
        raise click.UsageError(str(error)) from error
    click.echo(json.dumps(as_json(outcome)) if as_json_object else "\n".join(as_text(prepared, outcome)))
    if outcome.stuck is not None:
        complain(str(outcome.stuck))
        return Exit.BAD_INPUT
    return Exit.DONE
