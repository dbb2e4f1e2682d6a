"""The lines of a file that state how to run its kernels.

`//@ launch NAME grid=X[,Y[,Z]] block=X[,Y[,Z]] [smem=BYTES] PARAM=VALUE …`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from warpviz.expression.source import clipped
from warpviz.kernel.launch.errors import LaunchError, Where

_LINE = re.compile(r"^[ \t]*//@[ \t]*launch\b(?P<stated>.*)$", re.MULTILINE)
_KEY = re.compile(r"(?<!\S)(?P<key>[A-Za-z_]\w*)=(?!=)")


@dataclass(frozen=True)
class Given:
    """A text that the user gives for something, and where its first character stands."""

    text: str
    where: Where


@dataclass(frozen=True)
class LaunchLine:
    """What one line states, not yet understood. name: of the kernel. grid, block, shared_bytes: None where it says
    nothing of them. arguments: by the parameter's name, in their order."""

    name: str
    grid: Given | None
    block: Given | None
    shared_bytes: Given | None
    arguments: tuple[tuple[str, Given], ...]
    where: Where


def parse_launch(text: str, file: str = "") -> list[LaunchLine]:
    """Every launch line of a file's text, in their order. file: its name, for errors. Raises LaunchError."""
    return [_line(text, match, file) for match in _LINE.finditer(text)]


def _line(text: str, match: re.Match[str], file: str) -> LaunchLine:
    stated, start = match["stated"], match.start("stated")
    where = Where(line=text.count("\n", 0, start) + 1, column=start - text.rfind("\n", 0, start), file=file)
    keys = list(_KEY.finditer(stated))
    name = stated[: keys[0].start() if keys else len(stated)]
    if not name.strip():
        raise LaunchError("the launch names no kernel; write //@ launch NAME grid=… block=… PARAM=VALUE …", where)
    grid = block = shared_bytes = None
    arguments: list[tuple[str, Given]] = []
    for key, given in _entries(stated, keys, where):
        if key == "grid" and grid is None:
            grid = given
        elif key == "block" and block is None:
            block = given
        elif key == "smem" and shared_bytes is None and not arguments:  # later it may be a parameter's name
            shared_bytes = given
        elif any(key == other for other, _ in arguments):
            raise LaunchError(f"{clipped(key)} is given twice", given.where)
        else:
            arguments.append((key, given))
    begins = len(name) - len(name.lstrip())
    return LaunchLine(name.strip(), grid, block, shared_bytes, tuple(arguments), where.after(begins))


def _entries(stated: str, keys: list[re.Match[str]], where: Where) -> Iterator[tuple[str, Given]]:
    """Each KEY=VALUE. A value goes on to the next key, so that blanks may stand in it."""
    ends = [*(key.start() for key in keys), len(stated)][1:]
    for key, end in zip(keys, ends, strict=True):
        value = stated[key.end() : end]
        begins = key.end() + len(value) - len(value.lstrip())
        if not value.strip():
            raise LaunchError(f"{clipped(key['key'])}= has no value", where.after(key.start()))
        yield key["key"], Given(value.strip(), where.after(begins))
