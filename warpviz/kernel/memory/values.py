"""The types of PTX in memory and in registers: which bits go where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]


@dataclass(frozen=True)
class MemoryType:
    """A type as a load or store names it. name: such as "s16". size: in bytes: 1, 2, 4 or 8."""

    name: str
    size: int

    @property
    def is_signed(self) -> bool:
        """Whether a wider register gets copies of the sign; else it gets zeros."""
        return self.name.startswith("s")


def memory_type(name: str) -> MemoryType | None:
    """The type of that name; None for one that memory does not hold in up to 8 bytes.

    >>> memory_type("f16x2")
    MemoryType(name='f16x2', size=4)
    """
    size = _SIZES.get(name)
    return None if size is None else MemoryType(name, size)


def bits_dtype(size: int) -> np.dtype[Any]:
    """Unsigned integers of so many bytes: how memory is read and written, whatever the bits mean."""
    return np.dtype(f"uint{8 * size}")


def widened(bits: Values, kind: MemoryType, register: np.dtype[Any]) -> Values:
    """Bits from memory as a register holds them: extended by its type's rule, in the register's dtype.

    >>> widened(np.array([0xFF], np.uint8), MemoryType("s8", 1), np.dtype(np.uint32)).tolist()
    [4294967295]
    """
    if register.itemsize > kind.size:
        if kind.is_signed:
            bits = bits.view(f"int{8 * kind.size}")
        bits = bits.astype(f"int{8 * register.itemsize}" if kind.is_signed else f"uint{8 * register.itemsize}")
    return bits.view(register)


def narrowed(values: Values, size: int) -> Values:
    """The lowest bytes of what registers hold, as unsigned integers."""
    return values.view(bits_dtype(values.dtype.itemsize)).astype(bits_dtype(size), copy=False)


_SIZES = {
    **{f"{letter}{8 * size}": size for letter in "bus" for size in (1, 2, 4, 8)},
    "f16": 2,
    "bf16": 2,
    "f16x2": 4,
    "bf16x2": 4,
    "f32": 4,
    "f64": 8,
}
