"""`warpviz recorded`."""

from __future__ import annotations

import click

_EXAMPLES = """
Examples:

\b
  warpviz recorded
  warpviz recorded nodes/ other.json
"""


@click.command("recorded", epilog=_EXAMPLES)
@click.argument("places", metavar="[FOLDER|FILE]…", nargs=-1, type=click.Path(path_type=str))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(places: tuple[str, ...], as_json: bool) -> int:
    """List recorded files: these, or those that ship and those that `warpviz record` wrote here."""
    from warpviz.cli.recorded import list_recorded

    return list_recorded(places, as_json)
