"""`warpviz doctor`: look at everything and say how it is."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import click

from warpviz.cli.doctor.check import Check, Waiting, missing
from warpviz.cli.doctor.report import Style, as_json, lines, summary
from warpviz.cli.exits import Exit
from warpviz.tui.glyphs import ASCII, choose_glyphs

_COLUMNS = (60, 100)  # the least and the most that a line is given
_PIPED_COLUMNS = 80
_TOOLS = "compiler and tools"

Examined = Iterator[tuple[str, Check]]


def print_report(as_json_wanted: bool, device: str | None) -> int:
    """Examine, print and give the exit code: it is a report, so it is Exit.DONE whatever was found."""
    style = _style()
    examined = _examine(device, lambda stage: _waiting(stage, style))
    if as_json_wanted:
        click.echo(as_json(examined))
    else:
        _print(examined, style)
    return Exit.DONE


def _print(examined: Examined, style: Style) -> None:
    """Each check as it comes, under its group."""
    colour = None if _coloured() else False
    checks, title = [], ""
    for group, check in examined:
        if group != title:
            click.echo(
                click.style(group, bold=True) if not title else "\n" + click.style(group, bold=True), color=colour
            )
            title = group
        for line in lines(check, style):
            click.echo(line, color=colour)
        checks.append(check)
    click.echo("\n" + summary(checks))


def _examine(device: str | None, waiting: Waiting) -> Examined:
    """Every check with its group. A part of the program that cannot even be loaded is a finding like any other."""
    yield from _guarded("terminal", _terminal)
    yield from _guarded("Python", _python)
    yield from _guarded("GPU", lambda: _gpu_and_tools(device, waiting))
    yield from _guarded("files", _files)


def _terminal() -> Examined:
    from warpviz.cli.doctor.terminal import terminal_checks

    yield from _of("terminal", terminal_checks())


def _python() -> Examined:
    from warpviz.cli.doctor.python import python_checks

    yield from _of("Python", python_checks())


def _gpu_and_tools(device: str | None, waiting: Waiting) -> Examined:
    if sys.platform == "darwin":
        mend = "measure on Linux or Windows; here measurements recorded there are shown"
        yield "GPU", missing("driver", "there is no CUDA for macOS", mend)
        return
    from warpviz.cli.doctor.gpus import gpu_checks
    from warpviz.cli.doctor.tools import tool_checks
    from warpviz.gpu.machine.health import Examination

    with Examination() as examination:
        yield from _guarded("GPU", lambda: _of("GPU", gpu_checks(examination, waiting)))
        yield from _guarded(_TOOLS, lambda: _of(_TOOLS, tool_checks(examination, waiting, device)))


def _files() -> Examined:
    from warpviz.cli.doctor.files import file_checks

    yield from _of("files", file_checks())


def _of(group: str, checks: Iterator[Check]) -> Examined:
    return ((group, check) for check in checks)


def _guarded(group: str, look: Callable[[], Examined]) -> Examined:
    """Whatever this machine has in store, the other groups are looked at."""
    try:
        yield from look()
    except Exception as error:
        yield group, missing("this group", f"the doctor stumbles over {error!r}", "install warpviz again; or report it")


def _waiting(stage: str, style: Style) -> AbstractContextManager[object]:
    from rich.console import Console

    return Console(stderr=True).status(stage, spinner="line" if style.glyphs is ASCII else "dots")


def _style() -> Style:
    glyphs = choose_glyphs(encoding=None if sys.stdout.isatty() else sys.stdout.encoding)
    if not sys.stdout.isatty():
        return Style(glyphs, _PIPED_COLUMNS)
    least, most = _COLUMNS
    return Style(glyphs, min(max(shutil.get_terminal_size().columns, least), most))


def _coloured() -> bool:
    from warpviz.tui.palette import colour_depth

    return colour_depth() != "mono"
