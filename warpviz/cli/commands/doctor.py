"""`warpviz doctor`."""

from __future__ import annotations

import click

from warpviz.cli.arguments import device_option

_EXAMPLES = """
Examples:

\b
  warpviz doctor
  warpviz doctor --json | jq '.checks[] | select(.status != "ok")'
"""


@click.command("doctor", epilog=_EXAMPLES)
@device_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(device: str | None, as_json: bool) -> int:
    """Tell what works on this machine, and what mends what does not: terminal, Python, GPU, tools, files."""
    from warpviz.cli.doctor.examine import print_report

    return print_report(as_json, device)
