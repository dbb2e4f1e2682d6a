"""The golden kernels: what their accesses cost is what an H200's counters showed, and their results are numpy's."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import DATA
from tests.kernel.ptx_samples import golden_ptx
from warpviz.kernel.counting import totals
from warpviz.kernel.interpret import Outcome, interpret
from warpviz.kernel.launch import LaunchOptions, launch_of, parse_launch
from warpviz.kernel.program import build_program
from warpviz.kernel.ptx import read_module

COUNTED: dict[str, Any] = json.loads((DATA / "h200_kernels.json").read_text())
FUSED = ("matmul_tiled", "shared_ld")  # ptxas makes one 16-byte load of four: the PTX has more and narrower ones


@cache
def run(name: str) -> Outcome:
    module = read_module(golden_ptx(name))
    (routine,) = module.kernels
    (line,) = parse_launch((DATA / "kernels" / f"{name}.cu").read_text())
    launch = launch_of(line, LaunchOptions(), routine, None, name=name, folder=Path())
    return interpret(build_program(module, routine.name), launch)


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_requests_sectors_and_wavefronts_are_those_of_the_hardware(name: str) -> None:
    sums = totals(run(name).counts)
    for kind, counted in COUNTED[name]["counters"].items():
        if (name, kind) != FUSED:
            predicted = {quantity: getattr(sums[kind], quantity) for quantity in counted if quantity[:3] != "ins"}
            assert predicted == {quantity: counted[quantity] for quantity in predicted}, kind


def test_results_are_those_of_numpy() -> None:
    i = np.arange(1 << 16)
    a, b = (np.float32(i % m).reshape(256, 256) for m in (5, 3))
    for name in ("matmul_naive", "matmul_tiled"):
        assert np.array_equal(run(name).arrays["C"].reshape(256, 256), a @ b)
    histogram = np.bincount((np.arange(1 << 18) * 7919 + np.arange(1 << 18) // 251) % 256, minlength=256)
    assert np.array_equal(run("histogram_shared").arrays["hist"], histogram)
    scanned = np.cumsum((i % 7).reshape(-1, 512), axis=1).reshape(-1)
    assert np.array_equal(run("scan_hillis").arrays["out"], scanned)
    reduced = (np.arange(1 << 18) % 17).reshape(256, 1024).sum(axis=1)
    assert np.array_equal(run("reduce_interleaved").arrays["out"], reduced)
    turned = np.arange(1000 * 1016, dtype=np.float32).reshape(1000, 1016).T.reshape(-1)
    for name in ("transpose_naive", "transpose_pad"):
        assert np.array_equal(run(name).arrays["out"], turned)
