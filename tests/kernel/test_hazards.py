"""Races, barriers and reads of what nobody has written: what is found in kernels, and what is not."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel.hazardous import hazards_of, hazards_of_file
from tests.kernel.ptx_samples import GOLDEN, KERNELS
from warpviz.kernel.hazards import Hazard
from warpviz.kernel.hazards.findings import distinct
from warpviz.kernel.hazards.naming import own_name


def kernel(body: str, before: str = "") -> str:
    """Its first line is line 2 when nothing comes before."""
    return f'{before}extern "C" __global__ void k(unsigned* out) {{ unsigned t = threadIdx.x;\n{body} }}'


def lines(hazards: Iterable[Hazard]) -> list[tuple[str, tuple[int, ...], tuple[str, ...]]]:
    return [(hazard.kind, hazard.lines, hazard.ops) for hazard in hazards]


def found(body: str, **options: object) -> list[tuple[str, tuple[int, ...], tuple[str, ...]]]:
    return lines(hazards_of(kernel(body), **options))


@pytest.mark.parametrize("name", GOLDEN)
def test_right_kernels_are_not_accused(name: str) -> None:
    assert hazards_of_file((KERNELS / f"{name}.cu").read_text(), workers=2) == ()


def test_the_stencil_without_its_barrier() -> None:
    text = (KERNELS / "avg_shared_r3.cu").read_text().replace("4096", "64").replace("1<<20", "1<<14")
    text = text.replace("1048576", "16384").replace("  __syncthreads();\n", "")
    first, *others = hazards_of_file(text, workers=2)
    assert lines([first, *others]) == [
        ("race", (8, 15), ("st", "ld")),
        ("race", (10, 15), ("st", "ld")),
        ("race", (11, 15), ("st", "ld")),
    ]
    # Thread t writes word t + 3. The first one of another warp that reads one of these is thread 32, of thread 29's.
    assert first.sentence == (
        "line 15 reads tile[32] (word 32) in thread (32, 0, 0) while line 8 writes it in thread (29, 0, 0) "
        "of block (0, 0, 0): put __syncthreads() between them"
    )
    assert first.as_json() == {
        "kind": "race",
        "lines": [8, 15],
        "ops": ["st", "ld"],
        "threads": [[29, 0, 0], [32, 0, 0]],
        "block": [0, 0, 0],
        "space": "shared",
        "variable": "tile",
        "byte": 128,
        "word": 32,
        "times": first.times,
        "sentence": first.sentence,
    }
    assert others[1].threads == ((0, 0, 0), (255, 0, 0))
    assert {hazard.sentence.split(": put ")[1] for hazard in others} == {"__syncthreads() between them"}


def test_each_word_and_block_counts_once_for_two_lines() -> None:
    (hazard,) = hazards_of(
        kernel("__shared__ unsigned s[128]; s[t] = t;\nout[t] = s[t ^ 1];"), grid=(3, 2, 1), chunk_threads=256
    )
    assert (hazard.times, hazard.block, hazard.threads) == (128 * 6, (0, 0, 0), ((0, 0, 0), (1, 0, 0)))


def test_threads_and_blocks_are_named_by_all_their_indices() -> None:
    source = kernel("""__shared__ unsigned s[128]; unsigned i = t + 8 * threadIdx.y + 32 * threadIdx.z;
    if (blockIdx.y == 1) s[i] = i;
    if (blockIdx.y == 1) out[i] = s[i ^ 32];""")
    (hazard,) = hazards_of(source, grid=(2, 2, 1), block=(8, 4, 4), chunk_threads=128)
    assert (hazard.block, hazard.threads, hazard.times) == ((0, 1, 0), ((0, 0, 0), (0, 0, 1)), 2 * 128)


def test_the_barrier_in_a_loop_has_to_be_there_twice() -> None:
    loop = """__shared__ unsigned s[128]; unsigned sum = 0;
    for (unsigned i = 0; i < out[0] + 3; i++) {
      s[t] = out[t + i];
      __syncthreads();
      for (unsigned j = 0; j < 128; j++) sum += s[j];
      %s
    } out[t] = sum;"""
    assert found(loop % "__syncthreads();") == []
    (hazard,) = hazards_of(kernel(loop % ""))
    assert lines([hazard]) == [("race", (4, 6), ("st", "ld"))]
    assert hazard.sentence == (
        "line 4 writes s[0] (word 0) again in thread (0, 0, 0) while line 6 may still read it in thread (32, 0, 0) "
        "of block (0, 0, 0): put __syncthreads() behind line 6, before line 4 comes round again"
    )


def test_double_buffering_needs_one_barrier_a_round() -> None:
    loop = """__shared__ unsigned s[2][128]; s[0][t] = t; __syncthreads();
    for (unsigned i = 0; i < out[0] + 4; i++) {
      unsigned v = s[i & 1][(t + 1) & 127];
      s[~i & 1][t] = v + 1;
      %s
    } out[t] = s[0][t];"""
    assert found(loop % "__syncthreads();") == []
    assert found(loop % "") == [("race", (5, 4), ("st", "ld"))]


WARP_SUM = "%s; __syncthreads(); if (t < 32) {\n%s\n} __syncthreads(); out[t] = s[0];"


def test_a_sum_within_a_warp_needs_its_barriers() -> None:
    steps = (16, 8, 4, 2, 1)
    guarded = "\n".join(f"if (t < {n}) s[t] += s[t + {n}]; __syncwarp();" for n in steps)
    apart = "\n".join(f"v = s[(t + {n}) & 31]; __syncwarp(); s[t] += v; __syncwarp();" for n in steps)
    bare = "\n".join(f"s[t] += s[t + {n}];" for n in steps)
    for qualifier in ("", "volatile "):
        head = f"__shared__ {qualifier}unsigned s[128]; s[t] = out[t]; unsigned v = 0"
        assert found(WARP_SUM % (head, guarded)) == []
        assert found(WARP_SUM % (head, apart)) == []
        races = hazards_of(kernel(WARP_SUM % (head, bare)))
        assert races
        assert {hazard.kind for hazard in races} == {"race"}
        assert all("__syncwarp()" in hazard.sentence for hazard in races)


@pytest.mark.parametrize("meets", ["__shfl_sync(~0u, t, 3)", "__ballot_sync(~0u, t & 1)", "__any_sync(~0u, t == 3)"])
def test_shuffles_and_votes_order_no_memory(meets: str) -> None:
    body = f"__shared__ unsigned s[128]; s[t] = t;\nunsigned v = {meets};\n%s\nout[t] = s[t ^ 1] + v;"
    assert found(body % "") == [("race", (2, 5), ("st", "ld"))]
    assert found(body % "__syncwarp();") == []


def test_a_warp_barrier_is_for_the_lanes_that_it_names() -> None:
    body = "__shared__ unsigned s[128]; s[t] = t;\n__syncwarp(0xffffu << (t & 16));\nout[t] = s[t ^ %d];"
    assert found(body % 8) == []
    assert found(body % 16) == [("race", (2, 4), ("st", "ld"))]
    assert found(body % 32) == [("race", (2, 4), ("st", "ld"))]


def test_what_lanes_know_goes_on_from_barrier_to_barrier() -> None:
    body = """__shared__ unsigned s[128]; s[t] = t;
    unsigned lane = t & 31;
    if (lane < 2) __syncwarp(0x3);
    if (lane == 1 || lane == 2) __syncwarp(0x6);
    if (lane == %d) out[t] = s[t - lane];"""
    assert found(body % 2) == []
    assert found(body % 3) == [("race", (2, 6), ("st", "ld"))]


def test_lanes_that_meet_at_several_warp_barriers_are_not_accused() -> None:
    assert (
        found("""__shared__ unsigned s[128]; s[t] = t;
    if (t & 16) { __syncwarp(); out[t] = s[t ^ 16]; } else { __syncwarp(); out[t] = s[t ^ 16]; }""")
        == []
    )


def test_atomics_do_not_race_with_each_other() -> None:
    body = """__shared__ unsigned s[64]; if (t < 64) s[t] = 0;
    __syncthreads();
    atomicAdd(&s[out[t + 128 * blockIdx.x] + t * 7 %% 64], 1);
    %s
    if (t < 64) out[t] = s[t];"""
    assert found(body % "__syncthreads();", grid=3) == []
    (hazard,) = hazards_of(kernel(body % ""), grid=3)
    assert lines([hazard]) == [("race", (4, 6), ("red", "ld"))]
    assert "while line 4 updates it" in hazard.sentence


def test_an_atomic_races_with_a_plain_write() -> None:
    body = "__shared__ unsigned s; s = 0;\n%s\natomicAdd(&s, t);\n__syncthreads(); out[t] = s;"
    assert found(body % "__syncthreads();") == []
    assert found(body % "") == [("race", (2, 4), ("st", "red"))]


def test_many_threads_may_set_a_flag() -> None:
    body = """__shared__ unsigned flag; if (t == 0) flag = 0; __syncthreads();
    %s
    __syncthreads(); out[t] = flag;"""
    assert found(body % "if (out[t] == 0) flag = 1;") == []
    assert found(body % "if (out[t] == 0) flag = blockIdx.x + 1;", grid=4) == []
    (hazard,) = hazards_of(kernel(body % "flag = out[t] + t;"))
    assert lines([hazard]) == [("race", (3, 3), ("st", "st"))]
    assert hazard.sentence == (
        "line 3 writes different values to flag (word 0) in threads (0, 0, 0) and (32, 0, 0) of block (0, 0, 0): "
        "let one thread write it, or use an atomic"
    )


def test_values_that_differ_in_one_block_alone() -> None:
    (hazard,) = hazards_of(
        kernel("__shared__ unsigned s;\ns = blockIdx.x == 2 ? t : 5;\n__syncthreads(); out[t] = s;"), grid=4
    )
    assert (lines([hazard]), hazard.block, hazard.times) == ([("race", (3, 3), ("st", "st"))], (2, 0, 0), 1)


def test_adding_to_one_word_without_an_atomic() -> None:
    body = "__shared__ unsigned s; if (t == 0) s = 0; __syncthreads();\ns += t + 1;\n__syncthreads(); out[t] = s;"
    assert found(body) == [("race", (3, 3), ("st", "ld")), ("race", (3, 3), ("st", "st"))]


def test_a_cell_of_the_halo_that_nobody_writes() -> None:
    (hazard,) = hazards_of(
        kernel("""__shared__ unsigned s[130]; s[t + 1] = t; if (!t) s[0] = 1; if (t == 1 && blockIdx.x < 2) s[129] = 2;
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];"""),
        grid=5,
    )
    assert (lines([hazard]), hazard.variable, hazard.word) == ([("uninitialised", (4,), ("ld",))], "s", 129)
    assert (hazard.threads, hazard.block, hazard.times) == (((127, 0, 0),), (2, 0, 0), 3)
    assert hazard.sentence == (
        "line 4 reads s[129] (word 129) in thread (127, 0, 0) of block (2, 0, 0), which no thread of the block has "
        "written: write it before, or leave it out"
    )


def test_an_atomic_reads_too() -> None:
    assert found("__shared__ unsigned s;\natomicAdd(&s, 1); __syncthreads(); out[t] = s;") == [
        ("uninitialised", (3,), ("red",))
    ]


def test_what_a_compiler_reads_for_nothing_is_not_accused() -> None:
    body = "__shared__ unsigned s[128]; if (t < 64) s[t] = t;\n__syncthreads();\nout[t] = out[200] ? s[100] %s : 0;"
    assert found(body % "") == found(body % "+ 1") == []
    assert found("__shared__ unsigned s[128]; if (t < 64) s[t] = t;\n__syncthreads();\nout[t] = s[100];") == [
        ("uninitialised", (4,), ("ld",))
    ]


def test_barriers_in_two_branches() -> None:
    (hazard,) = hazards_of(
        kernel("""__shared__ unsigned s[128]; s[t] = t;
    if (t < 96 && blockIdx.x) {
      __syncthreads(); out[t] = s[127 - t];
    } else {
      __syncthreads(); out[t] = s[t ^ 1];
    }"""),
        grid=3,
    )
    assert lines([hazard]) == [("barrier", (4, 6), ("bar", "bar"))]
    assert (hazard.threads, hazard.block, hazard.times) == (((0, 0, 0), (96, 0, 0)), (1, 0, 0), 2)
    assert hazard.sentence == (
        "96 threads of block (1, 0, 0) wait at line 4, thread (0, 0, 0) first, and 32 at line 6, thread (96, 0, 0) "
        "first; hardware lets it pass, but CUDA leaves open what happens: put one __syncthreads() where all threads "
        "come by"
    )


def test_threads_that_have_ended_before_a_barrier() -> None:
    (hazard,) = hazards_of(
        kernel("""__shared__ unsigned s[128]; if (t + blockIdx.x * 128 >= 300) return; s[t] = t;
    __syncthreads();
    out[t] = s[t ^ 1];"""),
        grid=3,
    )
    assert lines([hazard]) == [("barrier", (3,), ("bar",))]
    assert (hazard.threads, hazard.block, hazard.times) == (((0, 0, 0), (44, 0, 0)), (2, 0, 0), 1)
    assert hazard.sentence == (
        "line 3: 44 threads of block (2, 0, 0) wait at this barrier, thread (0, 0, 0) first, when 84 others have "
        "ended, thread (44, 0, 0) first; hardware lets it pass, but CUDA leaves open what happens: let all threads "
        "come to it, and end behind it"
    )


def test_threads_that_end_together_or_behind_all_barriers_are_not_accused() -> None:
    assert found("if (blockIdx.x == 1) return;\n__syncthreads(); if (t > 5) return; out[t] = 1;", grid=3) == []
    assert found("__syncthreads(); out[t] = 1;", block=100) == []


def test_threads_that_wait_for_ever() -> None:
    (hazard,) = hazards_of(
        kernel("""if (t < 96 && blockIdx.x == 1)
    asm volatile("bar.sync 0;" ::: "memory");
    else
    asm volatile("bar.sync 1;" ::: "memory");
    out[t] = 1;"""),
        grid=3,
    )
    assert lines([hazard]) == [("barrier", (3, 5), ("bar", "bar"))]
    assert (hazard.threads, hazard.block) == (((0, 0, 0), (96, 0, 0)), (1, 0, 0))
    assert hazard.sentence == (
        "threads of block (1, 0, 0) wait at barriers for ever: 96 threads at line 3, thread (0, 0, 0) first and "
        "32 threads at line 5, thread (96, 0, 0) first: let all threads that a barrier waits for come to it"
    )
    (hazard,) = hazards_of(
        kernel('if (t < 32)\nasm volatile("bar.sync 3, 64;" ::: "memory");\nif (t >= 64) out[t] = 1;')
    )
    assert lines([hazard]) == [("barrier", (3,), ("bar",))]
    assert "32 threads at line 3, thread (0, 0, 0) first; the barrier is for 64 threads" in hazard.sentence


PRODUCER = """__shared__ volatile unsigned s[32]; unsigned lane = t %% 32;
    if (t < 32) for (unsigned i = 0; i < 5; i++) {
      %s
      s[lane] = i * 100 + lane;
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else if (t < 64) for (unsigned i = 0; i < 5; i++) {
      %s
      asm volatile("bar.sync 2, 64;" ::: "memory");
      out[i * 32 + lane] = s[31 - lane];
    } else out[160 + t] = 7;"""


def test_named_barriers_between_some_warps() -> None:
    wait, arrive = (f'asm volatile("bar.{how} 1, 64;" ::: "memory");' for how in ("sync", "arrive"))
    assert found(PRODUCER % (wait, arrive)) == []
    one = 'asm volatile("bar.sync 1, 64;" ::: "memory");'
    assert found(PRODUCER.replace("bar.arrive 2", "bar.sync 2") % ("", "")) == [("race", (5, 10), ("st", "ld"))]
    assert found(PRODUCER.replace("bar.arrive 2", "bar.sync 2") % (one, one)) == []


def test_the_other_warps_of_the_block_are_not_ordered_by_a_barrier_of_two() -> None:
    body = """__shared__ unsigned s[128]; s[t] = t;
    asm volatile("barrier.sync %%0, 64;" :: "r"(t / 64 + 1) : "memory");
    out[t] = s[t ^ %d];"""
    assert found(body % 63) == []
    assert found(body % 64) == [("race", (2, 4), ("st", "ld"))]


def test_a_counted_barrier_of_all_threads_is_one_of_the_block() -> None:
    body = '__shared__ unsigned s[128]; s[t] = t; asm volatile("bar.sync 1, 128;" ::: "memory"); out[t] = s[127 - t];'
    assert found(body) == []


COPY = """__shared__ unsigned s[2][128]; unsigned to = (unsigned)__cvta_generic_to_shared(&s[0][t]);
    asm volatile("cp.async.ca.shared.global [%%0], [%%1], 4;" :: "r"(to), "l"(out + t) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    %s
    out[t + 128] = s[0][%s];"""
WAIT = 'asm volatile("cp.async.wait_group 0;" ::: "memory");'


@pytest.mark.parametrize(
    ("between", "read", "expected"),
    [
        (WAIT + "__syncthreads();", "127 - t", []),
        (WAIT, "t", []),
        ('asm volatile("cp.async.wait_all;" ::: "memory");', "t", []),
        (WAIT, "t ^ 32", [("race", (3, 6), ("copy", "ld"))]),
        ("", "t", [("race", (3, 6), ("copy", "ld"))]),
        ("__syncthreads();", "t", [("race", (3, 6), ("copy", "ld"))]),
        ("__syncthreads();" + WAIT, "127 - t", [("race", (3, 6), ("copy", "ld"))]),
        (WAIT.replace("0", "1") + "__syncthreads();", "127 - t", [("race", (3, 6), ("copy", "ld"))]),
    ],
)
def test_copies_have_to_be_waited_for(between: str, read: str, expected: list[object]) -> None:
    assert found(COPY % (between, read)) == expected


def test_what_is_wrong_with_a_copy() -> None:
    (hazard,) = hazards_of(kernel(COPY % ("", "t")))
    assert hazard.sentence == (
        "line 6 reads s[0] (word 0) in thread (0, 0, 0) of block (0, 0, 0), which has not waited for its cp.async of "
        "line 3: put cp.async.wait_all between them"
    )
    (hazard,) = hazards_of(kernel(COPY % ("__syncthreads();", "127 - t")))
    assert hazard.sentence.endswith("wait for the copy (cp.async.wait_all), then put __syncthreads() between them")


def test_a_pipeline_of_copies() -> None:
    body = """__shared__ unsigned s[2][128]; unsigned sum = 0;
    #define COPY(i) asm volatile("cp.async.ca.shared.global [%%0], [%%1], 4; cp.async.commit_group;" \\
      :: "r"((unsigned)__cvta_generic_to_shared(&s[(i) & 1][t])), "l"(out + t + (i)) : "memory")
    COPY(0);
    for (unsigned i = 0; i < 4; i++) {
      if (i + 1 < 4) { COPY(i + 1); asm volatile("cp.async.wait_group 1;" ::: "memory"); }
      else asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
      sum += s[i & 1][127 - t];
      %s
    } out[t] = sum;"""
    assert found(body % "__syncthreads();") == []
    assert {hazard[0] for hazard in found(body % "")} == {"race"}


def test_neighbouring_bytes_do_not_race() -> None:
    body = "__shared__ unsigned char s[128]; s[t] = t;\n%s\nout[t] = s[127 - t];"
    assert found(body % "__syncthreads();") == []
    assert found(body % "") == [("race", (2, 4), ("st", "ld"))]
    own = """__shared__ __align__(4) unsigned char s[512]; s[4 * t] = t; s[4 * t + 1] = s[4 * t + 2] = s[4 * t + 3] = 1;
    out[t] = *(unsigned*)&s[4 * %s];"""
    assert found(own % "t") == []
    races = hazards_of(kernel(own % "(t ^ 32)"))
    assert {hazard.lines for hazard in races} == {(2, 3)}
    assert {hazard.word for hazard in races} == {0}


def test_wide_accesses_touch_all_their_words() -> None:
    body = "__shared__ uint4 s[128]; s[t] = make_uint4(t, 1, 2, t + 3);\n%s\nout[t] = ((unsigned*)s)[4 * (t ^ 32) + 3];"
    assert found(body % "__syncthreads();") == []
    (hazard,) = hazards_of(kernel(body % ""))
    assert (lines([hazard]), hazard.word, hazard.times) == ([("race", (2, 4), ("st", "ld"))], 3, 128)


def test_dynamic_shared_memory_and_generic_addresses() -> None:
    source = kernel("e[t] = t;\nout[t] = e[127 - t];", "extern __shared__ unsigned e[];\n")
    (hazard,) = hazards_of(source, shared_bytes=512)
    assert (lines([hazard]), hazard.variable) == ([("race", (3, 4), ("st", "ld"))], "e")
    body = "__shared__ unsigned s[128]; unsigned* p = out[500] ? out : s; p[t] = t;\n%s\nout[t] = p[127 - t];"
    assert found(body % "") == [("race", (2, 4), ("st", "ld"))]
    assert found(body % "__syncthreads();") == []


def test_matrices_are_read_by_rows() -> None:
    body = """__shared__ __align__(16) unsigned s[128]; s[t] = t;
    %s
    unsigned r; unsigned row = (unsigned)__cvta_generic_to_shared(&s[4 * (t & 7)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%%0}, [%%1];" : "=r"(r) : "r"(row));
    out[t] = r;"""
    assert found(body % "__syncthreads();") == []
    (hazard,) = hazards_of(kernel(body % ""))
    assert lines([hazard]) == [("race", (2, 5), ("st", "ldmatrix"))]


def test_a_fence_is_no_barrier() -> None:
    body = "__shared__ unsigned s[128]; s[t] = t;\n__threadfence_block();\nout[t] = s[t ^ 64];"
    assert found(body) == [("race", (2, 4), ("st", "ld"))]


def test_signals_behind_a_fence_are_taken_at_their_word() -> None:
    flag = """__shared__ unsigned s; __shared__ volatile unsigned flag; if (t == 0) flag = 0; __syncthreads();
    if (t == 0) { s = 7; __threadfence_block(); flag = 1; }
    if (t == 64) { while (!flag); __threadfence_block(); out[0] = s; }"""
    assert found(flag) == []
    lock = """__shared__ unsigned s, lock; if (t == 0) lock = s = 0; __syncthreads();
    for (bool done = false; !done;) if (atomicCAS(&lock, 0, 1) == 0) {
      s += t; __threadfence_block(); atomicExch(&lock, 0); done = true; }
    __syncthreads(); out[t] = s;"""
    assert found(lock) == []
    last = """__shared__ unsigned part[4], n; if (t == 0) n = 0; __syncthreads();
    if (t % 32 == 0) { part[t / 32] = t; __threadfence_block();
      if (atomicAdd(&n, 1) == 3) { __threadfence_block(); out[0] = part[0] + part[1] + part[2] + part[3]; } }"""
    assert found(last) == []


def test_blocks_that_meet_at_different_times() -> None:
    body = """__shared__ unsigned s[128]; s[t] = t; __syncthreads();
    for (unsigned i = 0; i < blockIdx.x; i++) {
      unsigned v = s[(t + 1) & 127];
      %s
      s[t] = v;
      __syncthreads();
    } out[t] = s[t];"""
    assert found(body % "__syncthreads();", grid=5) == []
    (hazard,) = hazards_of(kernel(body % ""), grid=5)
    assert (lines([hazard]), hazard.block) == ([("race", (6, 4), ("st", "ld"))], (1, 0, 0))
    assert hazard.times == 128 * (1 + 2 + 3 + 4)


def test_few_warps_that_run_on_alone() -> None:
    body = """__shared__ unsigned s[64]; if (t < 64) s[t] = 0; __syncthreads();
    if (blockIdx.x == 70 && t < 64) for (unsigned i = 0; i < 100 + out[0]; i++) {
      unsigned v = s[(t + i) & 63] + 1;
      s[t] = v; }"""
    hazards = hazards_of(kernel(body), grid=100)
    assert {(hazard.lines, hazard.block) for hazard in hazards if hazard.lines == (5, 4)} == {((5, 4), (70, 0, 0))}
    assert {hazard.block for hazard in hazards} == {(70, 0, 0)}


def test_accesses_without_end_between_two_barriers() -> None:
    body = """__shared__ unsigned s[128]; s[t] = t; __syncthreads(); unsigned sum = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < 9000; i++) sum += s[(t + i) & 127];
    s[t] = sum;"""
    (hazard,) = hazards_of(kernel(body))
    assert (lines([hazard]), hazard.times) == ([("race", (5, 4), ("st", "ld"))], 128)


def test_a_kernel_without_shared_memory_and_barriers_is_not_watched() -> None:
    assert found("out[t] = out[t ^ 1] + 1;") == []


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ4tileILi16EEvPfE4edge_0", "edge"),
        ("_ZZ1kIfEvPT_E1E", "E"),
        ("_ZN2ns1sE", "s"),
        ("tile", "tile"),
        ("_Z", "_Z"),
    ],
)
def test_names_of_variables(symbol: str, name: str) -> None:
    assert own_name(symbol) == name


@given(st.lists(st.integers(-(2**40), 2**40) | st.integers(0, 3)))
def test_different_places_are_counted(places: list[int]) -> None:
    assert distinct(np.array(places, dtype=np.int64)) == len(set(places))
