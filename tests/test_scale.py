"""Which numbers stand at a chart's axes."""

from __future__ import annotations

import doctest
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz import scale


def test_examples() -> None:
    result = doctest.testmod(scale)
    assert (result.attempted, result.failed) == (5, 0)


@given(st.integers(1, 5000), st.integers(1, 30))
def test_ticks_rise_from_nothing_to_the_top(top: int, most: int) -> None:
    numbers = scale.Axis(top).ticks(most)
    assert (numbers[0], numbers[-1]) == (0, top)
    assert numbers == sorted(set(numbers))
    assert len(numbers) <= most + 1


@given(st.integers(1, 5000), st.integers(1, 30))
def test_ticks_lie_at_equal_distances_but_for_the_last(top: int, most: int) -> None:
    axis = scale.Axis(top)
    _, *between, _ = axis.ticks(most)
    heights = [axis.share(number) for number in between]
    steps = [upper - lower for lower, upper in pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * len(steps)) if steps else len(between) < 2


@pytest.mark.parametrize("top", [8, 12, 32, 1000])
def test_every_doubling_is_one_step_where_counts_are_large(top: int) -> None:
    axis = scale.Axis(top)
    assert axis.doubles
    step = axis.share(1)
    for count in (1, 2, 4, 1.5, 3.3):
        assert axis.share(2 * count) - axis.share(count) == pytest.approx(step)
    assert (axis.share(0), axis.share(top)) == (0, 1)


@pytest.mark.parametrize("top", [1, 2, 7])
def test_every_count_is_one_step_where_all_are_small(top: int) -> None:
    axis = scale.Axis(top)
    assert not axis.doubles
    assert [axis.share(count) for count in range(top + 1)] == pytest.approx([n / top for n in range(top + 1)])


@given(st.integers(1, 2000), st.floats(-1, 2000), st.floats(-1, 2000))
def test_more_is_never_lower(top: int, one: float, other: float) -> None:
    axis = scale.Axis(top)
    lower, higher = sorted([one, other])
    assert 0 <= axis.share(lower) <= axis.share(higher)


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
