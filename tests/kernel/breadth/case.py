"""A kernel as other people write them, and what numpy says that it computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
Inputs = Mapping[str, Array]


@dataclass(frozen=True)
class Case:
    """text: of the file, with its launch line. expected: the arrays that the kernel writes, of those before the launch;
    the others stay. tolerance: how far the results may be off, as a part of the largest one."""

    text: str
    expected: Callable[[Inputs], Inputs]
    tolerance: float = 0.0

    @property
    def needs_headers(self) -> bool:
        """Whether it includes what only a CUDA toolkit has."""
        return any(name in self.text for name in _OF_A_TOOLKIT)


_OF_A_TOOLKIT = ("cuda_fp16.h", "cuda_bf16.h", "cuda_pipeline.h", "cooperative_groups.h", "cub/", "math_constants.h")
