"""The accesses of the golden kernels, as NVRTC compiles them, all said as C."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.fitted import check
from tests.kernel.ptx_samples import GOLDEN, KERNELS, golden_ptx
from warpviz.expression import Pattern
from warpviz.kernel.counting import Recorded
from warpviz.kernel.fitting import Fitter
from warpviz.kernel.interpret import record_block
from warpviz.kernel.launch import LaunchOptions, launch_of, parse_launch
from warpviz.kernel.program import build_program
from warpviz.kernel.ptx import read_module

_BY_DATA = {"histogram_shared", "gather_random"}  # their indices are read from memory
_WARPS = (0, 1, 7)

_READABLE = {
    "avg_shared_r3": [("tile[lane + 259]", "lane < 3"), ("in[lane + 256]", "")],
    "conv_const": [("coef[4]", "")],
    "copy_cols": [("A[1024*lane + 262144]", "")],
    "copy_float4": [("in[lane + 256]", "")],
    "matmul_tiled": [("s.a[lane / 16][7]", ""), ("s.b[7][lane % 16]", ""), ("C[256*(lane / 16) + lane % 16 + 16]", "")],
    "particles_aos": [("p[lane + 256].z", "")],
    "reduce_interleaved": [("s[2*lane + 1]", ""), ("s[64*lane]", "lane < 16"), ("out[1]", "lane == 0")],
    "scan_hillis": [("buf[1][lane - 2]", "lane >= 2")],
    "transpose_naive": [("out[1000*lane + 32000]", "")],
    "transpose_pad": [("tile[lane][8]", ""), ("tile[8][lane]", "")],
}


def _fitted(name: str) -> list[tuple[Recorded, Pattern | None]]:
    """The different accesses of some warps of the second block."""
    text = (KERNELS / f"{name}.cu").read_text()
    module = read_module(golden_ptx(name))
    (routine,), (line,) = module.kernels, parse_launch(text)
    launch = launch_of(line, LaunchOptions(), routine, None, name=name, folder=Path())
    program = build_program(module, routine.name)
    recorded = record_block(program, launch, 1)
    fitter = Fitter(program, recorded.memory, [text], launch.grid, launch.block)
    different = {
        (access.kind, access.warp, access.addresses.tobytes(), access.active.tobytes()): access
        for access in recorded.accesses
        if access.warp in _WARPS
    }
    return [(access, fitter.pattern(access, 1)) for access in different.values()]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_access_of_a_golden_kernel_is_said_exactly_and_readably(name: str) -> None:
    fitted = _fitted(name)
    tables = 0
    for access, pattern in fitted:
        assert pattern is not None
        evaluation = check(pattern, access)
        assert not evaluation.warnings
        assert not evaluation.assumptions
        tables += "const int at[" in pattern.declarations
    assert tables == 0 or name in _BY_DATA
    said = {(pattern.expression, pattern.where) for _, pattern in fitted if pattern is not None}
    assert not set(_READABLE.get(name, ())) - said
