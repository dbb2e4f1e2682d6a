"""A .cu file that a user names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from warpviz.expression.source import clipped
from warpviz.kernel.launch import LaunchLine, parse_launch
from warpviz.resources import read_text

MOST_BYTES = 1_000_000
_LONGEST_PATH = 40  # characters: of a longer one the last part is shown


class SourceError(ValueError):
    """A file that cannot be read, or is no source text. str() is one sentence that names it."""


@dataclass(frozen=True)
class KernelSource:
    """path: of the file. text: its lines, ended by \\n. launches: that it states, in their order."""

    path: Path
    text: str
    launches: tuple[LaunchLine, ...]


def read_source(path: Path) -> KernelSource:
    """Raises SourceError for a file that is not there or no text, LaunchError for a launch line that is none."""
    shown = clipped(str(path) if len(str(path)) <= _LONGEST_PATH else path.name)
    if os.path.isdir(path):  # of a Path it raises, where a name is too long
        raise SourceError(f"{shown} is a folder; give a .cu file")
    try:
        text = read_text(path, MOST_BYTES)
    except ValueError as error:
        raise SourceError(f"{shown} {error}") from None
    if "\0" in text:
        raise SourceError(f"{shown} is no text: it has a character of value 0")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return KernelSource(path, text, tuple(parse_launch(text, clipped(path.name))))
