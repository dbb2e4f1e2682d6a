"""Numbers on the axes of a chart: which to write, and where they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log2

_LEAST_DOUBLED = 8  # the least upper end whose small counts would lie too close together in equal steps


@dataclass(frozen=True)
class Axis:
    """The upright axis of counts from 0 to `top`, which is 1 or more.

    Up to 7 one count more is one step. From 8 on one doubling is one step, so that 1, 2 and 4 can be told apart
    beside 32; 0 lies one step under 1.

    >>> [Axis(4).share(count) for count in (0, 1, 2, 4)]
    [0.0, 0.25, 0.5, 1.0]
    >>> [Axis(128).share(count) for count in (0, 1, 2, 8, 128)]
    [0.0, 0.125, 0.25, 0.5, 1.0]
    """

    top: int

    @property
    def doubles(self) -> bool:
        """Whether a step is a doubling."""
        return self.top >= _LEAST_DOUBLED

    def share(self, count: float) -> float:
        """How high a count stands: 0 at the ground, 1 at the upper end."""
        return _doublings(count) / _doublings(self.top) if self.doubles else max(count, 0) / self.top

    def ticks(self, most: int) -> list[int]:
        """Numbers to write beside the axis: 0, at most `most` others at equal distances, and the upper end for the
        last, whatever its distance. The others are powers of two, or their multiples, as costs are.

        >>> Axis(32).ticks(8), Axis(32).ticks(4), Axis(13).ticks(8)
        ([0, 1, 2, 4, 8, 16, 32], [0, 2, 8, 32], [0, 1, 2, 4, 8, 13])
        >>> Axis(6).ticks(4), Axis(5).ticks(1)
        ([0, 2, 4, 6], [0, 5])
        """
        between = _doubled_ticks if self.doubles else _equal_ticks
        return [0, *between(self.top, max(most, 1)), self.top]


def _doublings(count: float) -> float:
    """Steps from the ground: 1 for a count of 1, one more for each doubling, and a part of one under 1."""
    return log2(count) + 1 if count >= 1 else max(count, 0.0)


def _doubled_ticks(top: int, most: int) -> list[int]:
    step = ceil(_doublings(top) / most)
    highest = floor(log2(top) - step + 0.5)
    return [2**exponent for exponent in reversed(range(highest, -1, -step))]


def _equal_ticks(top: int, most: int) -> list[int]:
    step = next(step for step in powers_of_two() if top <= step * most)
    return [number for number in range(step, top, step) if 2 * (top - number) > step]


def labelled(values: Sequence[int], centres: Sequence[float], character: float, room: float) -> list[int]:
    """The places of the values that can be written side by side: all, or those that the least power of two divides.

    centres: where each label's middle should be, from 0 to `room`. character: the width of a digit; that much stays
    free between two labels.

    >>> labelled([0, 1, 2, 3, 4], [0.5, 1.5, 2.5, 3.5, 4.5], character=1, room=5)
    [0, 2, 4]
    """
    for step in powers_of_two():
        places = [place for place, value in enumerate(values) if value % step == 0]
        places = places or list(range(0, len(values), step))
        spans = [_span(values[place], centres[place], character, room) for place in places]
        if all(end + character <= start for (_, end), (start, _) in pairwise(spans)):
            return places
    raise AssertionError("one label fits in any case")


def label_start(width: float, centre: float, room: float) -> float:
    """Where something of this width begins, so that it stands round `centre` and inside 0 to `room` if it can."""
    return max(0, min(centre - width / 2, room - width))


def _span(value: int, centre: float, character: float, room: float) -> tuple[float, float]:
    width = len(str(value)) * character
    start = label_start(width, centre, room)
    return start, start + width


def powers_of_two() -> Iterator[int]:
    """1, 2, 4 and so on without end."""
    step = 1
    while True:
        yield step
        step *= 2
