"""Numbers on the axes of a chart: which to write, and where they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise


def ticks(top: int, most: int) -> list[int]:
    """Numbers to write on an axis from 0 to `top`: 0, at most `most` others at equal steps, and `top` for the last.

    Steps are powers of two, as costs are.

    >>> ticks(32, 4), ticks(13, 4), ticks(5, 1)
    ([0, 8, 16, 24, 32], [0, 4, 8, 13], [0, 5])
    """
    step = next(step for step in powers_of_two() if top <= step * max(most, 1))
    between = [number for number in range(step, top, step) if 2 * (top - number) > step]
    return [0, *between, top] if top else [0]


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
