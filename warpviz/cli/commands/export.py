"""`warpviz export`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import scene_items
from warpviz.cli.export_options import export_options, read_files
from warpviz.cli.opening import opening_options, read_opening
from warpviz.cli.options import access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz export stride --svg stride.svg
  warpviz export tile-padding --set pad=1 --access 2 --text -
  warpviz export -e 's[k*lane]' --set k=8 --step 3 --size 80x24 --svg third-pass.svg
  warpviz export float4 --json float4.json --csv float4.csv --cast float4.cast
"""


@click.command("export", epilog=_EXAMPLES)
@click.argument("scene", required=False, shell_complete=scene_items)
@click.option("-e", "--expression", metavar="EXPR", help="A C expression instead of a scene.")
@access_options
@opening_options
@export_options
def command(scene: str | None, expression: str | None, **given: Any) -> None:
    """Write what the explorer shows of SCENE or EXPR to files, without a terminal. FILE - is standard output."""
    from warpviz.cli.export import export_view
    from warpviz.cli.open import scene_to_open

    files, opening = read_files(given), read_opening(given)
    shown = scene_to_open(scene, expression, read_options(given), opening, given["ranges"])
    export_view(shown, opening, given["size"], given["theme"], files)
