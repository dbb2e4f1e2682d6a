"""Arrays as the GPU leaves them beside those that the interpreter leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.gpu.launching.request import LaunchRequest
from warpviz.wording import counted

_CHUNK = 1 << 22  # elements that are compared at a time
_SIGNED: Mapping[int, Any] = {2: np.int16, 4: np.int32, 8: np.int64}  # of as many bytes as a float

Cells = NDArray[Any]


@dataclass(frozen=True)
class Difference:
    """How far elements of an array lie apart.

    count: how many differ. first: the index of the first. relative: the largest difference over the larger of the two
    numbers; infinite when one of them is no finite number; None for structs. ulps: the largest, in units of the last
    place, of finite floats; None for other types.
    """

    count: int
    first: int
    relative: float | None
    ulps: int | None

    def and_then(self, later: Difference) -> Difference:
        """Of two parts of an array, this the earlier one."""
        return Difference(
            self.count + later.count,
            self.first,
            _larger(self.relative, later.relative),
            _larger(self.ulps, later.ulps),
        )


@dataclass(frozen=True)
class ArrayComparison:
    """An array of `count` elements. difference: None when all are equal. causes: of the difference, as sentences."""

    name: str
    dtype: str
    count: int
    difference: Difference | None
    causes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Such as "out: 3 of 1,024 elements differ, the first at 7, by up to 2 ulps (relative 1.2e-07)"."""
        far = self.difference
        if far is None:
            return f"{self.name}: {counted(self.count, 'element')} equal"
        text = f"{self.name}: {far.count:,} of {counted(self.count, 'element')} differ, the first at {far.first:,}"
        if far.ulps is not None:
            text += f", by up to {counted(far.ulps, 'ulp')}"
        return text if far.relative is None else f"{text} (relative {far.relative:.2g})"


def compare_arrays(
    arrays: Mapping[str, Cells], request: LaunchRequest, causes: tuple[str, ...]
) -> tuple[ArrayComparison, ...]:
    """arrays: as interpreted, by name. request: names the files with those of the GPU. causes: why they may differ."""
    return tuple(_compared(array.name, arrays[array.name], array.result, causes) for array in request.arrays)


def _compared(name: str, expected: Cells, path: Path, causes: tuple[str, ...]) -> ArrayComparison:
    found = np.memmap(path, expected.dtype, "r", shape=expected.shape)
    difference = difference_of(expected, found)
    return ArrayComparison(name, str(expected.dtype), expected.size, difference, causes if difference else ())


def difference_of(expected: Cells, found: Cells) -> Difference | None:
    """None when all elements are equal, to the bit; but one NaN is as good as another. Shape (n,) each."""
    difference = None
    for part in _differences(expected, found):
        difference = part if difference is None else difference.and_then(part)
    return difference


def _differences(expected: Cells, found: Cells) -> Iterator[Difference]:
    """Of each chunk that has one."""
    for begin in range(0, expected.size, _CHUNK):
        chunk = slice(begin, begin + _CHUNK)
        one, other = np.ascontiguousarray(expected[chunk]), np.ascontiguousarray(found[chunk])
        bytes_each = one.dtype.itemsize
        differ = (one.view(np.uint8) != other.view(np.uint8)).reshape(-1, bytes_each).any(axis=1)
        if one.dtype.kind in "fc":
            differ &= ~(np.isnan(one) & np.isnan(other))
        places = np.flatnonzero(differ)
        if places.size:
            yield Difference(places.size, begin + int(places[0]), *_distance(one[places], other[places]))


def _distance(one: Cells, other: Cells) -> tuple[float | None, int | None]:
    """The largest relative difference, and the largest in ulps."""
    if one.dtype.kind not in "fciu":
        return None, None
    with np.errstate(all="ignore"):
        wide = np.complex128 if one.dtype.kind == "c" else np.float64
        a, b = one.astype(wide), other.astype(wide)
        relative = np.abs(a - b) / np.maximum(np.abs(a), np.abs(b))
    relative = np.where(np.isfinite(a) & np.isfinite(b), np.nan_to_num(relative), np.inf)
    return float(relative.max()), _ulps(one, other) if one.dtype.kind == "f" else None


def _ulps(one: Cells, other: Cells) -> int | None:
    finite = np.isfinite(one) & np.isfinite(other)
    if not finite.any() or one.dtype.itemsize not in _SIGNED:
        return None
    places = zip(_in_order(one[finite]), _in_order(other[finite]), strict=True)
    return max(abs(here - there) for here, there in places)


def _in_order(floats: Cells) -> list[int]:
    """Whole numbers that lie as far apart as there are floats between."""
    bits: NDArray[np.int64] = floats.view(_SIGNED[floats.dtype.itemsize]).astype(np.int64)
    least = -(1 << (8 * floats.dtype.itemsize - 1))
    ordered: list[int] = np.where(bits < 0, least - bits, bits).tolist()
    return ordered


def _larger(one: Any, other: Any) -> Any:
    """None when both are."""
    return max((value for value in (one, other) if value is not None), default=None)
