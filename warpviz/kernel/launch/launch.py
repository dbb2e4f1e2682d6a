"""How a kernel is run: made of a launch line, of options that override it, and of the kernel's own parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpviz.expression import pattern
from warpviz.expression.pattern import Dim3
from warpviz.kernel.launch.arguments import Argument, Binder
from warpviz.kernel.launch.arrays import Array, FileArray, check_memory
from warpviz.kernel.launch.errors import LaunchError, Where
from warpviz.kernel.launch.integers import IntegerExpression
from warpviz.kernel.launch.line import Given, LaunchLine
from warpviz.kernel.launch.parameters import DeclaredParameter, MissingArguments, named
from warpviz.kernel.launch.specifications import specification
from warpviz.kernel.memory.layout import MOST_SHARED_BYTES
from warpviz.kernel.ptx.syntax import Parameter, Routine


@dataclass(frozen=True)
class LaunchOptions:
    """What is given beside the file, as text; None where nothing is. arguments: NAME=SPEC each. folder: that the paths
    in them start from."""

    grid: str | None = None
    block: str | None = None
    shared_bytes: str | None = None
    arguments: tuple[str, ...] = ()
    folder: Path = field(default_factory=Path)


@dataclass(frozen=True)
class Launch:
    """name: of the kernel, as a user writes it. grid, block: blocks and threads along x, y, z. shared_bytes: dynamic
    shared memory of a block. arguments: of each parameter, in their order."""

    name: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    arguments: tuple[Argument, ...]

    @property
    def arrays(self) -> tuple[Array | FileArray, ...]:
        """Those that go to global memory, each under the name of its parameter."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Array | FileArray))

    def parameter_bytes(self, parameters: Sequence[Parameter], address: Callable[[str], int]) -> bytes:
        """What the kernel reads as its parameters, from the first one's first byte. address: of an array, by name."""
        contents = bytearray(max((parameter.offset + parameter.size for parameter in parameters), default=0))
        for parameter, argument in zip(parameters, self.arguments, strict=True):
            if isinstance(argument, Array | FileArray):
                value = address(argument.name).to_bytes(parameter.size, "little")
            else:
                value = argument.contents
            contents[parameter.offset : parameter.offset + parameter.size] = value
        return bytes(contents)


def launch_of(
    line: LaunchLine | None,
    options: LaunchOptions,
    routine: Routine,
    declared: Sequence[DeclaredParameter] | None,
    *,
    name: str,
    folder: Path,
) -> Launch:
    """Understand what is given, for one kernel. Nothing is computed but what a check needs.

    line: of this kernel; None when the file has none. declared: its parameters; None where they are not found in the
    file, and then arguments go by their order. name: of the kernel. folder: that the paths in the line start from.
    Raises MissingArguments for parameters without a value; LaunchError for what has no parameter, does not fit it, or
    what CUDA cannot launch.
    """
    given = _arguments(line, options, folder)
    parameters = named(routine.parameters, declared, tuple(given), name)
    specifications = {key: specification(text, start) for key, (text, start) in given.items()}
    unknown = next((key for key in given if all(key != parameter.name for parameter in parameters)), None)
    if unknown is not None:
        known = ", ".join(parameter.name for parameter in parameters) or "none"
        raise LaunchError(f"{name} has no parameter {unknown}; its parameters: {known}", given[unknown][0].where)
    missing = [parameter for parameter in parameters if parameter.name not in specifications]
    if missing:
        raise MissingArguments(name, missing)
    binder = Binder(specifications)
    block = _block(_chosen(options.block, "--block", line.block if line else None), name, binder.integers)
    grid = _grid(_chosen(options.grid, "--grid", line.grid if line else None), name, binder.integers)
    shared = _chosen(options.shared_bytes, "--smem", line.shared_bytes if line else None)
    arguments = tuple(map(binder.argument, routine.parameters, parameters))
    launch = Launch(name, grid, block, _shared_bytes(shared, binder.integers), arguments)
    check_memory(launch.arrays)
    return launch


def _arguments(line: LaunchLine | None, options: LaunchOptions, folder: Path) -> dict[str, tuple[Given, Path]]:
    """What is given for each name, and the folder that a path in it starts from. Options come last, and win."""
    given = {key: (text, folder) for key, text in line.arguments} if line else {}
    for option in options.arguments:
        key, equals, text = option.partition("=")
        if not (key.strip().isidentifier() and equals and text.strip()):
            raise LaunchError("an argument is written NAME=VALUE, such as n=1024 or in=f32[1024]:i", Where("--arg"))
        given[key.strip()] = (Given(text.strip(), Where(f"--arg {key.strip()}")), options.folder)
    return given


def _chosen(option: str | None, option_name: str, of_line: Given | None) -> Given | None:
    return Given(option.strip(), Where(option_name)) if option is not None else of_line


def _block(given: Given | None, name: str, integers: Mapping[str, int]) -> Dim3:
    extent, where = _extent(given, "block", name, integers)
    try:
        return pattern.Launch(block=extent).block
    except ValueError as error:
        raise LaunchError(str(error), where) from None


def _grid(given: Given | None, name: str, integers: Mapping[str, int]) -> Dim3:
    extent, where = _extent(given, "grid", name, integers)
    try:
        return pattern.Launch(grid=extent).grid_extent
    except ValueError as error:
        raise LaunchError(str(error), where) from None


def _extent(given: Given | None, what: str, name: str, integers: Mapping[str, int]) -> tuple[Dim3, Where]:
    """X, X,Y or X,Y,Z, each an integer expression."""
    if given is None:
        raise LaunchError(
            f"{name} is given no {what}: add --{what} X[,Y[,Z]], or {what}=X[,Y[,Z]] to a //@ launch line"
        )
    parts = given.text.split(",")
    if len(parts) > 3 or not all(part.strip() for part in parts):
        raise LaunchError(f"a {what} is written X, X,Y or X,Y,Z", given.where)
    counts, begins = [], 0
    for part in parts:
        counts.append(IntegerExpression(Given(part, given.where.after(begins)), integers).constant())
        begins += len(part) + 1
    x, y, z = (*counts, 1, 1)[:3]
    return (x, y, z), given.where


def _shared_bytes(given: Given | None, integers: Mapping[str, int]) -> int:
    if given is None:
        return 0
    count = IntegerExpression(given, integers).constant() if given.text else -1
    if not 0 <= count <= MOST_SHARED_BYTES:
        raise LaunchError(
            f"a block has 0 to {MOST_SHARED_BYTES:,} bytes of dynamic shared memory, not {count:,}", given.where
        )
    return count
