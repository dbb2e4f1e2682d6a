"""Counting by patterns: what many warps cost is the sum of what the model says of each."""

from __future__ import annotations

from collections import Counter as Tally

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from warpviz.hardware import ATOMIC_OPS, LANES, SECTOR_BYTES, Op
from warpviz.kernel.counting import Count, Counter, Recorder, by_line, totals
from warpviz.kernel.counting.patterns import patterns
from warpviz.kernel.memory.observing import AccessSpace, Kind, Threads
from warpviz.model import cost

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_KINDS: list[tuple[AccessSpace, Op, int, int | None]] = [
    *(("global", op, width, None) for op in ("ld", "st") for width in (1, 2, 4, 8, 16)),
    *(("shared", op, width, None) for op in ("ld", "st") for width in (1, 2, 4, 8, 16)),
    *((space, op, width, None) for space in ("global", "shared") for op in ("atom", "red") for width in (4, 8)),
    *(("shared", "ldmatrix", 16, matrices) for matrices in (1, 2, 4)),
    *(("const", "ld", width, None) for width in (4, 8, 16)),
]


def _kind(space: AccessSpace, op: Op, width: int, matrices: int | None = None, **changes: object) -> Kind:
    fields = {"index": 0, "line": 7, "name": f"{op}.{space}", "type": "u32", **changes}
    return Kind(space=space, op=op, width=width, matrices=matrices, **fields)  # type: ignore[arg-type]


def _counted(kind: Kind, addresses: Ints, mask: Bools | None, blocks: int, warps: int) -> Count:
    counter = Counter()
    counter.access(kind, addresses, mask, Threads.of_chunk(blocks, warps))
    return counter.counts[kind]


