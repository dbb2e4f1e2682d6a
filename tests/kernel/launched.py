"""A kernel launched in the interpreter, for tests: arguments in, arrays, counts and statistics out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.counting import Count, Counter, totals
from warpviz.kernel.launch import LaunchOptions, launch_of, parse_launch
from warpviz.kernel.machine import Geometry, Statistics, run
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Observer, Several
from warpviz.kernel.program import build_program
from warpviz.kernel.ptx import read_module

Index = tuple[int, int, int]


@dataclass(frozen=True)
class Launched:
    """arrays: by the name of their argument, as the kernel leaves them. counts: by memory space and op."""

    arrays: Mapping[str, NDArray[Any]]
    counts: Mapping[str, Count]
    counter: Counter
    statistics: Statistics


def launched(
    ptx: str,
    grid: Index,
    block: Index,
    arguments: Mapping[str, NDArray[Any] | np.generic],
    *,
    kernel: str | None = None,
    shared_bytes: int = 0,
    observers: Sequence[Observer] = (),
    **options: Any,
) -> Launched:
    """Run a kernel, the module's only one unless named. arguments: in the order of the parameters, arrays and scalars
    of numpy. options: of `run`."""
    module = read_module(ptx)
    program = build_program(module, kernel or module.kernels[0].name)
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    memory = Memory(program.variables, program.parameters, [(n, a.nbytes) for n, a in arrays.items()], shared_bytes)
    contents = bytearray(max((p.offset + p.size for p in program.parameters), default=0))
    for parameter, (name, value) in zip(program.parameters, arguments.items(), strict=True):
        if name in arrays:
            memory.arena.cells_of(name)[:] = np.ascontiguousarray(value).view(np.uint8).reshape(-1)
        written = memory.arena.arrays[name].address.to_bytes(8, "little") if name in arrays else value.tobytes()
        contents[parameter.offset : parameter.offset + parameter.size] = written
    memory.set_parameters(bytes(contents))
    counter = Counter()
    geometry = Geometry(grid, block, shared_bytes)
    statistics = run(program, geometry, memory, Several([counter, *observers]), **options)
    after = {n: memory.arena.cells_of(n).view(a.dtype).reshape(a.shape).copy() for n, a in arrays.items()}
    return Launched(after, totals(counter.counts), counter, statistics)


def launched_file(ptx: str, path: Path, **options: Any) -> Launched:
    """Run a kernel as its file's launch line says."""
    (line,) = parse_launch(path.read_text())
    (kernel,) = read_module(ptx).kernels
    launch = launch_of(line, LaunchOptions(), kernel, None, name=line.name, folder=path.parent)
    arguments: dict[str, Any] = {
        argument.name: argument.values() if argument in launch.arrays else np.void(argument.contents)
        for argument in launch.arguments
    }
    return launched(ptx, launch.grid, launch.block, arguments, shared_bytes=launch.shared_bytes, **options)
