"""A whole launch, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.machine.code import Code, lowered_program
from warpviz.kernel.machine.engine import Engine
from warpviz.kernel.machine.flow import Tally
from warpviz.kernel.machine.geometry import Geometry, special_values
from warpviz.kernel.machine.limits import check_limits
from warpviz.kernel.machine.step import State
from warpviz.kernel.memory.memory import ChunkMemory, Memory
from warpviz.kernel.memory.observing import Observer, Threads
from warpviz.kernel.memory.watching import Watch, nobody
from warpviz.kernel.program import Program

CHUNK_THREADS = 1 << 16  # so many that numpy's own work outweighs Python's, so few that registers stay in the cache
STEP_LIMIT = 4_000_000  # basic blocks that a chunk runs: minutes
_CHUNK_BYTES = 1 << 27  # of registers, and of shared or local memory
_REGISTER_BYTES = 4
_FLOATS = ("f16", "f16x2", "bf16", "bf16x2", "f32", "f64")


@dataclass(frozen=True)
class Statistics:
    """What ran. blocks, threads: that have run to their end. thread_instructions, warp_instructions: PTX instructions,
    counted for each thread and for each warp that runs them. warps_run: of each of the program's basic blocks, how many
    warps have run it, each time counted."""

    blocks: int
    threads: int
    thread_instructions: int
    warp_instructions: int
    warps_run: tuple[int, ...]


def run(
    program: Program,
    geometry: Geometry,
    memory: Memory,
    observer: Observer,
    *,
    watch: Watch = nobody,
    blocks: Sequence[range] | None = None,
    chunk_threads: int = CHUNK_THREADS,
    workers: int = 1,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, of: None,
    step_limit: int = STEP_LIMIT,
) -> Statistics:
    """Run a kernel's blocks. memory: as Memory lays out the program's variables, with its parameters set.

    watch: says who looks for hazards in each chunk. blocks: their places in the grid, one after the other; None: all.
    chunk_threads: about how many threads run at once. workers: how many chunks run at the same time; one where results
    depend on the order of blocks. cancelled: asked now and then, whether the result is wanted no more. progress: told
    how many blocks of how many are done; both are called from any thread. step_limit: of basic blocks of a chunk.

    Raises CannotRun before anything runs: an UnsupportedInstruction, too much memory; MemoryFault, and Stopped.
    """
    check_limits(program, memory.layout)
    code = lowered_program(program, memory)
    parts = [range(geometry.blocks)] if blocks is None else blocks
    count = sum(map(len, parts))
    size = _blocks_at_once(program, geometry, memory, chunk_threads)
    chunks = [part[start : start + size] for part in parts for start in range(0, len(part), size)]
    work = _Work(code, geometry, memory, observer, watch, cancelled, progress, step_limit, count)
    with ThreadPoolExecutor(1 if depends_on_order(program) else workers) as pool:
        futures = [pool.submit(work.chunk, number, chunk) for number, chunk in enumerate(chunks)]
        try:
            tallies = [future.result() for future in futures]
        except BaseException:  # an interruption too: nothing goes on behind it
            work.abandoned = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    threads_run, warps_run = (
        np.sum([getattr(tally, name) for tally in tallies], axis=0) for name in ("threads_run", "warps_run")
    )
    sizes = np.array([block.size for block in code.blocks])
    threads = count * geometry.threads
    return Statistics(count, threads, int(threads_run @ sizes), int(warps_run @ sizes), tuple(warps_run.tolist()))


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
    threads, sizes = geometry.warps * LANES, memory.layout.sizes
    bytes_of_block = max(len(program.registers) * _REGISTER_BYTES * threads, sizes["shared"], sizes["local"] * threads)
    return max(1, min(chunk_threads // threads, _CHUNK_BYTES // max(1, bytes_of_block)))


@dataclass
class _Work:
    """What the chunks of a launch have in common. blocks: how many there are. failed: the first chunk that has.
    abandoned: whether nobody waits for the others any more."""

    code: Code
    geometry: Geometry
    memory: Memory
    observer: Observer
    watch: Watch
    cancelled: Callable[[], bool]
    progress: Callable[[int, int], None]
    step_limit: int
    blocks: int
    done: int = 0
    failed: int | None = None
    abandoned: bool = False
    lock: Lock = field(default_factory=Lock)

    def chunk(self, number: int, blocks: range) -> Tally:
        """Run a chunk. It stops when an earlier one has failed."""

        def unwanted() -> bool:
            return self.abandoned or (self.failed is not None and self.failed < number) or self.cancelled()

        nothing = np.zeros(len(self.code.blocks), dtype=np.int64)
        tally = Tally(nothing.copy(), nothing.copy(), unwanted, self.step_limit)
        try:
            self._run(self._state(blocks), tally)
        except Exception:
            with self.lock:
                self.failed = number if self.failed is None else min(number, self.failed)
            raise
        with self.lock:
            self.done += len(blocks)
            self.progress(self.done, self.blocks)
        return tally

    def _run(self, state: State, tally: Tally) -> None:
        try:
            with np.errstate(all="ignore"):
                Engine(self.code, state, tally).run()
        finally:
            if state.watcher is not None:
                state.watcher.finish()

    def _state(self, blocks: range) -> State:
        places = np.arange(blocks.start, blocks.stop)
        special = special_values(self.geometry, places, self.memory.layout.sizes["shared"])
        threads = Threads.of_chunk(len(blocks), self.geometry.warps, blocks.start)
        return State(
            self.geometry,
            self.code.new_registers(special),
            ChunkMemory(self.memory, len(blocks), self.geometry.warps),
            self.observer,
            threads,
            watcher=self.watch(threads),
        )
