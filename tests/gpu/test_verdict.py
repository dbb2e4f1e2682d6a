"""Predicted beside measured."""

from __future__ import annotations

from tests.gpu.samples import counts, measurement, slope, stride
from warpviz.gpu import FrozenAccess, Measurement, Unavailable, Verdict, compare
from warpviz.model.cost import predict


def verdict(pattern: FrozenAccess, measured: Measurement) -> Verdict:
    return compare(predict(pattern.access()), measured)


def test_wavefronts_by_time_are_equal() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(8)))
    assert (told.outcome, told.sentence) == ("equal", "equal: 8 wavefronts")


def test_wavefronts_by_time_are_off() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(4)))
    assert told.outcome == "off"
    assert told.sentence == "wavefronts off by -4: predicted 8, measured 4 by time"
    assert told.comparisons[0].off_by == -4


def test_a_doubtful_time_is_not_held_against_the_prediction() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(None, "the clock jumps")))
    assert (told.outcome, told.sentence) == ("unmeasured", "not measurable here: the clock jumps")


def test_counters_tell_where_time_does_not() -> None:
    measured = measurement(wavefronts=slope(None, "doubt"), counters=counts(wavefronts=8, conflicts=7))
    assert verdict(stride(32), measured).outcome == "equal"


def test_one_quantity_off_is_off() -> None:
    pattern = stride(128, space="global")
    measured = measurement(pattern, wavefronts=None, counters=counts(requests=1, sectors=30))
    told = verdict(pattern, measured)
    assert [c.outcome for c in told.comparisons] == ["equal", "off"]
    assert told.sentence == "sectors off by -2: predicted 32, measured 30 by counters"


def test_sectors_without_counters_are_not_measurable_here() -> None:
    pattern = stride(128, space="global")
    measured = measurement(pattern, wavefronts=None, counters=Unavailable("ncu is not there"))
    told = verdict(pattern, measured)
    assert (told.outcome, told.sentence) == ("unmeasured", "not measurable here: ncu is not there")
    assert {c.quantity for c in told.comparisons} == {"requests", "sectors"}


def test_constant_memory_is_told_by_its_requests() -> None:
    pattern = stride(4, space="const")
    assert verdict(pattern, measurement(pattern, wavefronts=slope(32))).sentence == "equal: 32 requests"
    assert verdict(pattern, measurement(pattern, wavefronts=slope(1))).outcome == "off"


def test_one_of_a_thing_is_singular() -> None:
    assert verdict(stride(4), measurement(stride(4), wavefronts=slope(1))).sentence == "equal: 1 wavefront"
