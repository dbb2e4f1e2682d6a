"""One launch of a kernel, interpreted: what its accesses cost, and what it leaves in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.counting import Count, Counter
from warpviz.kernel.launch import Launch
from warpviz.kernel.machine import Geometry, Statistics, run
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program

_WORKERS = 2  # threads: numpy lets them run side by side


@dataclass(frozen=True)
class Outcome:
    """What a launch did.

    counts: what each instruction's accesses cost together, over the whole grid. arrays: what they hold afterwards, by
    the parameter's name, each of shape (count,). statistics: what was run. notices: sentences on what is passed over.
    """

    launch: Launch
    arch: str
    counts: Mapping[Kind, Count]
    arrays: Mapping[str, NDArray[Any]]
    statistics: Statistics
    notices: tuple[str, ...]


def interpret(
    program: Program,
    launch: Launch,
    arch: str = DEFAULT_ARCH,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, blocks: None,
) -> Outcome:
    """Run the whole grid. progress is told how many of the blocks are done.

    Raises LaunchError for an array that cannot be filled, MemoryFault for an access outside all arrays, CannotRun and
    UnsupportedInstruction: see the machine.
    """
    arrays = {array.name: array for array in launch.arrays}
    memory = Memory(
        program.variables,
        program.parameters,
        [(name, array.size) for name, array in arrays.items()],
        launch.shared_bytes,
    )
    cells = {name: memory.arena.cells_of(name).view(array.dtype) for name, array in arrays.items()}
    for name, array in arrays.items():
        array.fill(cells[name])
    addresses = {name: memory.arena.arrays[name].address for name in arrays}
    memory.set_parameters(launch.parameter_bytes(program.parameters, addresses.__getitem__))
    counter = Counter(arch)
    geometry = Geometry(launch.grid, launch.block, launch.shared_bytes)
    statistics = run(program, geometry, memory, counter, workers=_WORKERS, cancelled=cancelled, progress=progress)
    return Outcome(launch, arch, counter.counts, cells, statistics, program.notices)
