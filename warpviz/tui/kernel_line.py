"""The command line that predicts a kernel as its screen does."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from warpviz.hardware import DEFAULT_ARCH
from warpviz.tui.opening import KernelToOpen


def kernel_line(asked: KernelToOpen) -> str:
    """A line for a POSIX shell. What has its default is left out.

    >>> from pathlib import Path
    >>> kernel_line(KernelToOpen(Path("sum.cu"), grid="64", arguments=("n=1 << 20",)))
    "warpviz kernel sum.cu --grid 64 --arg 'n=1 << 20'"
    """
    return shlex.join(["warpviz", "kernel", *_words(asked)])


def _words(asked: KernelToOpen) -> Iterator[str]:
    path = str(asked.path)
    yield f"./{path}" if path.startswith("-") else path
    options = {"--name": asked.name, "--grid": asked.grid, "--block": asked.block, "--smem": asked.shared_bytes}
    given = [(option, text) for option, text in options.items() if text is not None]
    given += [("--arg", argument) for argument in asked.arguments]
    given += [("--arch", asked.arch)] if asked.arch != DEFAULT_ARCH else []
    for option, text in given:
        yield from (option, text)
