"""Which numbers stand at a chart's axes."""

from __future__ import annotations

import doctest

from hypothesis import given
from hypothesis import strategies as st

from warpviz import scale


def test_examples() -> None:
    result = doctest.testmod(scale)
    assert (result.attempted, result.failed) == (2, 0)


@given(st.integers(0, 5000), st.integers(1, 30))
def test_ticks_rise_from_nothing_to_the_top(top: int, most: int) -> None:
    numbers = scale.ticks(top, most)
    assert (numbers[0], numbers[-1]) == (0, top)
    assert numbers == sorted(set(numbers))
    assert len(numbers) <= most + 1


@given(st.integers(-50, 50), st.integers(1, 300), st.integers(1, 9), st.integers(25, 200))
def test_labels_never_touch(first: int, many: int, step: int, room: int) -> None:
    values = [first + step * i for i in range(many)]
    centres = [room * (i + 0.5) / many for i in range(many)]
    places = scale.labelled(values, centres, 1, room)
    assert places
    end = -1.0
    for place in places:
        width = len(str(values[place]))
        start = scale.label_start(width, centres[place], room)
        assert start >= end + 1
        end = start + width
    assert end <= room
