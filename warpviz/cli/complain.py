"""What the program has to say besides its data."""

from __future__ import annotations

import click


def complain(text: str) -> None:
    """Say it on standard error, under the program's name."""
    click.echo(f"warpviz: {text}".rstrip(), err=True)
