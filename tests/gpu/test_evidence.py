"""What stands behind a verdict, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.gpu.samples import CONDITIONS, counts, measurement, stride
from warpviz.gpu import Bandwidth, Code, Measurement, Unavailable, evidence
from warpviz.model import predict

CODE = Code("timed", (("LDS", 16),), 16, 30, 0, 0, "nvdisasm 13.0")


def told(measured: Measurement) -> list[tuple[str, str, str]]:
    """Subject, text and tone of each."""
    return [(one.subject, one.text, one.tone) for one in evidence(predict(measured.access.access()), measured)]


def test_of_a_shared_access_everything_is_told_in_order() -> None:
    counted = counts(wavefronts=8.0, conflicts=7.0, instructions=1.0)
    assert told(measurement(stride(32), counters=counted, code=CODE)) == [
        ("verdict", "equal: 8 wavefronts, 7 conflicts", "good"),
        ("by time", "8.00 ± 0.01 wavefronts: 8.00 cycles an access, the median of 5", "plain"),
        ("counted", "8 wavefronts, as predicted", "good"),
        ("counted", "7 conflicts, as predicted", "good"),
        ("counted", "1 instruction, as predicted", "good"),
        ("counters", "read by Nsight Compute 2025.3.1, for one access", "quiet"),
        ("code", "16 of 16 loads are there, each one LDS", "plain"),
        (
            "kernel",
            "timed: 30 registers and 0 bytes of local memory a thread, 0 bytes of static shared memory; read with "
            "nvdisasm 13.0",
            "quiet",
        ),
        ("clocks", "SM 1,980 MHz, memory 3,201 MHz, 41 °C, 118 W, nothing throttles", "plain"),
        ("measured", "NVIDIA H200 (sm_90, driver 580.159.04, NVRTC 13.0), 2026-11-30T18:00:00+00:00", "quiet"),
    ]


def test_what_is_not_there_says_why() -> None:
    why = Unavailable("it is not there")
    missing = measurement(stride(4, space="global"), wavefronts=None, bandwidth=why, conditions=why, code=why)
    lines = told(missing)
    assert ("by time", "it is not there", "quiet") in lines
    assert ("code", "not checked: it is not there", "quiet") in lines
    assert ("clocks", "not known: it is not there", "quiet") in lines
    assert ("counters", "the hardware counters were not asked for", "quiet") in lines


def test_a_counter_that_differs_is_shown_beside_its_prediction_and_its_metric() -> None:
    counted = counts(requests=1.0, sectors=5.0, lines=1.0)
    bandwidth = Bandwidth(10**9, 2 * 10**9, 0.001, 0.02, 7, 4000.0, 0.01)
    measured = measurement(stride(4, space="global"), wavefronts=None, counters=counted, bandwidth=bandwidth)
    found = evidence(predict(measured.access.access()), measured)
    (row,) = [one for one in found if one.text.startswith("5 sectors")]
    assert (row.text, row.tone) == ("5 sectors, predicted 4", "bad")
    assert row.detail == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    assert "1,000 GB/s useful" in next(one.text for one in found if one.subject == "by time")


@pytest.mark.parametrize(("throttled", "tone"), [((), "plain"), (("power cap",), "bad"), (None, "plain")])
def test_clocks_that_are_held_back_stand_out(throttled: tuple[str, ...] | None, tone: str) -> None:
    measured = measurement(conditions=replace(CONDITIONS, throttled=throttled))
    assert [one for subject, _, one in told(measured) if subject == "clocks"] == [tone]


def test_a_cause_that_the_verdict_does_not_say_is_told() -> None:
    slope = measurement().wavefronts
    assert slope is not None
    doubtful = replace(slope, count=None, doubt="the time is that of 8.4")
    measured = measurement(stride(32), wavefronts=doubtful, counters=counts(wavefronts=8.0, conflicts=7.0))
    assert [text for subject, text, _ in told(measured) if subject == "cause"] == ["doubt: the time is that of 8.4"]
