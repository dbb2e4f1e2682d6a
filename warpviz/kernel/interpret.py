"""One launch of a kernel, interpreted: what its accesses cost, and what it leaves in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.counting import Count, Counter, Recorded, Recorder
from warpviz.kernel.launch import Launch
from warpviz.kernel.machine import Geometry, Statistics, run
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program

_WORKERS = 2  # threads: numpy lets them run side by side


@dataclass(frozen=True, eq=False)
class RecordedBlock:
    """What one block did. block: its place in the grid. accesses: in the order in which they were made. barriers: of
    each at which the block met, how many accesses came before. is_full: whether there were more accesses than are kept.
    memory: where the arrays and variables lie."""

    block: int
    accesses: tuple[Recorded, ...]
    barriers: tuple[int, ...]
    is_full: bool
    memory: Memory


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
    memory, arrays = filled_memory(program, launch)
    counter = Counter(arch)
    statistics = run(
        program, _geometry(launch), memory, counter, workers=_WORKERS, cancelled=cancelled, progress=progress
    )
    return Outcome(launch, arch, counter.counts, arrays, statistics, program.notices)


def record_block(
    program: Program, launch: Launch, block: int, *, cancelled: Callable[[], bool] = lambda: False
) -> RecordedBlock:
    """Run one block alone, as if it were the first to run. block: its place in the grid, x fastest.

    Raises what `interpret` does.
    """
    memory, _ = filled_memory(program, launch)
    recorder = Recorder(block)
    run(program, _geometry(launch), memory, recorder, blocks=range(block, block + 1), cancelled=cancelled)
    return RecordedBlock(block, tuple(recorder.accesses), tuple(recorder.barriers), recorder.is_full, memory)


def filled_memory(program: Program, launch: Launch) -> tuple[Memory, dict[str, NDArray[Any]]]:
    """Memory as a launch finds it, and its arrays there by the parameters' names, each of shape (count,).

    Raises LaunchError for an array that cannot be filled.
    """
    arrays = {array.name: array for array in launch.arrays}
    sizes = [(name, array.size) for name, array in arrays.items()]
    memory = Memory(program.variables, program.parameters, sizes, launch.shared_bytes)
    cells = {name: memory.arena.cells_of(name).view(array.dtype) for name, array in arrays.items()}
    for name, array in arrays.items():
        array.fill(cells[name])
    addresses = {name: memory.arena.arrays[name].address for name in arrays}
    memory.set_parameters(launch.parameter_bytes(program.parameters, addresses.__getitem__))
    return memory, cells


def _geometry(launch: Launch) -> Geometry:
    return Geometry(launch.grid, launch.block, launch.shared_bytes)
