"""Launches that CUDA has, and those that it has not."""

from __future__ import annotations

import re

import pytest

from warpviz.expression import Launch


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        ({"block": (0, 1, 1)}, "0 along x; 1 is the least"),
        ({"block": (32, -1, 1)}, "-1 along y"),
        ({"block": (1025, 1, 1)}, "1024 is the most"),
        ({"block": (33, 32, 1)}, "has 1056 threads; 1024 are the most"),
        ({"block": (1, 1, 65)}, "64 is the most"),
        ({"grid": (1, 65536, 1)}, "65535 is the most"),
        ({"grid": (2, 2, 0)}, "0 along z"),
        ({"grid": (2, 2, 2), "block_index": (0, 2, 0)}, "block index 0x2x0 is outside a grid of 2x2x2"),
        ({"block_index": (-1, 0, 0)}, "outside a grid"),
        ({"warp": 1}, "warp 1 is outside a block of 32x1x1"),
        ({"warp": -1}, "warp -1 is outside"),
        ({"block": (33, 1, 1), "warp": 2}, "which has 2"),
    ],
)
def test_what_cuda_has_not(launch: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Launch(**launch)  # type: ignore[arg-type]


def test_what_cuda_has() -> None:
    assert Launch(block=(1, 1, 64)).grid_extent == (1, 1, 1)
    assert Launch(block=(33, 1, 1), warp=1).warp == 1
    assert Launch(block_index=(2**31 - 2, 3, 4)).grid_extent == (2**31 - 1, 4, 5)
