"""The options that say where the explorer begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpviz.cli.arguments import Command, decorated
from warpviz.cli.options import SetValue
from warpviz.hardware import LANES
from warpviz.tui.opening import AT_THE_START, PANELS, Opening, Step

if TYPE_CHECKING:
    from warpviz.gpu.recorded import RecordedFile


class StepValue(click.ParamType[Step]):
    """A step's number, or `end`."""

    name = "N|end"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Step:
        if str(value).lower() == "end":
            return "end"
        try:
            step = int(value)
        except ValueError:
            self.fail(f"{value!r} is no step; a number from 0 is meant, or end", param, ctx)
        if step < 0:
            self.fail(f"{step} is no step; the first is 1, and 0 is before it", param, ctx)
        return step


class RecordedValue(click.ParamType["RecordedFile"]):
    """A file of recorded measurements, or the name of one that `warpviz recorded` lists."""

    name = "FILE|NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> RecordedFile:
        from warpviz.gpu.recorded import find_known, known, open_file

        found = find_known(value) or open_file(Path(value))
        if found.problem:
            names = ", ".join(file.name for file in known() if not file.problem)
            listed = f"; of those that `warpviz recorded` lists the names are {names}" if names else ""
            self.fail(f"{found.problem}{listed}", param, ctx)
        return found


_OPTIONS = (
    click.option("--access", type=click.IntRange(min=1), default=1, help="Which of the scene's accesses [1]."),
    click.option("--lane", type=click.IntRange(0, LANES - 1), default=AT_THE_START.lane, help="The chosen lane [1]."),
    click.option("--step", type=StepValue(), default=None, help="Paused at this step; 0: before the first."),
    click.option("--panel", type=click.Choice(PANELS), default=None, help="With this panel open."),
    click.option("--knob", metavar="NAME", default="", help="The chosen knob [the first]."),
    click.option(
        "--range", "ranges", type=SetValue(), multiple=True, help="How far an expression's knob turns [0..64]."
    ),
    click.option("--pin", "pins", type=SetValue(), multiple=True, help="Compare with the access at this value, as A."),
    click.option(
        "--recorded", "recording", type=RecordedValue(), help="Show its measurements: see `warpviz recorded`."
    ),
)


def opening_options(command: Command) -> Command:
    """Give a click command the opening options; `read_opening` turns what they collect into an Opening."""
    return decorated(command, _OPTIONS)


def read_opening(given: dict[str, Any]) -> Opening:
    """The opening options of a command's arguments."""
    pinned = tuple((name, values[0]) for name, values in given["pins"]) or None
    return Opening(
        given["access"] - 1,
        given["lane"],
        given["step"],
        given["panel"] or "",
        given["knob"],
        pinned,
        given["recording"],
    )
