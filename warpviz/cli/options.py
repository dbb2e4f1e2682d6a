"""The options that describe an access, checked where they come in."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click
from click.core import ParameterSource

from warpviz.cli.arguments import Command, decorated
from warpviz.expression import Dim3, Launch, Pattern
from warpviz.expression.extent import extent_of
from warpviz.hardware import DEFAULT_ARCH, MATRICES, OPS, SPACES, check_arch
from warpviz.resources import read_text

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LARGEST_DECLARATIONS_BYTES = 1_000_000
_MOST_COMBINATIONS = 1_000_000


@dataclass(frozen=True)
class AccessOptions:
    """What the access options say, but for the expression.

    values: each --set name with its values, in order. describing: the options given that only an expression takes,
    since a scene brings its own. arch: None when not given.
    """

    declarations: str
    values: dict[str, range]
    where: str
    op: Any
    space: Any
    matrices: int | None
    launch: Launch
    arch: str | None
    describing: tuple[str, ...]

    def pattern(self, expression: str) -> Pattern:
        """The expression with these options."""
        return Pattern(expression, self.declarations, self.where, self.op, self.space, self.matrices, self.launch)

    def combinations(self) -> Iterator[dict[str, int]]:
        """Every combination of the --set values, the last name turning fastest."""
        return combinations(self.values)


def combinations(values: dict[str, range]) -> Iterator[dict[str, int]]:
    """Every combination of these names' values, the last name turning fastest. Raises click.UsageError if too many."""
    if (count := math.prod(map(len, values.values()))) > _MOST_COMBINATIONS:
        raise click.UsageError(f"the ranges of --set multiply out to {count:,} combinations; the limit is 1,000,000")
    return (dict(zip(values, point, strict=True)) for point in itertools.product(*values.values()))


class SetValue(click.ParamType[tuple[str, range]]):
    """NAME=INT or NAME=A..B, both ends included."""

    name = "NAME=INT|A..B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, range]:
        name, equals, text = str(value).partition("=")
        name = name.strip()
        if not equals or not _NAME.fullmatch(name):
            self.fail(f"{value!r} is not NAME=INT or NAME=A..B", param, ctx)
        first, dots, last = text.partition("..")
        try:
            low = int(first.strip(), 0)
            high = int(last.strip(), 0) if dots else low
        except ValueError:
            self.fail(f"{text!r} is no whole number and no range A..B", param, ctx)
        if max(abs(low), abs(high)) >= 2**63:
            self.fail(f"{text!r} does not fit in 64 bits", param, ctx)
        if low > high:
            self.fail(f"the range {text!r} ends before it begins; write {last}..{first}", param, ctx)
        return name, range(low, high + 1)


class ExtentValue(click.ParamType[Dim3]):
    """X[,Y[,Z]]: what is missing is `missing`."""

    name = "X[,Y[,Z]]"

    def __init__(self, missing: int) -> None:
        self.missing = missing

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Dim3:
        if isinstance(value, tuple):
            return cast(Dim3, value)
        try:
            return extent_of(str(value), self.missing)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class DeclarationText(click.ParamType[str]):
    """C declarations, or @FILE that holds them."""

    name = "TEXT|@FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not text.startswith("@"):
            return text
        try:
            return read_text(Path(text[1:]), _LARGEST_DECLARATIONS_BYTES)
        except ValueError as error:
            self.fail(f"{text[1:]} {error}", param, ctx)


_OPTIONS = (
    click.option("--decl", type=DeclarationText(), multiple=True, help="C declarations; repeatable."),
    click.option("--set", "sets", type=SetValue(), multiple=True, help="A name's value or range; ranges multiply out."),
    click.option("--block", type=ExtentValue(1), default=(32, 1, 1), help="blockDim [32]."),
    click.option("--block-index", type=ExtentValue(0), default=(0, 0, 0), help="blockIdx [0]."),
    click.option("--grid", type=ExtentValue(1), default=None, help="gridDim; just large enough when left out."),
    click.option("--warp", type=int, default=0, show_default=True, help="Which warp of the block."),
    click.option("--where", default="", metavar="COND", help="A C condition: the lanes for which it holds are active."),
    click.option("--op", type=click.Choice(OPS), default="ld", show_default=True, help="What the instruction does."),
    click.option("--matrices", type=click.Choice([str(m) for m in MATRICES]), default=None, help="For ldmatrix."),
    click.option("--space", type=click.Choice(SPACES), default=None, help="Of arrays that are not declared [shared]."),
    click.option("--arch", default=None, help=f"The GPU architecture [{DEFAULT_ARCH}; when measuring, the GPU's own]."),
)

_DESCRIBING = ("decl", "block", "block_index", "grid", "warp", "where", "op", "matrices", "space")


def access_options(command: Command) -> Command:
    """Give a click command the access options; `read_options` turns what they collect into AccessOptions."""
    return decorated(command, _OPTIONS)


def read_options(given: dict[str, Any]) -> AccessOptions:
    """The access options of a command's arguments. Raises click.UsageError, with a sentence."""
    values: dict[str, range] = {}
    for name, numbers in given["sets"]:
        if name in values:
            raise click.UsageError(f"--set gives {name} twice; a range is written {name}=A..B")
        values[name] = numbers
    try:
        check_arch(given["arch"] or DEFAULT_ARCH)
        launch = Launch(given["block"], given["block_index"], given["grid"], given["warp"])
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return AccessOptions(
        declarations="\n".join(given["decl"]),
        values=values,
        where=given["where"],
        op=given["op"],
        space=given["space"],
        matrices=None if given["matrices"] is None else int(given["matrices"]),
        launch=launch,
        arch=given["arch"],
        describing=tuple(_describing_options_given()),
    )


def _describing_options_given() -> Iterator[str]:
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in _DESCRIBING and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            yield parameter.opts[0]
