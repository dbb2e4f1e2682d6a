"""On the GPU itself: kernels leave what the interpreter leaves, and count what was counted before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DATA
from warpviz.gpu import GpuError, Probe, Unavailable, gpu_present
from warpviz.gpu.counters.ncu import find_ncu
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.measured import Measured, measure
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import read_source

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine"),
]

COUNTED: dict[str, Any] = json.loads((DATA / "h200_kernels.json").read_text())
FUSED = {"matmul_tiled": "shared_ld"}  # ptxas makes one 16-byte load of four


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe() as probe:
        yield probe


def ready(path: Path, *arguments: str) -> tuple[Prepared, Outcome]:
    made = prepare(read_source(path), LaunchOptions(arguments=arguments))
    return made, interpret(made.program, made.launch)


def written(folder: Path, text: str, *arguments: str) -> tuple[Prepared, Outcome]:
    path = folder / "k.cu"
    path.write_text(text)
    return ready(path, *arguments)


def counted(measured: Measured) -> dict[tuple[str, str], int | None]:
    if isinstance(measured.counters, Unavailable):
        pytest.skip(measured.counters.reason)
    return {(counter.key, counter.quantity): counter.measured for counter in measured.counters}


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_golden_kernels_leave_and_count_what_they_did(probe: Probe, name: str) -> None:
    measured = measure(*ready(DATA / "kernels" / f"{name}.cu"), probe)
    assert [str(array) for array in measured.arrays if array.difference is not None] == []
    told = counted(measured)
    for key, quantities in COUNTED[name]["counters"].items():
        for quantity, value in quantities.items():
            assert told[key, quantity.removesuffix("_executed")] == value, (key, quantity)
    assert measured.measurement.resources.registers == COUNTED[name]["registers"]


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_lines_count_what_was_predicted_for_them(probe: Probe, name: str) -> None:
    measured = measure(*ready(DATA / "kernels" / f"{name}.cu"), probe)
    counted(measured)
    assert not isinstance(measured.lines, Unavailable), measured.lines
    different = {line.key: line.cause for line in measured.lines if not line.is_equal}
    assert different.keys() == ({FUSED[name]} if name in FUSED else set())
    assert all("fused" in (cause or "") for cause in different.values())


def test_arrays_of_64_mb_go_and_come(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=65536 block=256 in=f32[1<<24]:i%1000 out=f32[1<<24]
__global__ void k(const float* in, float* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[i] * 2;
}
"""
    stages: list[str] = []
    measured = measure(*written(tmp_path, text), probe, counters="off", told=stages.append)
    assert measured.is_equal
    assert "copying 134 MB to the GPU" in stages
    assert measured.measurement.timing.restored == ("out",)
    assert 1e-5 < measured.measurement.timing.seconds < 1e-3


def test_a_block_may_have_more_than_48_kib_of_dynamic_shared_memory(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=2 block=128 smem=102400 out=i32[256]
extern __shared__ int s[];
__global__ void k(int* out) {
  for (int i = threadIdx.x; i < 25600; i += 128) s[i] = i;
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[25599 - 3 * threadIdx.x];
}
"""
    assert measure(*written(tmp_path, text), probe).is_equal


def test_structs_and_scalars_reach_the_kernel(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=1 block=32 n=-7 p=u8[24]:i*11 x=0.1 out=f64[32]
struct P { short a; double d; int c; };
__global__ void k(signed char n, P p, double x, double* out) {
  out[threadIdx.x] = threadIdx.x * x + n + p.a + p.c;
}
"""
    assert measure(*written(tmp_path, text), probe, counters="off").is_equal


def test_a_variable_of_the_module_is_put_back_before_each_run(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=1 block=32 out=i32[32]
__device__ int place;
__global__ void k(int* out) { out[atomicAdd(&place, 1)] += 1; }
"""
    measured = measure(*written(tmp_path, text), probe, counters="off")
    assert measured.is_equal
    assert measured.measurement.timing.repeats == 10, "without that, the second run would write past the array"


def test_floats_that_are_added_in_any_order_may_differ_and_it_is_said_why(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=64 block=256 in=f32[16384]:i*7919%1000 out=f32[1]
__global__ void k(const float* in, float* out) { atomicAdd(out, in[blockIdx.x * 256 + threadIdx.x] * 1e-3f); }
"""
    (_, out) = measure(*written(tmp_path, text), probe, counters="off").arrays
    if out.difference is not None:
        assert out.difference.of_largest is not None
        assert out.difference.of_largest < 1e-4
        assert "order" in out.causes[0]


def test_a_fault_and_a_hang_are_a_sentence_and_the_next_launch_works(probe: Probe, tmp_path: Path) -> None:
    text = """//@ launch k grid=1 block=32 out=i32[32] how=0
__global__ void k(int* out, int how) {
  if (how == 1) out = (int*)8;
  while (how == 2 && clock64() > 0) out[1] = 5;
  out[threadIdx.x] = 1;
}
"""
    well, outcome = written(tmp_path, text)
    for how, kind, words in ((1, "failed", "k fails on the GPU: a thread reads"), (2, "timed_out", "running k")):
        bad = prepare(read_source(tmp_path / "k.cu"), LaunchOptions(arguments=(f"how={how}",)))
        with pytest.raises(GpuError, match=words) as caught:
            measure(bad, outcome, probe, counters="off", timeout_s=6)
        assert caught.value.kind == kind
        assert measure(well, outcome, probe, counters="off").is_equal


def test_copies_matrices_and_atomics_are_counted_apart(probe: Probe, tmp_path: Path) -> None:
    find_ncu()
    text = """//@ launch k grid=4 block=64 in=f32[1024]:i out=f32[1024] n=i32[4]
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, int* n) {
  __shared__ __align__(16) float s[256];
  int t = threadIdx.x, b = blockIdx.x * 256;
  __pipeline_memcpy_async(s + 4 * t, in + b + 4 * t, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  unsigned r[4], at = (unsigned)__cvta_generic_to_shared(s + 4 * t);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  int place = atomicAdd(&n[t % 4], 1);
  out[b + t] = __uint_as_float(r[0] ^ r[1] ^ r[2] ^ r[3]) + (place < 0);
}
"""
    measured = measure(*written(tmp_path, text), probe)
    told = counted(measured)
    assert told["shared_copy", "instructions"] == 8
    assert told["global_copy", "sectors"] == 8 * 16
    assert told["shared_ld", "wavefronts"] == 8 * 4
    assert told["global_ld", "requests"] == 8, "Nsight Compute has the requests of copies among those of loads"
    assert told["global_atom", "requests"] == 8
    assert not isinstance(measured.counters, Unavailable)
    different = [(c.key, c.quantity) for c in measured.counters if c.is_equal is False]
    assert different in ([], [("shared_ld", "instructions")]), "beside a copy are loads that no lane makes"
