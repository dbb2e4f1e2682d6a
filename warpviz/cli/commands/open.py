"""`warpviz open`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import device_option, scene_items
from warpviz.cli.opening import opening_options, read_opening
from warpviz.cli.options import access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz open stride
  warpviz stride --set k=32
  warpviz my-lesson.toml
  warpviz -e 'tile[lane][c]' --decl '__shared__ float tile[32][32 + pad];' --set c=0 --set pad=1
  warpviz -e 'in[3*lane]' --space global
"""


@click.command("open", epilog=_EXAMPLES)
@click.argument("scene", required=False, shell_complete=scene_items)
@click.option("-e", "--expression", metavar="EXPR", help="A C expression that names the memory each lane touches.")
@access_options
@opening_options
@device_option
def command(scene: str | None, expression: str | None, device: str | None, **given: Any) -> int:
    """Open a scene, a scene file or an expression (-e); the word `open` may be left out."""
    from warpviz.cli.open import open_explorer

    return open_explorer(scene, expression, read_options(given), read_opening(given), given["ranges"], device)
