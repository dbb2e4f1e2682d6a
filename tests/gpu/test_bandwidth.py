"""How a pattern is laid out over more than L2 holds."""

from __future__ import annotations

import re

import pytest

from tests.gpu.samples import stride
from warpviz.gpu import Unavailable
from warpviz.gpu.bandwidth import COPIES_A_BLOCK, Layout, lay_out
from warpviz.gpu.kernels import kernel_text

MIB = 1 << 20


@pytest.mark.parametrize(("step", "pitch"), [(4, 128), (8, 256), (128, 4096), (136, 4096 + 128)])
def test_copies_lie_side_by_side_and_move_many_times_what_l2_holds(step: int, pitch: int) -> None:
    pattern = stride(step, space="global")
    layout = lay_out(pattern, 60 * MIB, 16 << 30)
    assert isinstance(layout, Layout)
    assert layout.pitch == pitch
    moved = layout.copies * 32 * pattern.distinct_sectors()
    assert 15 * 60 * MIB < moved <= 16 * 60 * MIB
    assert layout.copies % COPIES_A_BLOCK == 0


def test_little_memory_makes_fewer_copies() -> None:
    layout = lay_out(stride(4, space="global"), 60 * MIB, 100 * MIB)
    assert isinstance(layout, Layout)
    assert layout.size <= 100 * MIB


def test_lanes_too_far_apart_are_not_measured_in_l2() -> None:
    layout = lay_out(stride(1 << 22, space="global"), 60 * MIB, 1 << 34)
    assert isinstance(layout, Unavailable)
    assert "no more than L2 holds" in layout.reason


def test_a_block_has_as_many_copies_as_python_counts() -> None:
    text = kernel_text("global.cu")
    warps, copies = (int(re.search(rf"constexpr int {name} = (\d+);", text)[1]) for name in ("WARPS", "COPIES_A_WARP"))  # type: ignore[index]
    assert warps * copies == COPIES_A_BLOCK
