"""Which threads run what, together with whom: against one thread at a time, and against sets of lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import HealthCheck, given, settings

from tests.kernel.launched import Launched, launched
from tests.kernel.oracle import Launch, run_scalar
from tests.kernel.ptx_samples import ptx_of
from tests.kernel.structured import Statement, WarpWalk, _Round, as_cuda, as_ptx, programs, sites
from warpviz.kernel.memory.observing import Kind, Mask, Nobody, Threads
from warpviz.kernel.ptx import read_module

BLOCK, GRID = 48, 2  # the last warp of a block has 16 threads
THREADS = BLOCK * GRID
RANDOM = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Lanes(Nobody):
    """An observer: which lanes of which warp have made each access together, and how often."""

    def __init__(self) -> None:
        self.seen: Counter[tuple[int, int, int, frozenset[int]]] = Counter()

    def access(self, kind: Kind, addresses: np.ndarray, mask: Mask, threads: Threads) -> None:
        full = np.broadcast_to(True if mask is None else mask, threads.shape)
        for row, column in zip(*np.nonzero(full.any(axis=2)), strict=True):
            warp = int(threads.warp[row if len(threads.warp) > 1 else 0, column, 0])
            block = threads.first_block + int(threads.block[row, 0, 0])
            self.seen[kind.index, block, warp, frozenset(np.flatnonzero(full[row, column]).tolist())] += 1


def run_both(ptx: str, words: int, **options: object) -> tuple[Launched, np.ndarray, Launch]:
    """(as the machine runs it, memory as one thread at a time leaves it, that run)."""
    out = np.zeros(words, dtype=np.uint32)
    machine = launched(ptx, (GRID, 1, 1), (BLOCK, 1, 1), {"out": out}, **options)
    module = read_module(ptx)
    arrays = {1 << 40: bytearray(out.tobytes())}
    launch = Launch(module, (GRID, 1, 1), (BLOCK, 1, 1), arrays)
    run_scalar(launch, module.kernels[0].name, (1 << 40).to_bytes(8, "little"))
    return machine, np.frombuffer(arrays[1 << 40], dtype=np.uint32), launch


@RANDOM
@given(programs())
def test_threads_do_what_each_does_alone(statements: tuple[Statement, ...]) -> None:
    ptx, _ = as_ptx(statements, THREADS)
    machine, memory, launch = run_both(ptx, max(1, sites(statements)) * THREADS)
    assert machine.arrays["out"].tolist() == memory.tolist()
    lanes = sum(count.lanes for count in machine.counts.values())
    assert lanes == sum(len(accesses) for accesses in launch.accesses.values())


@RANDOM
@given(programs())
def test_lanes_that_part_meet_again_where_the_statement_ends(statements: tuple[Statement, ...]) -> None:
    ptx, touches = as_ptx(statements, THREADS)
    lanes = Lanes()
    out = np.zeros(max(1, sites(statements)) * THREADS, dtype=np.uint32)
    launched(ptx, (GRID, 1, 1), (BLOCK, 1, 1), {"out": out}, observers=[lanes])
    by_line = {
        index: touches[i.ptx_line]
        for index, i in enumerate(read_module(ptx).kernels[0].instructions)
        if i.opcode == "st"
    }
    seen = Counter({(by_line[index], block, warp, which): n for (index, block, warp, which), n in lanes.seen.items()})
    assert seen == walked(statements)


def walked(statements: Sequence[Statement]) -> Counter[tuple[int, int, int, frozenset[int]]]:
    expected: Counter[tuple[int, int, int, frozenset[int]]] = Counter()
    for block in range(GRID):
        for warp, size in enumerate((32, 16)):
            first = block * BLOCK + 32 * warp
            walk = WarpWalk(first, {lane: first + lane for lane in range(size)})
            walk.walk(statements, set(range(size)), _Round())
            expected.update({(site, block, warp, which): n for (site, which), n in walk.touched.items()})
    return expected


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_what_nvrtc_makes_of_a_program_runs_as_each_thread_alone(statements: tuple[Statement, ...]) -> None:
    ptx = ptx_of(as_cuda(statements, THREADS))
    machine, memory, launch = run_both(ptx, max(1, sites(statements)) * THREADS, chunk_threads=64)
    assert machine.arrays["out"].tolist() == memory.tolist()
    lanes = sum(count.lanes for count in machine.counts.values())
    assert lanes == sum(len(accesses) for accesses in launch.accesses.values())
