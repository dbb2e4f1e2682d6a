"""The command line: arguments in, text or JSON out, exit codes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

__all__ = ["COMPLETION_VARIABLE", "at_terminal", "main"]

COMPLETION_VARIABLE = "_WARPVIZ_COMPLETE"  # the environment variable through which a shell asks for completions

# Starting makes many objects and no garbage: looking for it as often as Python does costs a twentieth of the start.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
_INTERRUPTED = 130  # exits.Exit.INTERRUPTED, before that could be loaded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with these arguments (None: the process's own) and return its exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    _open_closed_streams()
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if not given and at_terminal() and COMPLETION_VARIABLE not in os.environ:
            return _open_gallery()
        from warpviz.cli.program import run_command

        return run_command(given)
    except KeyboardInterrupt:  # while it is loading
        return _INTERRUPTED


def _open_gallery() -> int:
    """There is nothing to parse, so it opens before the parser could be loaded."""
    from warpviz.tui.app import run
    from warpviz.tui.config import ConfigError

    try:
        return run(None)
    except ConfigError as error:
        from warpviz.cli.complain import complain
        from warpviz.cli.exits import Exit

        complain(str(error))
        return Exit.BAD_INPUT


def _open_closed_streams() -> None:
    """A process may be started without standard streams; Python has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  for as long as the process lives


def at_terminal() -> bool:
    """Whether somebody sits before a screen, at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()
