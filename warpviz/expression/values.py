"""What an expression is worth in the 32 lanes of a warp: a number, a pointer, or a piece of some object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.expression.layout import CType, Integer, Pointer, size_of
from warpviz.expression.source import Place
from warpviz.expression.syntax import Expression
from warpviz.hardware import LANES, Space

Lanes = NDArray[Any]
Mask = NDArray[np.bool_]

EVERY_LANE: Mask = np.ones(LANES, dtype=np.bool_)
NO_LANE: Mask = np.zeros(LANES, dtype=np.bool_)


@dataclass(frozen=True, eq=False, slots=True)
class MemoryObject:
    """An array or variable in a memory space, or all that a pointer points to.

    align: bytes. A type without a size (`float s[]`, what a pointer points to) has no bounds to check.
    """

    name: str
    type: CType
    space: Space
    align: int
    place: Place

    @property
    def size(self) -> int | None:
        """Bytes, or None where it has no bounds."""
        return size_of(self.type)


@dataclass(frozen=True, eq=False, slots=True)
class LocalObject:
    """A variable in registers, whose contents are known.

    cells: byte offset -> the type of the scalar there, and its value or the expression that it is initialised with.
    """

    name: str
    type: CType
    cells: Mapping[int, tuple[Integer | Pointer, Expression | Number | Address]]

    @property
    def size(self) -> int | None:
        """Bytes."""
        return size_of(self.type)


Home = MemoryObject | LocalObject


@dataclass(frozen=True, eq=False, slots=True)
class Number:
    """An integer in every lane. lanes: shape (32,), in the type's own width, so that it wraps as C's does."""

    type: Integer
    lanes: Lanes


@dataclass(frozen=True, eq=False, slots=True)
class Address:
    """A pointer's value in every lane: the object it points into, and how many bytes from that object's start.

    target: the type it points to. homes: one for each lane. offsets: int64, shape (32,).
    """

    target: CType
    homes: tuple[Home, ...]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class LValue:
    """A piece of memory (or of a local variable) in every lane; homes and offsets as in Address."""

    type: CType
    homes: tuple[Home, ...]
    offsets: NDArray[np.int64]


Value = Number | Address


def active(homes: tuple[Home, ...], mask: Mask) -> Iterator[Home]:
    """The homes of the mask's lanes, in the order of the lanes."""
    return (home for home, reached in zip(homes, mask.tolist(), strict=True) if reached)
