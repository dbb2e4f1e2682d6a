"""`warpviz completion`."""

from __future__ import annotations

from typing import Any

import click

from warpviz.cli.completion import SHELLS, script

_EXAMPLES = """
Examples:

\b
  eval "$(warpviz completion bash)"          in ~/.bashrc
  eval "$(warpviz completion zsh)"           in ~/.zshrc
  warpviz completion fish > ~/.config/fish/completions/warpviz.fish
"""


@click.command("completion", epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: Any) -> None:
    """Print what SHELL has to read to complete the arguments of warpviz."""
    click.echo(script(click.get_current_context().find_root().command, shell), nl=False)
