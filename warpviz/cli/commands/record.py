"""`warpviz record`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.arguments import counters_option, device_option, scene_items

_EXAMPLES = """
Examples:

\b
  warpviz record                                 everything: about ten minutes
  warpviz record here.json --only stride --only golden
  warpviz record here.json --counters off        a minute; also without the permission to count

On a cluster, one file for each node, by the launcher that the site has:

\b
  srun --ntasks-per-node=1 sh -c 'warpviz record "$(hostname).json"'
  warpviz compare *.json
"""


@click.command("record", epilog=_EXAMPLES)
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--only",
    multiple=True,
    metavar="scenes|golden|SCENE",
    shell_complete=scene_items,
    help="The scenes that ship, the golden patterns, or one scene; repeatable.",
)
@counters_option
@device_option
def command(file: str | None, only: tuple[str, ...], counters: Any, device: str | None) -> int:
    """Measure every scene and the golden patterns on the GPU here, into FILE.

    Every access of a scene is measured at the values it begins with and over the whole range of each knob; the golden
    patterns are some 3,260 accesses whose counters an H200 has shown. FILE is JSON; without one it goes where `warpviz`
    finds it: see `warpviz recorded`. What FILE already holds of the same GPU, driver and compiler stays in it. After
    Ctrl-C the file has what was measured until then.
    """
    from warpviz.cli.record import record

    return record(file, counters, only, device)
