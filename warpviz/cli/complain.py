"""What the program has to say besides its data."""

from __future__ import annotations

import click

from warpviz.wording import printable


def complain(text: str) -> None:
    """Say it on standard error, under the program's name, without what a terminal would obey."""
    lines = map(printable, text.split("\n"))
    click.echo("\n".join(["warpviz: " + next(lines), *lines]).rstrip(), err=True)
