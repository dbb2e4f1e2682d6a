"""From cycles to wavefronts and requests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.gpu.timing import Timed, constant_slope, shared_slope

ACCESSES_A_TURN = 16 * 32


def timed(cycles_an_access: float, *, once: int = 900, noise: tuple[int, ...] = (0, 3, -2)) -> Timed:
    """A kernel whose launch costs `once`, whose accesses cost the rest, and which is not quite steady."""
    short = tuple(round(2 * ACCESSES_A_TURN * cycles_an_access) + once for _ in noise)
    long = tuple(round(10 * ACCESSES_A_TURN * cycles_an_access) + once + n for n in noise)
    return Timed(2, short, 10, long)


@given(st.integers(0, 64), st.integers(0, 10**6))
def test_the_slope_is_free_of_what_a_launch_and_the_companion_cost(wavefronts: int, once: int) -> None:
    slope = shared_slope(timed(wavefronts + 8, once=once), timed(8))
    assert slope.count == wavefronts
    assert slope.cycles_per_access == pytest.approx(wavefronts, abs=0.01)
    assert slope.spread == pytest.approx(5 / (8 * ACCESSES_A_TURN))
    assert (slope.short.accesses, slope.long.accesses, slope.repeats) == (32, 160, 3)


def test_a_slope_far_from_a_whole_number_tells_no_count() -> None:
    slope = shared_slope(timed(10.5), timed(8))
    assert slope.count is None
    assert "2.50" in (slope.doubt or "")


def test_one_disturbed_repeat_is_outvoted() -> None:
    steady = timed(16.0, noise=(0, 0, 0, 0, 0))
    disturbed = replace(steady, long=(*steady.long[:4], steady.long[4] + 10**6))
    assert shared_slope(disturbed, timed(8)).count == 8


def test_repeats_that_disagree_tell_no_count() -> None:
    steady = timed(16.0, noise=(0, 0, 0, 0, 0))
    apart = tuple(
        cycles + 2 * n * ACCESSES_A_TURN * 8 for n, cycles in zip((-2, -1, 0, 1, 2), steady.long, strict=True)
    )
    slope = shared_slope(replace(steady, long=apart), timed(8))
    assert slope.count is None
    assert "nothing else uses the GPU" in (slope.doubt or "")


@given(st.integers(1, 32))
def test_constant_requests_are_counted_in_units_of_a_single_one(requests: int) -> None:
    slope = constant_slope(timed(2.0 * requests), timed(2.0), timed(2.01), instructions=1)
    assert (slope.count, slope.unit_cycles) == (requests, pytest.approx(2.0, abs=0.01))


def test_an_access_of_two_instructions_has_two_requests_a_place() -> None:
    assert constant_slope(timed(128.0), timed(4.0), timed(4.0), instructions=2).count == 64


def test_misses_of_the_constant_cache_are_not_taken_for_requests() -> None:
    slope = constant_slope(timed(78.0), timed(2.0), timed(4.4), instructions=1)
    assert slope.count is None
    assert "does not keep the lines" in (slope.doubt or "")
