"""`warpviz kernel`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import counters_option, device_option
from warpviz.hardware import DEFAULT_ARCH

_EXAMPLES = """
Examples:

\b
  warpviz kernel stencil.cu                      launched as its //@ launch line says
  warpviz kernel stencil.cu --grid 64 --arg n=16384 --json
  warpviz kernel stencil.cu --measure            and run on the GPU here
  warpviz stencil.cu --grid 64                   on the screen
"""


@click.command("kernel", epilog=_EXAMPLES)
@click.argument("file", metavar="FILE.cu")
@click.option("--name", help="The kernel [that of the first launch line].")
@click.option("--grid", metavar="X[,Y[,Z]]", help="gridDim.")
@click.option("--block", metavar="X[,Y[,Z]]", help="blockDim.")
@click.option("--smem", metavar="BYTES", help="Dynamic shared memory of a block.")
@click.option("--arg", "arguments", metavar="NAME=SPEC", multiple=True, help="A number, TYPE[COUNT]:EXPR or @FILE.npy.")
@click.option(
    "--blocks", metavar="N", type=click.IntRange(min=1), help="A sample: N blocks, spread over the grid [all]."
)
@click.option("--arch", help=f"The GPU architecture [{DEFAULT_ARCH}; when measuring, the GPU's own].")
@click.option("--measure", is_flag=True, help="Run it on the GPU too, and compare.")
@counters_option
@device_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--open", "opened", is_flag=True, help="On the screen, as `warpviz FILE.cu` does.")
def command(as_json: bool, opened: bool, **given: Any) -> int:
    """Predict every memory access of a kernel, line by line, without a GPU.

    A line `//@ launch NAME grid=X block=X PARAM=VALUE …` in the file says how it is run; the options override it.
    """
    from warpviz.cli.asked_kernel import Asked, open_kernel

    asked = Asked(**given)
    asked.check()
    if opened:
        return open_kernel(asked, as_json=as_json)
    from warpviz.gpu.code.compiler import Compiler
    from warpviz.gpu.errors import GpuError

    try:
        with Compiler() as compiler:  # it starts while the rest is loaded
            from warpviz.cli.kernel import print_kernel

            return print_kernel(asked, compiler, as_json=as_json)
    except GpuError as error:
        from warpviz.cli.measured import failed

        return failed(error)
