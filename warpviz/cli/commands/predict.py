"""`warpviz predict`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.options import access_options, read_options

_EXAMPLES = """
Examples:

\b
  warpviz predict 's[k*lane]' --set k=0..64
  warpviz predict 'p[lane].x' --decl 'struct P { float x, y, z; }; struct P* p;'
  warpviz predict '((float4*)s)[lane]' --op st --json
  warpviz predict 'in[lane]' --space global --where 'lane < 7'
"""


@click.command("predict", epilog=_EXAMPLES)
@click.argument("expression", metavar="EXPR")
@access_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(expression: str, as_json: bool, **given: Any) -> None:
    """Predict what the hardware counts for EXPR, a C lvalue such as s[k*lane]."""
    from warpviz.cli.predict import print_predictions

    print_predictions(expression, read_options(given), as_json)