def _one_by_one(kind: Kind, addresses: Ints, mask: Bools | None, blocks: int, warps: int) -> Count:
    """The model asked for each warp. A global atomic has the distinct sectors of a load."""
    shape = (blocks, warps, LANES)
    rows = np.broadcast_to(addresses, shape).reshape(-1, LANES)
    active = np.broadcast_to(True if mask is None else mask, shape).reshape(-1, LANES)
    count = Count()
    op = "ld" if kind.space == "global" and kind.op in ATOMIC_OPS else kind.op
    for row, lanes in zip(rows, active, strict=True):
        if not lanes.any():
            continue
        each = cost(row, space=kind.space, op=op, width=kind.width, active=lanes, matrices=kind.matrices)  # type: ignore[arg-type]
        count.accesses += 1
        count.requests += int(each.requests[0]) if kind.space == "const" else 1  # type: ignore[index]
        count.lanes += int(lanes.sum())
        for name in ("sectors", "lines", "bytes_used", "wavefronts", "ideal_wavefronts", "conflicts"):
            values = getattr(each, name)
            setattr(count, name, getattr(count, name) + (0 if values is None else int(values[0])))
        if kind.space == "global":
            touched = [int(start) + byte for start in row[lanes] for byte in range(kind.width)]
            count.ideal_sectors += -(-len(set(touched)) // SECTOR_BYTES)
    return count


@st.composite
def _accesses(draw: st.DrawFn) -> tuple[Kind, Ints, Bools | None, int, int]:
    """Addresses as kernels make them: a part of the block, one of the warp, one of the lane; and some at random."""
    space, op, width, matrices = draw(st.sampled_from(_KINDS))
    blocks, warps = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    strides = st.integers(-70, 300)
    parts = [
        draw(strides) * np.arange(blocks)[:, None, None],
        draw(strides) * np.arange(warps)[None, :, None],
        draw(st.sampled_from([0, 1, 2, 3, 8, 17, 32, 33])) * np.arange(LANES)[None, None, :],
    ]
    chosen = draw(st.lists(st.sampled_from(parts), max_size=3))
    elements = np.asarray(sum(chosen, np.full((1, 1, 1), draw(st.integers(30_000, 30_100)))), dtype=np.int64)
    if draw(st.integers(0, 3)) == 0:
        seed = np.random.default_rng(draw(st.integers(0, 2**32)))
        elements = elements + seed.integers(0, draw(st.sampled_from([2, 40, 5000])), (blocks, warps, LANES))
    mask = None
    if draw(st.booleans()):
        shape = tuple(size if draw(st.booleans()) else 1 for size in (blocks, warps, LANES))
        seed = np.random.default_rng(draw(st.integers(0, 2**32)))
        mask = seed.random(shape) < draw(st.sampled_from([0.05, 0.5, 0.97]))
    return _kind(space, op, width, matrices), elements * width, mask, blocks, warps


@given(_accesses())
def test_many_warps_cost_what_the_model_says_of_each(access: tuple[Kind, Ints, Bools | None, int, int]) -> None:
    assert _counted(*access) == _one_by_one(*access)


_ROW = st.tuples(st.sampled_from([0, 4, 128, 132]), st.sampled_from([0, 4, 8]), st.sampled_from([1, 2, 32]))


@given(st.lists(_ROW, min_size=1, max_size=12), st.sampled_from([None, 0, 1]))
def test_patterns_are_the_different_rows_also_where_keys_collide(
    rows: list[tuple[int, int, int]], spread: int | None
) -> None:
    """Rows of few starts, strides and numbers of lanes; a spread of 0 or 1 gives different rows one key."""
    lane = np.arange(LANES)
    addresses = np.array([start + stride * lane for start, stride, _ in rows])[None]
    mask = np.array([lane < lanes for _, _, lanes in rows])[None]
    with pytest.MonkeyPatch.context() as patch:
        if spread is not None:
            patch.setattr("warpviz.kernel.counting.patterns._SPREAD", np.full(LANES + 2, spread, dtype=np.int64))
        found = patterns(addresses, mask, (1, len(rows), LANES))
    told: Tally[tuple[int, ...]] = Tally()
    for row, active, times in zip(found.addresses, found.active, found.times.tolist(), strict=True):
        told[tuple(row[active].tolist())] += times
    wanted = Tally(tuple((start % 128 + stride * lane[:lanes]).tolist()) for start, stride, lanes in rows)
    assert told == wanted
    assert spread is not None or len(found.addresses) == len(wanted)


def test_warps_that_differ_by_whole_lines_are_one_pattern() -> None:
    addresses = 4 * np.arange(64 * 8 * LANES).reshape(64, 8, LANES)
    found = patterns(addresses, None, (64, 8, LANES))
    assert (len(found.addresses), found.times.tolist()) == (1, [512])


def test_addresses_without_a_block_part_count_for_every_block() -> None:
    count = _counted(_kind("shared", "ld", 4), 8 * np.arange(LANES).reshape(1, 1, LANES), None, 100, 8)
    assert (count.requests, count.wavefronts, count.conflicts) == (800, 1600, 800)


def test_a_warp_without_an_active_lane_is_no_request() -> None:
    mask = np.zeros((1, 4, 1), dtype=np.bool_)
    assert _counted(_kind("global", "ld", 4), np.zeros((1, 1, 1), dtype=np.int64), mask, 2, 4) == Count()


@pytest.mark.parametrize(
    ("offsets", "width", "requests", "sectors"),
    [
        (np.zeros(LANES), 4, 1, 4),
        (np.zeros(LANES), 8, 2, 8),
        (np.zeros(LANES), 16, 4, 16),
        (np.full(LANES, 3), 1, 1, 4),
        (4 * np.arange(LANES), 4, 1, 32),
        (4 * (np.arange(LANES) // 8), 4, 1, 4),
        (np.arange(LANES) % 8, 1, 1, 8),
        (8 * (np.arange(LANES) % 8), 8, 2, 64),
        (16 * (np.arange(LANES) % 8), 16, 4, 128),
        (16 * (4 * np.arange(LANES) % 8), 16, 4, 32),
    ],
)
def test_local_memory_interleaves_the_words_of_the_lanes(
    offsets: Ints, width: int, requests: int, sectors: int
) -> None:
    """As counted on an H200, where an access of 8 bytes a lane makes two requests, of 16 bytes four."""
    count = _counted(_kind("local", "ld", width), offsets.astype(np.int64).reshape(1, 1, LANES), None, 1, 3)
    assert (count.accesses, count.requests, count.sectors) == (3, 3 * requests, 3 * sectors)


def test_totals_go_by_space_and_op_and_copies_apart() -> None:
    kinds = {
        _kind("global", "red", 4): Count(requests=1, sectors=4),
        _kind("shared", "red", 4, index=1): Count(requests=2, wavefronts=2),
        _kind("shared", "atom", 4, index=2): Count(requests=3, wavefronts=5),
        _kind("shared", "ldmatrix", 16, 4, index=3): Count(requests=4, wavefronts=16),
        _kind("shared", "st", 16, index=4, name="cp.async.cg.shared.global"): Count(requests=5, wavefronts=20),
        _kind("global", "ld", 16, index=4, name="cp.async.cg.shared.global"): Count(requests=5, sectors=80),
    }
    assert totals(kinds) == {
        "global_red": Count(requests=1, sectors=4),
        "shared_atom": Count(requests=5, wavefronts=7),
        "shared_ld": Count(requests=4, wavefronts=16),
        "shared_copy": Count(requests=5, wavefronts=20),
        "global_copy": Count(requests=5, sectors=80),
    }


def test_lines_come_in_their_order_with_instructions_of_one_sort_together() -> None:
    kinds = {
        _kind("global", "ld", 4, line=9): Count(requests=1),
        _kind("global", "ld", 4, line=3, index=1): Count(requests=2),
        _kind("global", "ld", 4, line=9, index=2): Count(requests=4),
        _kind("global", "ld", 8, line=9, index=3): Count(requests=8),
    }
    found = [(kind.line, kind.op, kind.space, kind.width, count.requests) for kind, count in by_line(kinds).items()]
    assert found == [(3, "ld", "global", 4, 2), (9, "ld", "global", 4, 5), (9, "ld", "global", 8, 8)]


def _recorded(recorder: Recorder) -> list[tuple[int, int, int, int]]:
    return [(each.warp, each.iteration, int(each.addresses[0]), int(each.active.sum())) for each in recorder.accesses]


def test_a_recorder_keeps_the_accesses_of_its_block_in_their_order() -> None:
    recorder = Recorder(block=11)
    threads = Threads.of_chunk(4, 2, first_block=10)
    kind = _kind("shared", "ld", 4)
    addresses = 1000 * np.arange(4).reshape(4, 1, 1) + 128 * np.arange(2).reshape(1, 2, 1) + 4 * np.arange(LANES)
    mask = np.array([True, False]).reshape(1, 2, 1)
    recorder.access(kind, addresses, None, threads)
    recorder.barrier(threads, None)
    recorder.access(kind, addresses + 4, mask, threads)
    recorder.barrier(threads, (np.arange(4) != 1).reshape(4, 1, 1))
    recorder.barrier(threads, (np.arange(4) == 1).reshape(4, 1, 1))
    recorder.access(kind, addresses + 8, None, Threads.of_chunk(4, 2, first_block=14))
    assert _recorded(recorder) == [(0, 0, 1000, 32), (1, 0, 1128, 32), (0, 1, 1004, 32)]
    assert recorder.barriers == [2, 3]
    access = recorder.accesses[1].access
    assert access is not None
    assert access.addresses.tolist() == [(1128 + 4 * np.arange(LANES)).tolist()]


def test_a_recorder_finds_its_block_among_single_warps() -> None:
    recorder = Recorder(block=11)
    threads = Threads(np.array([0, 1, 1]).reshape(3, 1, 1), np.array([1, 0, 3]).reshape(3, 1, 1), 10, 4)
    recorder.access(_kind("local", "ld", 4), np.arange(3).reshape(3, 1, 1), None, threads)
    assert _recorded(recorder) == [(0, 0, 1, 32), (3, 0, 2, 32)]
    assert recorder.accesses[0].access is None


def test_a_recorder_that_is_full_says_so() -> None:
    recorder = Recorder(block=0, most=3)
    for _ in range(2):
        recorder.access(_kind("global", "ld", 4), np.zeros((1, 1, 1), dtype=np.int64), None, Threads.of_chunk(1, 2))
    assert (len(recorder.accesses), recorder.is_full) == (3, True)


def _all_threads(grid: int, block: int) -> tuple[Ints, Threads]:
    """Each thread's number in the grid, and the threads."""
    return np.arange(grid * block).reshape(grid, block // LANES, LANES), Threads.of_chunk(grid, block // LANES)


def test_a_gather_moves_the_sectors_counted_on_an_h200() -> None:
    """gather_random.cu: idx[i] is (i*48271+11) % 2^20; 8,192 requests and 147,456 sectors were counted."""
    thread, threads = _all_threads(512, 256)
    counter = Counter()
    counter.access(_kind("global", "ld", 4), 4 * thread, None, threads)
    counter.access(_kind("global", "ld", 4, index=1), 4 * ((thread * 48271 + 11) % (1 << 20)), None, threads)
    count = totals(counter.counts)["global_ld"]
    assert (count.requests, count.sectors) == (8192, 147_456)


def test_a_histogram_takes_the_wavefronts_counted_on_an_h200() -> None:
    """histogram_shared.cu: 8,192 atomics in shared memory; 9,204 wavefronts were counted."""
    thread, threads = _all_threads(64, 256)
    counter = Counter()
    for start in range(0, 1 << 18, 64 * 256):
        i = thread + start
        counter.access(_kind("shared", "red", 4), 4 * ((i * 7919 + i // 251) % 256), None, threads)
    count = totals(counter.counts)["shared_atom"]
    assert (count.requests, count.wavefronts) == (8192, 9204)


def test_a_transposed_store_at_the_edge_moves_the_sectors_counted_on_an_h200() -> None:
    """transpose_naive.cu, 1,000 x 1,016: 32,000 requests and 1,016,000 sectors were counted."""
    rows, columns = 1000, 1016
    block = np.arange(32 * 32).reshape(-1, 1, 1)
    column = block % 32 * 32 + np.arange(LANES).reshape(1, 1, -1)
    counter = Counter()
    for step in range(0, 32, 8):
        row = block // 32 * 32 + np.arange(8).reshape(1, -1, 1) + step
        within = (row < rows) & (column < columns)
        counter.access(_kind("global", "st", 4), 4 * (column * rows + row), within, Threads.of_chunk(1024, 8))
    count = totals(counter.counts)["global_st"]
    assert (count.requests, count.sectors) == (32_000, 1_016_000)
