"""`warpviz sweep`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import counters_option, device_option, scene_items
from warpviz.cli.options import SetValue, access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz sweep 's[k*lane]' --over k=0..64
  warpviz sweep 's[lane]' --over width=1..16
  warpviz sweep tile-padding --over pad=0..8 --measure --svg padding.svg
  warpviz sweep 'in[lane + o]' --space global --over o=0..32 --csv > offsets.csv
"""


@click.command("sweep", epilog=_EXAMPLES)
@click.argument("what", metavar="EXPR|SCENE", shell_complete=scene_items)
@click.option("--over", type=SetValue(), required=True, help="The name to turn; `width`: bytes a lane.")
@access_options
@click.option("--measure", is_flag=True, help="Measure every value on the GPU.")
@device_option
@counters_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--csv", "as_csv", is_flag=True, help="A line of headings, and one for each value.")
@click.option("--svg", metavar="FILE", help="Draw the chart to FILE.")
def command(
    what: str,
    over: Any,
    measure: bool,
    device: str | None,
    counters: Any,
    as_json: bool,
    as_csv: bool,
    svg: str | None,
    **given: Any,
) -> int:
    """What EXPR, or every access of SCENE, costs at each value of one name."""
    from warpviz.cli.sweep import Wanted, print_sweep

    if device is not None and not measure:
        raise click.UsageError("--device says which GPU measures: give --measure as well")
    wanted = Wanted(as_json, as_csv, svg, counters if measure else None, device)
    return print_sweep(what, over, read_options(given), wanted)
