"""Predicted beside measured."""

from __future__ import annotations

from tests.gpu.samples import counts, measurement, slope, stride
from warpviz.gpu import Code, CountedRow, FrozenAccess, Measurement, Unavailable, Verdict, compare, counted_rows
from warpviz.model.cost import predict


def verdict(pattern: FrozenAccess, measured: Measurement) -> Verdict:
    return compare(predict(pattern.access()), measured)


def test_wavefronts_by_time_are_equal() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(8)))
    assert (told.outcome, told.sentence) == ("equal", "equal: 8 wavefronts")


def test_wavefronts_by_time_are_off() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(4)))
    assert told.outcome == "off"
    assert told.sentence.startswith("wavefronts off by -4: predicted 8, measured 4 by time. Open: ")
    assert told.comparisons[0].off_by == -4


def test_time_and_counters_that_say_the_same_are_one_difference() -> None:
    measured = measurement(wavefronts=slope(4), counters=counts(wavefronts=4, conflicts=3))
    differences = verdict(stride(32), measured).sentence.split(". ")[0]
    assert differences == (
        "wavefronts off by -4: predicted 8, measured 4 by time and counters; "
        "conflicts off by -4: predicted 7, measured 3 by counters"
    )


def test_a_doubtful_time_is_not_held_against_the_prediction() -> None:
    told = verdict(stride(32), measurement(wavefronts=slope(None, "the clock jumps")))
    assert (told.outcome, told.sentence) == ("unmeasured", "not measurable here: the clock jumps")


def test_counters_tell_where_time_does_not() -> None:
    measured = measurement(wavefronts=slope(None, "doubt"), counters=counts(wavefronts=8, conflicts=7))
    assert verdict(stride(32), measured).outcome == "equal"


def test_one_quantity_off_is_off() -> None:
    pattern = stride(128, space="global")
    measured = measurement(pattern, wavefronts=None, counters=counts(requests=1, sectors=30, lines=32))
    told = verdict(pattern, measured)
    assert [(c.quantity, c.outcome) for c in told.comparisons] == [
        ("requests", "equal"),
        ("sectors", "off"),
        ("lines", "equal"),
    ]
    assert told.sentence.startswith("sectors off by -2: predicted 32, measured 30 by counters. ")


def test_what_could_not_be_counted_is_named_with_its_metric() -> None:
    pattern = stride(128, space="global")
    told = verdict(pattern, measurement(pattern, wavefronts=None, counters=counts(requests=1, sectors=32)))
    assert (told.outcome, told.sentence, told.causes) == ("equal", "equal: 1 request, 32 sectors; not told: lines", ())
    assert told.comparisons[2].reason == (
        "Nsight Compute 2025.3.1 has no value for l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum on this GPU"
    )


def test_equal_counts_are_in_words() -> None:
    pattern = stride(128, space="global")
    measured = measurement(pattern, wavefronts=None, counters=counts(requests=1, sectors=32, lines=32, instructions=1))
    assert verdict(pattern, measured).sentence == "equal: 1 request, 32 sectors, 32 lines"


def test_counted_rows_name_every_metric() -> None:
    pattern = stride(16, space="const", width=16)
    measured = measurement(pattern, wavefronts=None, counters=counts(requests=63, instructions=2))
    assert counted_rows(predict(pattern.access()), measured) == (
        CountedRow("requests", "idc__requests.sum", 64, 63),
        CountedRow("instructions", "smsp__inst_executed_op_ldc.sum", 2, 2),
    )
    assert counted_rows(predict(pattern.access()), measurement(pattern)) == ()


def test_sectors_without_counters_are_not_measurable_here() -> None:
    pattern = stride(128, space="global")
    measured = measurement(pattern, wavefronts=None, counters=Unavailable("ncu is not there"))
    told = verdict(pattern, measured)
    assert (told.outcome, told.sentence) == ("unmeasured", "not measurable here: ncu is not there")
    assert {c.quantity for c in told.comparisons} == {"requests", "sectors", "lines"}


def test_constant_memory_is_told_by_its_requests() -> None:
    pattern = stride(4, space="const")
    assert verdict(pattern, measurement(pattern, wavefronts=slope(32))).sentence == "equal: 32 requests"
    assert verdict(pattern, measurement(pattern, wavefronts=slope(1))).outcome == "off"


def test_one_of_a_thing_is_singular() -> None:
    assert verdict(stride(4), measurement(stride(4), wavefronts=slope(1))).sentence == "equal: 1 wavefront"


def test_a_time_of_folded_accesses_is_no_confirmation() -> None:
    folded = Code("timed", (("LDS", 8),), 16, 30, 0, 0, "nvdisasm 13.0")
    measured = measurement(stride(32), code=folded)
    verdict = compare(predict(measured.access.access()), measured)
    assert verdict.outcome == "unmeasured"
    assert "8 of 16 loads are left" in verdict.sentence
    assert [cause.kind for cause in verdict.causes] == ["folded"]


def test_more_instructions_than_asked_are_off() -> None:
    measured = measurement(stride(32), counters=counts(wavefronts=8.0, conflicts=7.0, instructions=2.0))
    verdict = compare(predict(measured.access.access()), measured)
    assert verdict.outcome == "off"
    assert "instructions off by +1" in verdict.sentence
    assert [cause.kind for cause in verdict.causes] == ["split"]


def test_what_has_no_value_is_named_beside_what_is_equal() -> None:
    measured = measurement(stride(4, space="global"), wavefronts=None, counters=counts(requests=1.0, lines=1.0))
    verdict = compare(predict(measured.access.access()), measured)
    assert verdict.sentence == "equal: 1 request, 1 line; not told: sectors"
