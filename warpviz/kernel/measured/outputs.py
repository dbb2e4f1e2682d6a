"""Arrays as the GPU leaves them beside those that the interpreter leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.gpu.launching.request import LaunchRequest
from warpviz.wording import counted

_CHUNK = 1 << 22  # elements that are compared at a time
_SIGNED: Mapping[int, Any] = {2: np.int16, 4: np.int32, 8: np.int64}  # of as many bytes as a float

_NUMBERS = "fciu"
_NEAR_ZERO = 1 / 1024  # of the largest: there a sum of larger numbers has few places of its own left

Cells = NDArray[Any]


@dataclass(frozen=True)
class Difference:
    """How far elements of an array lie apart.

    count: how many differ. first: the index of the first. of_largest: the largest difference over the largest finite
    magnitude in either array; infinite where one of two numbers is not finite; None for structs. ulps:
    the largest, in units of the last place, of finite floats that are not near zero beside that magnitude; None where
    there are none.
    """

    count: int
    first: int
    of_largest: float | None
    ulps: int | None

    def and_then(self, later: Difference) -> Difference:
        """Of two parts of an array, this the earlier one."""
        return Difference(
            self.count + later.count,
            self.first,
            _larger(self.of_largest, later.of_largest),
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
        """Such as "out: 32 of 1,024 elements (3.1%) differ, the first at 7, by up to 1.2e-07 of the largest value"."""
        far = self.difference
        if far is None:
            return f"{self.name}: {counted(self.count, 'element')} equal"
        share = f"{far.count:,} of {counted(self.count, 'element')} ({_percent(far.count / self.count)})"
        text = f"{self.name}: {share} differ, the first at {far.first:,}"
        if far.of_largest is None:
            return text
        if isinf(far.of_largest):
            return f"{text}: one of the two is no finite number"
        last_places = f", {counted(far.ulps, 'ulp')}" if far.ulps is not None else ""
        return f"{text}, by up to {far.of_largest:.2g} of the largest value{last_places}"


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
    largest: float | None = None
    for begin in range(0, expected.size, _CHUNK):
        chunk = slice(begin, begin + _CHUNK)
        one, other = np.ascontiguousarray(expected[chunk]), np.ascontiguousarray(found[chunk])
        bytes_each = one.dtype.itemsize
        differ = (one.view(np.uint8) != other.view(np.uint8)).reshape(-1, bytes_each).any(axis=1)
        if one.dtype.kind in "fc":
            differ &= ~(np.isnan(one) & np.isnan(other))
        places = np.flatnonzero(differ)
        if places.size:
            largest = max(map(_largest, (expected, found))) if largest is None else largest
            yield Difference(places.size, begin + int(places[0]), *_distance(one[places], other[places], largest))


def _largest(numbers: Cells) -> float:
    """The largest finite magnitude; 0 for structs."""
    if numbers.dtype.kind not in _NUMBERS:
        return 0.0
    chunks = (_wide(numbers[begin : begin + _CHUNK]) for begin in range(0, numbers.size, _CHUNK))
    return max(float(np.abs(chunk[np.isfinite(chunk)]).max(initial=0.0)) for chunk in chunks)


def _distance(one: Cells, other: Cells, largest: float) -> tuple[float | None, int | None]:
    """The largest difference as a part of the largest number, and in ulps."""
    if one.dtype.kind not in _NUMBERS:
        return None, None
    a, b = _wide(one), _wide(other)
    with np.errstate(all="ignore"):
        far = np.abs(a - b)
        parts = np.where(far == 0, 0.0, np.where(np.isfinite(a) & np.isfinite(b), far / largest, np.inf))
    near_zero = np.maximum(np.abs(a), np.abs(b)) < largest * _NEAR_ZERO
    ulps = _ulps(one[~near_zero], other[~near_zero]) if one.dtype.kind == "f" else None
    return float(parts.max()), ulps


def _wide(numbers: Cells) -> Cells:
    return numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)


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


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share > 0.1 else f"{100 * share:.2g}%"
