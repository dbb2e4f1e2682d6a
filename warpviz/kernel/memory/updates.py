"""What an atomic does to a cell: cell, value -> cell; many at once, or one after the other on one cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[Any]


@dataclass(frozen=True)
class Update:
    """One kind of atomic update.

    dtype: of the cells and values. apply: (cells, values) -> new cells, each of shape (n,). ufunc: the same as a
    ufunc of numpy, where there is one, which can run along many values for one cell; None where there is none.
    flushes: whether apply, unlike the ufunc, takes and gives zeros for subnormal numbers.
    """

    dtype: str
    apply: Callable[[Cells, Cells], Cells]
    ufunc: np.ufunc | None = None
    flushes: bool = False

    def run(self, cell: Cells, values: Cells) -> Cells:
        """The cell before each value in turn and after the last. cell: (1,); values: (n,) -> (n + 1,)."""
        if self.ufunc is not None:
            states: Cells = self.ufunc.accumulate(np.concatenate((cell, values)), dtype=values.dtype)
            if not (self.flushes and (_subnormal(values).any() or _subnormal(states).any())):
                return states
        states = np.empty(len(values) + 1, dtype=values.dtype)
        states[0] = cell[0]
        for turn in range(len(values)):
            states[turn + 1 : turn + 2] = self.apply(states[turn : turn + 1], values[turn : turn + 1])
        return states


def update_for(space: str, operation: str, type_name: str) -> Update | None:
    """As `update_of`, by the rule of a memory space: a sum of f32 in global memory flushes subnormal numbers."""
    if (space, operation, type_name) == ("global", "add", "f32"):
        return Update("float32", _add_flushing, np.add, flushes=True)
    return update_of(operation, type_name)


def update_of(operation: str, type_name: str) -> Update | None:
    """The update that PTX names, such as ("add", "u32"); None for one that there is not.

    type_name: of one component: f16, not f16x2.
    """
    dtype = _DTYPES.get(type_name)
    if dtype is None:
        return None
    if type_name.startswith(("f", "bf")):
        return _FLOAT_ADDS[type_name] if operation == "add" else None
    if operation in _ORDERED:
        return Update(dtype, _ORDERED[operation]) if dtype.startswith("uint") or operation == "exch" else None
    ufunc = _UFUNCS.get(operation)
    return None if ufunc is None else Update(dtype, ufunc, ufunc)


def _subnormal(values: Cells) -> NDArray[np.bool_]:
    """Which float32 numbers are nearer to zero than the smallest normal one, and not zero."""
    subnormal: NDArray[np.bool_] = (np.abs(values) < np.finfo(np.float32).tiny) & (values != 0)
    return subnormal


def _flushed(values: Cells) -> Cells:
    """Float32 with signed zeros for subnormal numbers."""
    return np.where(_subnormal(values), np.copysign(np.float32(0), values), values)


def _add_flushing(cells: Cells, values: Cells) -> Cells:
    """As an atomic adds float32 in global memory: subnormal numbers count as zeros and become zeros."""
    return _flushed(_flushed(cells) + _flushed(values))


def _add_bfloat(cells: Cells, values: Cells) -> Cells:
    """bf16 numbers by their bits: the sum rounded to nearest, ties to even."""
    exact = _widened(cells) + _widened(values)
    bits = exact.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(exact), np.uint16(0x7FFF), rounded.astype(np.uint16))


def _widened(bits: Cells) -> NDArray[np.float32]:
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _increment(cells: Cells, values: Cells) -> Cells:
    """0 behind the value, else one more."""
    return np.where(cells >= values, 0, cells + 1).astype(cells.dtype)


def _decrement(cells: Cells, values: Cells) -> Cells:
    """One less; the value behind 0, or from beyond it."""
    return np.where((cells == 0) | (cells > values), values, cells - 1).astype(cells.dtype)


def _exchange(cells: Cells, values: Cells) -> Cells:
    return values


_DTYPES = {
    "b32": "uint32",
    "u32": "uint32",
    "s32": "int32",
    "b64": "uint64",
    "u64": "uint64",
    "s64": "int64",
    "f16": "float16",
    "bf16": "uint16",
    "f32": "float32",
    "f64": "float64",
}
_FLOAT_ADDS = {
    "f16": Update("float16", np.add, np.add),
    "bf16": Update("uint16", _add_bfloat),
    "f32": Update("float32", np.add, np.add),
    "f64": Update("float64", np.add, np.add),
}
_UFUNCS: dict[str, np.ufunc] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
_ORDERED: dict[str, Callable[[Cells, Cells], Cells]] = {"inc": _increment, "dec": _decrement, "exch": _exchange}
