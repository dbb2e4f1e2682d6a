"""Kernels as other people write them, from the file to what is left in memory, beside numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.compiling import compiler
from tests.kernel.breadth import control, floats, integers, language, matrices, memory, updates, warps
from tests.kernel.breadth.case import Case
from warpviz.gpu.toolkit import header_folders
from warpviz.kernel.interpret import interpret
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.prepare import prepare
from warpviz.kernel.source import read_source

pytestmark = pytest.mark.usefixtures("nvrtc")

CASES = [
    pytest.param(case, id=f"{group.__name__.rsplit('.', 1)[-1]}: {name}")
    for group in (control, floats, integers, language, matrices, memory, updates, warps)
    for name, case in group.CASES.items()
]


@pytest.mark.parametrize("case", CASES)
def test_results_are_those_of_numpy(case: Case, tmp_path: Path) -> None:
    if case.needs_headers and not header_folders():
        pytest.skip("the headers of CUDA are in no toolkit and no Python package here")
    file = tmp_path / "kernel.cu"
    file.write_text(case.text)
    prepared = prepare(read_source(file), LaunchOptions(), compiler=compiler())
    before = {array.name: array.values() for array in prepared.launch.arrays}
    after = interpret(prepared.program, prepared.launch).arrays
    expected = case.expected(before)
    assert expected.keys() <= after.keys()
    for name, found in after.items():
        wanted = np.asarray(expected.get(name, before[name])).reshape(-1)
        if case.tolerance and name in expected:
            furthest = case.tolerance * np.abs(wanted).max()
            np.testing.assert_allclose(found, wanted, rtol=0, atol=furthest, err_msg=name)
        else:
            np.testing.assert_array_equal(found, wanted.astype(found.dtype), err_msg=name)
