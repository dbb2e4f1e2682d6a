"""Barriers: who waits for whom, what is found out there, and threads that wait in vain."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernel.launched import launched
from tests.kernel.ptx_samples import ptx_of
from warpviz.kernel.machine import BarrierNotReached
from warpviz.kernel.memory.observing import Mask, Nobody, Threads


class Meetings(Nobody):
    """An observer: of each block, how often its threads have met."""

    def __init__(self, blocks: int) -> None:
        self.met = [0] * blocks

    def barrier(self, threads: Threads, mask: Mask) -> None:
        rows = np.broadcast_to(True if mask is None else mask, (threads.shape[0], 1, 1))[:, 0, 0]
        for row in np.flatnonzero(rows):
            self.met[threads.first_block + int(threads.block[row, 0, 0])] += 1


def run(source: str, out: np.ndarray, grid: int = 1, block: int = 128, **options: object) -> np.ndarray:
    return launched(ptx_of(source), (grid, 1, 1), (block, 1, 1), {"out": out}, **options).arrays["out"]


def words(count: int) -> np.ndarray:
    return np.zeros(count, dtype=np.uint32)


def test_blocks_meet_as_often_as_each_says() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { __shared__ unsigned s[100]; unsigned t = threadIdx.x;
        s[t] = t; __syncthreads();
        for (unsigned i = 0; i < blockIdx.x % 4; i++) {
          unsigned v = s[(t + 1) % 100]; __syncthreads(); s[t] = v + i; __syncthreads(); }
        out[blockIdx.x * 100 + t] = s[t]; }"""
    for options in ({}, {"chunk_threads": 128}, {"chunk_threads": 300, "workers": 2}):
        meetings = Meetings(6)
        out = run(source, words(600), 6, 100, observers=[meetings], **options).reshape(6, 100)
        for block in range(6):
            rounds = block % 4
            expected = (np.arange(100) + rounds) % 100 + rounds * (rounds - 1) // 2
            assert out[block].tolist() == expected.tolist()
        assert meetings.met == [1, 3, 5, 7, 1, 3]


def test_warps_that_part_may_meet_at_different_places() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { __shared__ unsigned s[128]; unsigned t = threadIdx.x;
        if (t < 64) { s[t] = t * 3; asm volatile("bar.sync 0;" ::: "memory"); out[t] = s[t + 64]; }
        else { s[t] = t * 5; asm volatile("bar.sync 0;" ::: "memory"); out[t] = s[t - 64]; } }"""
    t = np.arange(128)
    assert run(source, words(128)).tolist() == np.where(t < 64, (t + 64) * 5, (t - 64) * 3).tolist()


def test_threads_that_have_ended_are_not_waited_for() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { unsigned t = threadIdx.x;
        if (t % 3 == 0) return; __syncthreads(); out[t] = 1; }"""
    assert run(source, words(128)).tolist() == [int(t % 3 != 0) for t in range(128)]


def test_what_the_threads_find_out_together() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { unsigned t = threadIdx.x, b = blockIdx.x;
        unsigned n = __syncthreads_count(t % (b + 2) == 0), all = __syncthreads_and(t < 100 - 50 * b),
        some = __syncthreads_or(t == 70 * b);
        out[b * 100 + t] = n + 1000 * (all != 0) + 2000 * (some != 0); }"""
    out = run(source, words(200), 2, 100).reshape(2, 100)
    assert set(out[0].tolist()) == {50 + 1000 + 2000}
    assert set(out[1].tolist()) == {34 + 2000}


def test_a_producer_and_a_consumer_wait_for_each_other_alone() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { __shared__ volatile unsigned s[32];
        unsigned t = threadIdx.x, lane = t % 32;
        if (t < 32) for (unsigned i = 0; i < 5; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory"); s[lane] = i * 100 + lane;
            asm volatile("bar.arrive 2, 64;" ::: "memory"); }
        else if (t < 64) for (unsigned i = 0; i < 5; i++) {
            asm volatile("bar.arrive 1, 64;" ::: "memory"); asm volatile("bar.sync 2, 64;" ::: "memory");
            out[i * 32 + lane] = s[31 - lane]; }
        else out[160 + t] = 7; }"""
    out = run(source, words(288))
    assert out[:160].reshape(5, 32).tolist() == [[i * 100 + 31 - lane for lane in range(32)] for i in range(5)]
    assert set(out[224:].tolist()) == {7}


def test_the_number_of_a_barrier_may_differ_between_warps() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { __shared__ unsigned s[128]; unsigned t = threadIdx.x;
        s[t] = t; asm volatile("barrier.sync %0, 64;" :: "r"(t / 64 + 1) : "memory"); out[t] = s[t ^ 63]; }"""
    assert run(source, words(128)).tolist() == [t ^ 63 for t in range(128)]


def test_a_barrier_that_others_do_not_reach_is_an_error() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { unsigned t = threadIdx.x;
        if (t < 96 && blockIdx.x == 1)
          asm volatile("bar.sync 0;" ::: "memory");
        else asm volatile("bar.sync 1;" ::: "memory");
        out[t] = 1; }"""
    with pytest.raises(BarrierNotReached) as caught:
        run(source, words(128), 3)
    assert str(caught.value) in {
        "line 3: 96 threads of a block, the first thread (0, 0, 0) of block (1, 0, 0), wait at this barrier, "
        "which 32 others do not reach",
        "line 4: 32 threads of a block, the first thread (96, 0, 0) of block (1, 0, 0), wait at this barrier, "
        "which 96 others do not reach",
    }


def test_too_few_threads_for_a_barrier_is_an_error() -> None:
    source = """extern "C" __global__ void k(unsigned* out) {
        if (threadIdx.x < 32) asm volatile("bar.sync 3, 64;" ::: "memory"); out[0] = 1; }"""
    with pytest.raises(
        BarrierNotReached, match=r"^line 2: 32 threads of a block.* wait at this barrier, which waits for 64$"
    ):
        run(source, words(128))
