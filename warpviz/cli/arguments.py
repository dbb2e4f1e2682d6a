"""What several commands take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

counters_option = click.option(
    "--counters",
    type=click.Choice(["auto", "off", "require"]),
    default="auto",
    show_default=True,
    help="Hardware counters through ncu.",
)


def scene_items(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """What the shell offers for an argument that may be a scene."""
    from warpviz.cli.completion import scenes_beginning

    return scenes_beginning(incomplete)
