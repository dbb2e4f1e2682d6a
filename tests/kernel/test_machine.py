"""The machine as a whole: where threads stand, chunks, limits, and what stops a kernel."""

from __future__ import annotations

from threading import Event
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.launched import launched
from tests.kernel.ptx_samples import ptx_of
from tests.kernel.structured import Statement, as_ptx, programs, sites
from tests.kernel.test_control import Lanes
from warpviz.kernel.machine import Cancelled, DoesNotEnd, Trapped
from warpviz.kernel.memory.faults import MemoryFault
from warpviz.kernel.memory.observing import Kind, Nobody
from warpviz.kernel.program import UnsupportedInstruction

SPECIAL = [f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
SPECIAL += ["laneid", "warpid", *(f"lanemask_{which}" for which in ("eq", "lt", "le", "gt", "ge"))]
SPECIAL += ["dynamic_smem_size", "total_smem_size", "smid", "nsmid"]
EXTENTS = st.tuples(st.integers(1, 5), st.integers(1, 4), st.integers(1, 3))


def words(count: int) -> np.ndarray:
    return np.zeros(count, dtype=np.uint32)


def special_kernel() -> str:
    reads = "".join(f"mov.u32 %r1, %{name}; st.global.u32 [%rd2+{4 * n}], %r1;\n" for n, name in enumerate(SPECIAL))
    return (
        ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 s[12];\n"
        ".visible .entry k(.param .u64 out)\n{ .reg .b32 %r<9>; .reg .b64 %rd<3>;\nld.param.u64 %rd1, [out];\n"
        "mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        "mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        "mov.u32 %r2, %ntid.z; mov.u32 %r3, %tid.z; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        "mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        "mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n"
        f"mad.wide.u32 %rd2, %r1, {4 * len(SPECIAL)}, %rd1;\nst.shared.u32 [s], %r1;\n{reads}ret; }}\n"
    )


@settings(max_examples=20, deadline=None)
@given(EXTENTS, EXTENTS, st.sampled_from([32, 64, 1 << 16]))
def test_threads_know_where_they_stand(
    grid: tuple[int, int, int], block: tuple[int, int, int], chunk_threads: int
) -> None:
    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    out = words(blocks * threads * len(SPECIAL)).reshape(blocks, threads, len(SPECIAL))
    found = launched(special_kernel(), grid, block, {"out": out}, shared_bytes=100, chunk_threads=chunk_threads)
    for index in range(blocks):
        for thread in range(threads):
            lane = thread % 32
            expected = [thread % block[0], thread // block[0] % block[1], thread // block[0] // block[1], *block]
            expected += [index % grid[0], index // grid[0] % grid[1], index // grid[0] // grid[1], *grid]
            bits = [1 << lane, (1 << lane) - 1, (2 << lane) - 1]
            expected += [
                lane,
                thread // 32,
                *bits,
                (1 << 32) - (2 << lane),
                (1 << 32) - (1 << lane),
                100,
                112 + 4,
                0,
                1,
            ]
            assert found.arrays["out"][index, thread].tolist() == expected
    assert found.statistics.blocks == blocks
    assert found.statistics.threads == blocks * threads


@settings(max_examples=25, deadline=None)
@given(programs(), st.sampled_from([1, 100, 300]), st.sampled_from([1, 2]))
def test_how_blocks_are_put_together_changes_nothing(
    statements: tuple[Statement, ...], chunk_threads: int, workers: int
) -> None:
    ptx, _ = as_ptx(statements, 240)
    out = words(sites(statements) * 240)
    whole, parts = (
        launched(ptx, (5, 1, 1), (48, 1, 1), {"out": out}, **options)
        for options in ({}, {"chunk_threads": chunk_threads, "workers": workers})
    )
    assert whole.arrays["out"].tolist() == parts.arrays["out"].tolist()
    assert whole.counts == parts.counts
    assert whole.statistics == parts.statistics


@settings(max_examples=60, deadline=None)
@given(programs(), st.sampled_from([0, 3, 1000]))
def test_warps_that_run_apart_do_what_they_do_among_all(statements: tuple[Statement, ...], turn: int) -> None:
    ptx, _ = as_ptx(statements, 240)
    out, seen = words(sites(statements) * 240), (Lanes(), Lanes())
    whole = launched(ptx, (5, 1, 1), (48, 1, 1), {"out": out}, observers=[seen[0]])
    engine = "warpviz.kernel.machine.engine"
    with patch.multiple(engine, _SMALL=0, _PATIENCE=0, _SPARSE=2, _TURN=turn):
        apart = launched(ptx, (5, 1, 1), (48, 1, 1), {"out": out}, observers=[seen[1]])
    assert apart.arrays["out"].tolist() == whole.arrays["out"].tolist()
    assert apart.statistics == whole.statistics
    assert seen[0].seen == seen[1].seen


STRAGGLERS = """extern "C" __global__ void k(unsigned* out) { __shared__ unsigned s[256];
  unsigned t = threadIdx.x, id = blockIdx.x * 256 + t, v = id, n = id % 777 == 5 ? 200 : id % 3;
  s[t] = t;
  for (unsigned i = 0; i < n; i++) {
    v = v * 1664525u + 1013904223u;
    if (v & 4) v ^= s[v % 256];
    if (i > 150 && v % 37 == 0) { out[id] = i; asm volatile("exit;"); } }
  __syncthreads();
  out[id] = v + s[255 - t]; }"""


def test_stragglers_run_apart_with_their_own_blocks_shared_memory() -> None:
    ptx, out = ptx_of(STRAGGLERS), words(64 * 256)
    apart, one_by_one = (
        launched(ptx, (64, 1, 1), (256, 1, 1), {"out": out}, chunk_threads=size) for size in (1 << 16, 256)
    )
    assert apart.arrays["out"].tolist() == one_by_one.arrays["out"].tolist()
    assert apart.counts == one_by_one.counts
    assert apart.statistics == one_by_one.statistics


def test_a_fault_of_a_straggler_names_the_thread() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { unsigned id = blockIdx.x * 64 + threadIdx.x;
        unsigned n = id == 5000 ? 100 : 1;
        for (unsigned i = 0; i < n; i++)
          ((volatile unsigned*)out)[id + (i == 90 ? 1 << 20 : 0)] = i; }"""
    with pytest.raises(MemoryFault) as caught:
        launched(ptx_of(source), (100, 1, 1), (64, 1, 1), {"out": words(6400)})
    assert str(caught.value).startswith("line 4: thread (8, 0, 0) of block (78, 0, 0) writes 4 bytes at")


ENDLESS = """extern "C" __global__ void k(volatile unsigned* out) {
  unsigned t = threadIdx.x;
  while (out[t] < 5)
    out[t + 64] = 1; }"""


def test_a_kernel_that_never_ends_is_stopped() -> None:
    with pytest.raises(DoesNotEnd, match=r"^line [34]: the kernel does not end: it is still here after 1,000 steps$"):
        launched(ptx_of(ENDLESS), (1, 1, 1), (64, 1, 1), {"out": words(128)}, step_limit=1000)


@pytest.mark.parametrize("blocks", [5, 30])
def test_blocks_may_wait_for_what_earlier_ones_write(blocks: int) -> None:
    source = """extern "C" __global__ void k(unsigned* out) { __shared__ unsigned before; unsigned t = threadIdx.x;
        __shared__ unsigned sum; if (t == 0) sum = 0; __syncthreads();
        atomicAdd(&sum, t + blockIdx.x); __syncthreads();
        if (t == 0) { before = 0;
          if (blockIdx.x > 0) {
            while (((volatile unsigned*)out)[blockIdx.x - 1] == 0);
            before = out[blockIdx.x - 1]; } }
        __syncthreads();
        if (t == 40) out[blockIdx.x] = before + sum; }"""
    out = launched(ptx_of(source), (blocks, 1, 1), (64, 1, 1), {"out": words(blocks)}).arrays["out"]
    assert out.tolist() == np.cumsum(63 * 32 + 64 * np.arange(blocks)).tolist()


def test_a_warp_may_wait_for_another() -> None:
    source = """extern "C" __global__ void k(unsigned* out) {
        __shared__ volatile unsigned flag[8]; unsigned t = threadIdx.x;
        if (t < 8) flag[t] = 0; __syncthreads();
        unsigned warp = t / 32;
        if (warp < 3) while (flag[warp + 1] == 0);
        out[t] = warp == 3 ? 1 : out[t + 32] * 2; __threadfence_block(); if (t % 32 == 0) flag[warp] = 1; }"""
    out = launched(ptx_of(source), (1, 1, 1), (128, 1, 1), {"out": words(128)}).arrays["out"]
    assert out[::32].tolist() == [8, 4, 2, 1]


def test_a_kernel_stops_when_nobody_wants_it() -> None:
    unwanted = Event()
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(unwanted.is_set())
        if len(asked) == 3:
            unwanted.set()
        return asked[-1]

    with pytest.raises(Cancelled):
        launched(ptx_of(ENDLESS), (1, 1, 1), (64, 1, 1), {"out": words(128)}, cancelled=cancelled)
    assert asked == [False, False, False, True]


def test_progress_is_told_to_the_last_block() -> None:
    told: list[tuple[int, int]] = []
    source = 'extern "C" __global__ void k(unsigned* out) { out[blockIdx.x] = 1; }'
    options = {"chunk_threads": 64, "progress": lambda done, of: told.append((done, of))}
    found = launched(
        ptx_of(source), (5, 1, 1), (32, 1, 1), {"out": words(9)}, blocks=[range(1, 3), range(3, 5)], **options
    )
    assert told == [(2, 4), (4, 4)]
    assert found.arrays["out"].tolist() == [0, 1, 1, 1, 1, 0, 0, 0, 0]


def test_the_first_failing_block_is_told_whoever_runs_first() -> None:
    source = """extern "C" __global__ void k(unsigned* out) { unsigned v = blockIdx.x;
        for (unsigned i = 0; i < 3000 / (blockIdx.x + 1); i++) v = v * 3 + out[v & 31];
        if (blockIdx.x > 2) __trap();
        out[blockIdx.x] = v; }"""
    for _ in range(3):
        with pytest.raises(Trapped) as caught:
            launched(ptx_of(source), (40, 1, 1), (32, 1, 1), {"out": words(64)}, chunk_threads=32, workers=2)
        assert str(caught.value) == "line 3: thread (0, 0, 0) of block (3, 0, 0) reaches a trap"


def test_a_failed_assertion_names_the_thread() -> None:
    source = """extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
        extern "C" __global__ void k(int* out) {
          if (out[threadIdx.x] == 7)
            __assertfail("out", "file.cu", 4, "k", 1);
          out[0] = 1; }"""
    with pytest.raises(Trapped, match=r"^line 4: thread \(9, 0, 0\) of block \(0, 0, 0\) fails an assertion$"):
        launched(ptx_of(source), (1, 1, 1), (32, 1, 1), {"out": np.where(np.arange(32) == 9, 7, 0).astype(np.int32)})


def test_an_unknown_instruction_is_named_before_anything_runs() -> None:
    source = 'extern "C" __global__ void k(int* out) { out[0] = 1;\nasm volatile("brkpt;"); }'
    with pytest.raises(UnsupportedInstruction) as caught:
        launched(ptx_of(source), (1, 1, 1), (32, 1, 1), {"out": words(1)})
    assert caught.value.name == "brkpt"
    assert str(caught.value).startswith("line 2: the PTX instruction brkpt (PTX line")


@pytest.mark.parametrize(
    ("update", "expected"),
    [("atomicAdd(out, 1)", 0), ("out[1 + atomicAdd(out, 1)] = blockIdx.x", 1), ("atomicAdd((float*)out, 0.1f)", 1)],
)
def test_blocks_run_in_their_order_where_it_shows(update: str, expected: int) -> None:
    source = f'extern "C" __global__ void k(unsigned* out) {{ if (threadIdx.x == 0) {update}; }}'
    with patch("warpviz.kernel.machine.running.ThreadPoolExecutor", side_effect=RuntimeError) as pool:
        with pytest.raises(RuntimeError):
            launched(ptx_of(source), (64, 1, 1), (32, 1, 1), {"out": words(65)}, chunk_threads=32, workers=3)
        pool.assert_called_once_with(1 if expected else 3)
    runs = [
        launched(ptx_of(source), (64, 1, 1), (32, 1, 1), {"out": words(65)}, chunk_threads=32, workers=3).arrays["out"]
        for _ in range(3)
    ]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] == runs[2]).all()


def test_a_clock_only_goes_forwards() -> None:
    source = """extern "C" __global__ void k(long long* out) { long long before = clock64(), s = 0;
        for (int i = 0; i < 10; i++) s += ((volatile long long*)out)[2]; out[0] = s; out[1] = clock64() - before; }"""
    found = launched(ptx_of(source), (1, 1, 1), (1, 1, 1), {"out": np.zeros(3, np.int64)}).arrays["out"]
    assert found[1] > 0


def test_a_guarded_access_is_made_by_the_threads_whose_guard_holds() -> None:
    ptx = (
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n"
        "{ .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p<3>;\n"
        "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
        "mov.u32 %r2, 5; setp.lt.u32 %p1, %r1, 40; @%p1 add.u32 %r2, %r2, %r1; @!%p1 mov.u32 %r2, 9;\n"
        "@%p1 st.global.u32 [%rd2], %r2; setp.gt.u32 %p2, %r1, 99; @%p2 st.global.u32 [%rd2], 1;\n"
        "@!%p2 ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd2+256], %r2; ret; }\n"
    )
    kinds: dict[str, int] = {}

    class Requests(Nobody):
        def access(self, kind: Kind, addresses: np.ndarray, mask: object, threads: object) -> None:
            kinds[kind.name] = kinds.get(kind.name, 0) + 1

    found = launched(ptx, (1, 1, 1), (64, 1, 1), {"out": words(128)}, observers=[Requests()])
    values = [5 + t if t < 40 else 9 for t in range(64)]
    assert found.arrays["out"].tolist() == [*values[:40], *[0] * 24, *values]
    assert kinds == {"st.global.u32": 2, "ld.global.u32": 1}  # nobody's guard holds for the second store
    assert found.counts["global_st"].requests == 4
