"""The command line: arguments in, text or JSON out, exit codes."""

from warpviz.cli.main import main

__all__ = ["main"]
