"""The options that say what `warpviz export` writes."""

from __future__ import annotations

import os
from typing import Any

import click

from warpviz.cli.arguments import Command, decorated
from warpviz.export import KINDS, Kind
from warpviz.tui.render.geometry import SMALLEST

Size = tuple[int, int]  # columns and rows

STANDARD_OUTPUT = "-"
_LARGEST = (500, 300)


class SizeValue(click.ParamType[Size]):
    """COLUMNSxROWS."""

    name = "COLUMNSxROWS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        if isinstance(value, tuple):
            return value
        try:
            columns, rows = map(int, str(value).split("x"))
        except ValueError:
            self.fail(f"{value!r} is no size; it is written like 100x30", param, ctx)
        if not (SMALLEST[0] <= columns <= _LARGEST[0] and SMALLEST[1] <= rows <= _LARGEST[1]):
            sizes = ("x".join(map(str, size)) for size in (SMALLEST, _LARGEST))
            self.fail(f"{value} is outside {' to '.join(sizes)}", param, ctx)
        return columns, rows


_OPTIONS = (
    click.option("--size", type=SizeValue(), default=(100, 30), help="Of the frame [100x30]."),
    click.option("--theme", type=click.Choice(["dark", "light", "contrast"]), default="dark", show_default=True),
    click.option("--svg", metavar="FILE", help="The frame as a picture."),
    click.option("--text", metavar="FILE", help="The frame as plain text."),
    click.option("--json", metavar="FILE", help="Every lane, step and count, as one JSON object."),
    click.option("--csv", metavar="FILE", help="A line for each lane."),
    click.option("--cast", metavar="FILE", help="The animation, for asciinema."),
)


def export_options(command: Command) -> Command:
    """Give a click command the options of `warpviz export`."""
    return decorated(command, _OPTIONS)


def read_files(given: dict[str, Any]) -> dict[Kind, str]:
    """The file of each kind that is asked for. Raises click.UsageError for none, and for one file of two kinds."""
    files: dict[Kind, str] = {kind: given[kind] for kind in KINDS if given[kind] is not None}
    if not files:
        options = [f"--{kind}" for kind in KINDS]
        raise click.UsageError(
            f"say what to write: {', '.join(options[:-1])} or {options[-1]} FILE; - is standard output"
        )
    kind_of_file: dict[str, Kind] = {}
    for kind, file in files.items():
        place = file if file == STANDARD_OUTPUT else os.path.realpath(file)
        if place in kind_of_file:
            raise click.UsageError(f"--{kind_of_file[place]} and --{kind} both go to {file}; give each its own file")
        kind_of_file[place] = kind
    return files
