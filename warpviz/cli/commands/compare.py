"""`warpviz compare`."""

from __future__ import annotations

import click

_EXAMPLES = """
Examples:

\b
  warpviz compare a.json b.json
  warpviz compare node*.json             which node is slower, or counts otherwise?
  warpviz compare here.json              with the prediction alone
"""


@click.command("compare", epilog=_EXAMPLES)
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=str))
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with every difference.")
def command(files: tuple[str, ...], as_json: bool) -> None:
    """Compare recorded FILEs, which `warpviz record` writes.

    Of the accesses that all of them hold: which counts differ, by which rule, and what is slower.
    """
    from warpviz.cli.compare import print_comparison

    print_comparison(files, as_json)
