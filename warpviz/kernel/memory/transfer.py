"""Reading and writing elements for many threads at once."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.memory.checks import Bytes, Ints, Mask
from warpviz.kernel.memory.values import Values, bits_dtype

_Number = TypeVar("_Number", bound=np.generic)


def gather(cells: Bytes, index: Ints, size: int) -> Values:
    """The element of so many bytes at each index, which counts in elements. Shape of the index."""
    found: Values = cells.view(bits_dtype(size)).take(index)
    return found


def scatter(cells: Bytes, index: Ints, values: Values, mask: Mask) -> None:
    """Write each active thread's element; of threads with one index the last one's stays.

    index: in elements. index, values, mask: broadcastable to each other. values: unsigned integers.
    """
    elements = cells.view(values.dtype)
    where, what = index, values
    if mask is not None:
        shape = np.broadcast_shapes(index.shape, values.shape, mask.shape)
        where, what = picked(index, mask, shape), picked(values, mask, shape)
    elif values.size > 1:
        where = np.broadcast_to(index, np.broadcast_shapes(index.shape, values.shape))
    elements[where] = what


def picked(array: NDArray[_Number], mask: Mask, shape: tuple[int, ...]) -> NDArray[_Number]:
    """What belongs to each active thread of a shape, in the order of blocks, warps and lanes: (n,)."""
    full = np.broadcast_to(array, shape)
    return full.ravel() if mask is None else full[np.broadcast_to(mask, shape)]
