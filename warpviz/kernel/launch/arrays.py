"""Arrays that a launch hands to a kernel: made only when asked for, so that a look at a launch costs nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.expression.source import clipped
from warpviz.kernel.launch.errors import LaunchError, Where
from warpviz.kernel.launch.integers import IntegerExpression

_MOST_BYTES = 16 << 30
_FILE_KINDS = "biufcV"  # numbers, and structs of them


@dataclass(frozen=True)
class Array:
    """An array of global memory, filled in before the launch.

    dtype: of an element. count: elements. each: what they are; None for zeros.
    """

    name: str
    dtype: np.dtype[Any]
    count: int
    each: IntegerExpression | None
    where: Where

    @property
    def size(self) -> int:
        """Bytes."""
        return self.count * self.dtype.itemsize

    def fill(self, out: NDArray[Any]) -> None:
        """Write the elements into out, of this dtype and shape (count,). Raises LaunchError, as for a division by 0."""
        if self.each is None:
            out[:] = 0
        else:
            self.each.fill(out)

    def values(self) -> NDArray[Any]:
        """The elements, shape (count,), made anew. Raises LaunchError."""
        out = np.empty(self.count, self.dtype)
        self.fill(out)
        return out


@dataclass(frozen=True)
class FileArray:
    """As Array; what it holds is read from a .npy file, in C's order of the elements."""

    name: str
    dtype: np.dtype[Any]
    count: int
    path: Path
    where: Where

    @property
    def size(self) -> int:
        """Bytes."""
        return self.count * self.dtype.itemsize

    def fill(self, out: NDArray[Any]) -> None:
        """Write the elements into out, of this dtype and shape (count,). Raises LaunchError for a file that changed."""
        stored = _stored(self.path, self.where)
        if (stored.size, stored.dtype.newbyteorder("=")) != (self.count, self.dtype):
            raise LaunchError(f"{clipped(self.path.name)} was changed meanwhile", self.where)
        out[:] = stored.reshape(-1)

    def values(self) -> NDArray[Any]:
        """The elements, shape (count,), read anew. Raises LaunchError."""
        out = np.empty(self.count, self.dtype)
        self.fill(out)
        return out


def file_array(name: str, path: Path, where: Where) -> FileArray:
    """Look at a .npy file without reading its elements. Raises LaunchError."""
    stored = _stored(path, where)
    if stored.dtype.kind not in _FILE_KINDS or stored.dtype.hasobject:
        raise LaunchError(f"{clipped(path.name)} holds {stored.dtype}, which is no array of numbers", where)
    return FileArray(name, stored.dtype.newbyteorder("="), stored.size, path, where)


def check_memory(arrays: Iterable[Array | FileArray]) -> None:
    """Raises LaunchError, at the largest array, when together they are more than this machine should hold."""
    wanted = list(arrays)
    total, most = sum(array.size for array in wanted), _most_bytes()
    if total <= most:
        return
    largest = max(wanted, key=lambda array: array.size)
    others = "" if len(wanted) == 1 else f" and {total:,} with the others"
    raise LaunchError(
        f"{largest.name} has {largest.size:,} bytes{others}; {most:,} are the most for this machine", largest.where
    )


def _most_bytes() -> int:
    """Half of the machine's memory."""
    try:
        return min(_MOST_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    except (AttributeError, ValueError, OSError):  # not told on every system
        return _MOST_BYTES


def _stored(path: Path, where: Where) -> NDArray[Any]:
    """A file's array, its elements still on the disk."""
    shown = clipped(path.name)
    try:
        stored = np.load(path, mmap_mode="r", allow_pickle=False) if path.is_file() else None
    except OSError as error:
        raise LaunchError(f"{shown} cannot be read: {error.strerror or error}", where) from None
    except (ValueError, EOFError, SyntaxError, OverflowError, MemoryError):  # numpy raises any of them
        raise LaunchError(f"{shown} is no .npy file with an array of numbers in it", where) from None
    if stored is None:
        raise LaunchError(f"there is no file {shown}", where)
    if not isinstance(stored, np.ndarray) or stored.size == 0:
        raise LaunchError(f"{shown} holds no array with an element in it; numpy.save writes one", where)
    return stored
