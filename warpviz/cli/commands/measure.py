"""`warpviz measure`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import counters_option, device_option, scene_items
from warpviz.cli.options import access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz measure 's[k*lane]' --set k=8
  warpviz measure tile-padding --set pad=0..2
  warpviz measure 'in[lane + o]' --space global --set o=1 --counters require
"""


@click.command("measure", epilog=_EXAMPLES)
@click.argument("what", metavar="EXPR|SCENE", shell_complete=scene_items)
@access_options
@device_option
@counters_option
@click.option("--record", metavar="FILE", help="Write the measurements to FILE, to be shown where there is no GPU.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(what: str, device: str | None, counters: Any, record: str | None, as_json: bool, **given: Any) -> int:
    """Measure EXPR or every access of SCENE on the GPU and set it beside the prediction."""
    from warpviz.cli.measure import print_measurements

    return print_measurements(what, read_options(given), device, counters, record, as_json)
