"""One launch of a kernel, interpreted: what its accesses cost, and what it leaves in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from numpy.typing import NDArray

from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.code import Code, Finding, Fusing
from warpviz.kernel.counting import Count, Counter, Recorded, Recorder
from warpviz.kernel.hazards import Hazard, HazardFinder
from warpviz.kernel.launch import Launch
from warpviz.kernel.machine import BarrierNotReached, Geometry, Statistics, run
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program

_WORKERS = 2  # threads: numpy lets them run side by side
_SAMPLED_PARTS = 16  # of a grid: blocks next to each other run faster, blocks far apart tell more


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

    counts: what each instruction's accesses cost together, over all blocks that ran; with `code` as the machine code
    makes them. executed: how many instructions of shared memory warps execute, by op ("shared_ld"), also those of which
    all lanes are predicated off; None where the machine code is not known. arrays: what they hold afterwards, by the
    parameter's name, each of shape (count,). statistics: what was run. hazards: what was found wrong. findings: where
    machine code and PTX differ. notices: sentences on what is passed over. stuck: why the kernel does not end, when its
    threads wait at barriers for ever: the counts are those until then. code: that was taken into account.
    """

    launch: Launch
    arch: str
    counts: Mapping[Kind, Count]
    executed: Mapping[str, int] | None
    arrays: Mapping[str, NDArray[Any]]
    statistics: Statistics
    hazards: tuple[Hazard, ...]
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]
    stuck: BarrierNotReached | None = None
    code: Code | None = None

    @property
    def is_sample(self) -> bool:
        """Whether some blocks of the grid were left out."""
        return self.stuck is None and self.statistics.blocks < prod(self.launch.grid)


def interpret(
    program: Program,
    launch: Launch,
    arch: str = DEFAULT_ARCH,
    *,
    code: Code | None = None,
    blocks: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, blocks: None,
) -> Outcome:
    """Run the whole grid, or a sample of it. code: of the program; with it the counts are those of the machine code.
    blocks: how many, spread over the grid; None: all. progress is told how many of the blocks are done.

    Raises LaunchError for an array that cannot be filled, MemoryFault for an access outside all arrays, CannotRun and
    UnsupportedInstruction: see the machine.
    """
    memory, arrays = filled_memory(program, launch)
    geometry = _geometry(launch)
    counter, finder = Counter(arch), HazardFinder(program, geometry, memory)
    fusing = Fusing(counter, code.fusions if code else {})
    statistics, stuck = Statistics(0, 0, 0, 0, ()), None
    try:
        statistics = run(
            program,
            geometry,
            memory,
            fusing,
            watch=finder.watch,
            blocks=None if blocks is None else sample(geometry.blocks, blocks),
            workers=_WORKERS,
            cancelled=cancelled,
            progress=progress,
        )
    except BarrierNotReached as error:
        stuck = error
    return Outcome(
        launch,
        arch,
        counter.counts,
        code.executed(statistics, counter.counts) if code and stuck is None else None,
        arrays,
        statistics,
        finder.hazards,
        (*code.findings, *code.refusals(fusing.refused)) if code else (),
        program.notices,
        stuck,
        code,
    )


def sample(blocks: int, wanted: int) -> list[range]:
    """Ranges of blocks, so many in all, spread over a grid: its first ones and its last ones among them.

    >>> sample(100, 4), sample(3, 8)
    ([range(0, 1), range(33, 34), range(66, 67), range(99, 100)], [range(0, 3)])
    """
    if wanted >= blocks:
        return [range(blocks)]
    parts = min(wanted, _SAMPLED_PARTS)
    sizes = [wanted * (part + 1) // parts - wanted * part // parts for part in range(parts)]
    between = (blocks - wanted) / max(parts - 1, 1)
    starts = [sum(sizes[:part]) + int(part * between) for part in range(parts)]
    return [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]


def record_block(
    program: Program,
    launch: Launch,
    block: int,
    *,
    code: Code | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> RecordedBlock:
    """Run one block alone, as if it were the first to run. block: its place in the grid, x fastest. code: of the
    program; with it the accesses are those of the machine code.

    Raises what `interpret` does.
    """
    memory, _ = filled_memory(program, launch)
    recorder = Recorder(block)
    observer = Fusing(recorder, code.fusions if code else {})
    run(program, _geometry(launch), memory, observer, blocks=[range(block, block + 1)], cancelled=cancelled)
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
