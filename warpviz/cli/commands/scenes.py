"""`warpviz scenes`."""

from __future__ import annotations

import click

_EXAMPLES = """
Examples:

\b
  warpviz scenes
  warpviz $(warpviz scenes | head -1 | cut -d' ' -f1)
"""


@click.command("scenes", epilog=_EXAMPLES)
def command() -> None:
    """List the scenes that come with the program."""
    from warpviz.scene import shipped_scenes

    shipped = shipped_scenes()
    width = max(len(scene.name) for scene in shipped)
    for scene in shipped:
        click.echo(f"{scene.name.ljust(width)}  {scene.title}")
