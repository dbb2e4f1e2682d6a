"""A whole launch, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import numpy as np

from warpviz.kernel.machine.code import Code, lowered_program
from warpviz.kernel.machine.engine import Engine
from warpviz.kernel.machine.geometry import Geometry, special_values
from warpviz.kernel.machine.step import State
from warpviz.kernel.memory.memory import ChunkMemory, Memory
from warpviz.kernel.memory.observing import Observer, Threads
from warpviz.kernel.program import Program

CHUNK_THREADS = 1 << 16  # so many that numpy's own work outweighs Python's, so few that registers stay in the cache
CHUNK_BYTES = 1 << 27  # of registers, and of shared or local memory
STEP_LIMIT = 10_000_000  # basic blocks that a chunk runs: minutes
_REGISTER_BYTES = 4
_FLOATS = ("f16", "f16x2", "bf16", "bf16x2", "f32", "f64")


@dataclass(frozen=True)
class Statistics:
    """What ran. blocks, threads: that have run to their end. thread_instructions, warp_instructions: PTX instructions,
    counted for each thread and for each warp that runs them."""

    blocks: int
    threads: int
    thread_instructions: int
    warp_instructions: int


def run(
    program: Program,
    geometry: Geometry,
    memory: Memory,
    observer: Observer,
    *,
    blocks: range | None = None,
    chunk_threads: int = CHUNK_THREADS,
    workers: int = 1,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, of: None,
    step_limit: int = STEP_LIMIT,
) -> Statistics:
    """Run a kernel's blocks. memory: as Memory lays out the program's variables, with its parameters set.

    blocks: their places in the grid, one after the other; None: all. chunk_threads: about how many threads run at once.
    workers: how many chunks run at the same time; one where results depend on the order of blocks. cancelled: asked now
    and then. progress: told how many blocks of how many are done; both are called from any thread. step_limit: of basic
    blocks that a chunk may run.

    Raises UnsupportedInstruction before anything runs, MemoryFault, and Stopped.
    """
    code = lowered_program(program, memory)
    blocks = range(geometry.blocks) if blocks is None else blocks
    size = _blocks_at_once(program, geometry, memory, chunk_threads)
    chunks = [blocks[start : start + size] for start in range(0, len(blocks), size)]
    work = _Work(code, geometry, memory, observer, cancelled, progress, step_limit, len(blocks))
    if depends_on_order(program):
        workers = 1
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work.chunk, number, chunk) for number, chunk in enumerate(chunks)]
    parts = [future.result() for future in futures]
    threads, warps = (sum(part[which] for part in parts) for which in (0, 1))
    return Statistics(len(blocks), len(blocks) * geometry.threads, threads, warps)


def depends_on_order(program: Program) -> bool:
    """Whether an atomic in global memory may give another result when blocks run in another order."""
    indices = (index for block in program.blocks for index in block.instructions)
    return any(
        (instruction := program.instructions[index]).opcode in ("atom", "red")
        and "shared" not in instruction.modifiers
        and ((index not in program.unread and instruction.opcode == "atom") or instruction.modifiers[-1] in _FLOATS)
        for index in indices
    )


def _blocks_at_once(program: Program, geometry: Geometry, memory: Memory, chunk_threads: int) -> int:
    threads, sizes = geometry.warps * 32, memory.layout.sizes
    bytes_of_block = max(len(program.registers) * _REGISTER_BYTES * threads, sizes["shared"], sizes["local"] * threads)
    return max(1, min(chunk_threads // threads, CHUNK_BYTES // bytes_of_block))


class _Work:
    """What the chunks of a launch have in common."""

    def __init__(
        self,
        code: Code,
        geometry: Geometry,
        memory: Memory,
        observer: Observer,
        cancelled: Callable[[], bool],
        progress: Callable[[int, int], None],
        step_limit: int,
        blocks: int,
    ) -> None:
        self._code = code
        self._geometry = geometry
        self._memory = memory
        self._observer = observer
        self._cancelled = cancelled
        self._progress = progress
        self._step_limit = step_limit
        self._blocks = blocks
        self._done = 0
        self._failed: int | None = None
        self._lock = Lock()

    def chunk(self, number: int, blocks: range) -> tuple[int, int]:
        """Run a chunk: (thread instructions, warp instructions). It stops when an earlier one has failed."""

        def unwanted() -> bool:
            return (self._failed is not None and self._failed < number) or self._cancelled()

        engine = Engine(self._code, self._state(blocks), unwanted, self._step_limit)
        try:
            with np.errstate(all="ignore"):
                engine.run()
        except Exception:
            with self._lock:
                self._failed = number if self._failed is None else min(number, self._failed)
            raise
        with self._lock:
            self._done += len(blocks)
            self._progress(self._done, self._blocks)
        sizes = np.array([block.size for block in self._code.blocks])
        return int(engine.threads_run @ sizes), int(engine.warps_run @ sizes)

    def _state(self, blocks: range) -> State:
        geometry = self._geometry
        return State(
            geometry,
            self._code.new_registers(special_values(geometry, np.arange(blocks.start, blocks.stop))),
            ChunkMemory(self._memory, len(blocks), geometry.warps),
            self._observer,
            Threads.of_chunk(len(blocks), geometry.warps, blocks.start),
        )
