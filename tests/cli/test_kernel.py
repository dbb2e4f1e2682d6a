"""`warpviz kernel`: what a golden kernel costs, and what is said of files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import DATA

KERNELS = DATA / "kernels"

pytestmark = pytest.mark.usefixtures("nvrtc")


def test_a_golden_kernel_is_counted_as_the_hardware_does(run: Run) -> None:
    (told,) = run("kernel", str(KERNELS / "transpose_pad.cu"), "--json").objects
    truth = json.loads((DATA / "h200_kernels.json").read_text())["transpose_pad"]["counters"]
    assert (told["kernel"], told["grid"], told["block"]) == ("transpose_pad", [32, 32, 1], [32, 8, 1])
    assert told["counters"]["global_ld"] == truth["global_ld"]
    assert told["counters"]["global_st"] == truth["global_st"]
    assert told["counters"]["shared_ld"]["wavefronts"] == truth["shared_ld"]["wavefronts"]
    assert [(line["line"], line["space"], line["op"]) for line in told["lines"]] == [
        (6, "global", "ld"),
        (6, "shared", "st"),
        (10, "shared", "ld"),
        (10, "global", "st"),
    ]


def test_the_text_has_a_line_for_each_access(run: Run) -> None:
    lines = run("kernel", str(KERNELS / "copy_rows.cu")).out.splitlines()
    assert lines[0] == "copy_rows   grid 4096x1x1, block 256x1x1, 1,048,576 threads, sm_90"
    assert lines[2].split() == [
        "4",
        "ld",
        "global",
        "4",
        "32768",
        "4.00",
        "4.00",
        "sectors",
        "50%",
        *"out[t] = A[t];".split(),
    ]
    assert len(lines) == 4


def test_what_the_compiler_fuses_is_counted_as_it_is_executed(run: Run) -> None:
    answer = run("kernel", str(KERNELS / "matmul_tiled.cu"), "--json")
    (told,) = answer.objects
    truth = json.loads((DATA / "h200_kernels.json").read_text())["matmul_tiled"]["counters"]["shared_ld"]
    counted = told["counters"]["shared_ld"]
    assert (counted["instructions"], counted["wavefronts"]) == (truth["instructions_executed"], truth["wavefronts"])
    assert [(one["kind"], one["lines"]) for one in told["code"]] == [("fused", [11])]


def test_a_sample_says_what_it_is(run: Run) -> None:
    file = str(KERNELS / "copy_rows.cu")
    (told,) = run("kernel", file, "--blocks", "64", "--json").objects
    assert (told["blocks"], told["counters"]["global_ld"]["requests"]) == (64, 512)
    assert "a sample: 64 of 4,096 blocks" in run("kernel", file, "--blocks", "64").out


_RACE = """//@ launch k grid=2 block=64 out=i32[128]
__global__ void k(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  %s
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
"""


def test_a_missing_barrier_is_found_and_a_present_one_is_not_accused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.cu").write_text(_RACE % "")
    (tmp_path / "good.cu").write_text(_RACE % "__syncthreads();")
    (told,) = run("kernel", str(tmp_path / "bad.cu"), "--json").objects
    assert [(hazard["kind"], sorted(hazard["lines"])) for hazard in told["hazards"]] == [("race", [4, 6])]
    assert "hazard  " in run("kernel", str(tmp_path / "bad.cu")).out
    (told,) = run("kernel", str(tmp_path / "good.cu"), "--json").objects
    assert told["hazards"] == []


def test_a_kernel_that_waits_for_ever_shows_what_it_did_and_why(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    wait = 'if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");'
    file.write_text(f"//@ launch k grid=1 block=64\n__global__ void k() {{\n  {wait}\n}}\n")
    answer = run("kernel", str(file))
    assert answer.code == 2
    assert "it does not end" in answer.out
    assert "wait at barriers for ever: 32 threads at line 3" in answer.out
    assert "k.cu:3: 32 threads of a block" in answer.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--arch", "gpu"), "--arch: arch is 'gpu'"),
        (("--measure", "--blocks", "4"), "--measure runs the whole grid"),
        (("--open", "--json"), "--json goes with"),
        (("--open",), "needs a terminal"),
    ],
)
def test_options_that_do_not_go_together_are_named(run: Run, options: tuple[str, ...], said: str) -> None:
    answer = run("kernel", str(KERNELS / "copy_rows.cu"), *options)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_options_override_the_launch_line(run: Run) -> None:
    (told,) = run("kernel", str(KERNELS / "copy_rows.cu"), "--grid", "2", "--arg", "N=1", "--json").objects
    assert told["counters"]["global_ld"] == {"requests": 16, "sectors": 64}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int x;", "has no CUDA kernel"),
        ("__global__ void k(int n) {}", "is given no value for n (int)"),
        ("__global__ void k() { x = 1; }", 'identifier "x" is undefined'),
        (
            "//@ launch k grid=1 block=64 a=f32[32]\n__global__ void k(float* a) { a[threadIdx.x] = 1; }",
            "thread (32, 0, 0) of block (0, 0, 0)",
        ),
    ],
)
def test_bad_input_is_a_sentence(run: Run, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "k.cu"
    file.write_text(text)
    answer = run("kernel", str(file))
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
