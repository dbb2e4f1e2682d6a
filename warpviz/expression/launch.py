"""The names that CUDA gives every thread: threadIdx, blockIdx, blockDim, gridDim, warpSize; and the warp's lane."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import prod
from types import MappingProxyType

import numpy as np

from warpviz.expression import layout
from warpviz.expression.arithmetic import uniform
from warpviz.expression.layout import UNSIGNED_INT, Record
from warpviz.expression.names import NAMED_TYPES
from warpviz.expression.pattern import Dim3, Launch
from warpviz.expression.values import LocalObject, Mask, Number
from warpviz.hardware import LANES


def present_lanes(launch: Launch) -> Mask:
    """The lanes that have a thread: a block of fewer threads than its warps hold leaves the last ones out."""
    return _threads(launch) < prod(launch.block)


@lru_cache(maxsize=64)
def thread_names(launch: Launch) -> Mapping[str, LocalObject | Number]:
    """What the built-in names hold in each lane."""
    x, y, _ = launch.block
    thread = _threads(launch)
    axes = [Number(UNSIGNED_INT, part.astype(np.uint32)) for part in (thread % x, thread // x % y, thread // (x * y))]
    names: dict[str, LocalObject | Number] = {
        "threadIdx": _vector("threadIdx", "uint3", axes),
        "blockIdx": _vector("blockIdx", "uint3", _numbers(launch.block_index)),
        "blockDim": _vector("blockDim", "dim3", _numbers(launch.block)),
        "gridDim": _vector("gridDim", "dim3", _numbers(launch.grid_extent)),
        "warpSize": uniform(LANES, layout.INT),
        "lane": Number(layout.INT, np.arange(LANES, dtype=np.int32)),
    }
    return MappingProxyType(names)


def _threads(launch: Launch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Linear thread ids, x fastest (CUDA C++ Programming Guide, "Thread Hierarchy")."""
    return launch.warp * LANES + np.arange(LANES, dtype=np.int64)


def _numbers(extent: Dim3) -> list[Number]:
    return [uniform(value, UNSIGNED_INT) for value in extent]


def _vector(name: str, ctype: str, axes: list[Number]) -> LocalObject:
    record = NAMED_TYPES[ctype]
    assert isinstance(record, Record)
    return LocalObject(
        name, record, {m.offset: (UNSIGNED_INT, axis) for m, axis in zip(record.members, axes, strict=True)}
    )
