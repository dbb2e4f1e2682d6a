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
    assert lines[-1] == "  hazards are not looked for, and nothing is measured"


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
