"""Why measured is not predicted: an example of every cause, and that no difference is without one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.samples import CONDITIONS, H200, counts, measurement, slope, stride
from warpviz.gpu import Code, Conditions, Counts, FrozenAccess, Measurement, Slope, Unavailable, Verdict, compare
from warpviz.gpu.verdict.comparison import CauseKind
from warpviz.model.cost import predict

T4 = replace(H200, name="Tesla T4", arch="sm_75")
BUSY = replace(CONDITIONS, sm_mhz=1230, throttled=("power cap",), other_processes=2)
SCATTERED = replace(stride(264, space="global", op="red"), addresses=tuple(260 * (7 * lane % 32) for lane in range(32)))


def code(*opcodes: tuple[str, int], asked: int = 16) -> Code:
    return Code("timed", opcodes, asked, 24, 0, 0, "nvdisasm 13.0")


def verdict(pattern: FrozenAccess, **measured: Any) -> Verdict:
    return compare(predict(pattern.access()), measurement(pattern, **measured))


def unsteady(count: int | None, spread: float, doubt: str | None = None) -> Slope:
    return replace(slope(count, doubt), spread=spread)


# kind, pattern, what was measured, words of the sentence. stride(32) is predicted with 8 wavefronts, 7 conflicts.
EXAMPLES: list[tuple[CauseKind, FrozenAccess, dict[str, Any], str]] = [
    ("folded", stride(32), {"wavefronts": slope(1), "code": code(("LDS", 1))}, "1 of 16 loads is left"),
    ("fused", stride(32), {"wavefronts": slope(2), "code": code(("LDS.128", 4))}, "16 loads became 4 LDS.128"),
    ("gone", stride(32), {"wavefronts": slope(0), "code": code()}, "none of 16 loads is left"),
    (
        "other",
        stride(8, op="atom", width=8),
        {"wavefronts": slope(9), "code": code(("ATOMS.CAS.64", 1))},
        "ATOMS.CAS.64",
    ),
    ("split", stride(32, width=16), {"wavefronts": slope(9), "code": code(("LDS.64", 32))}, "became 32 LDS.64"),
    (
        "folded",
        stride(32),
        {"wavefronts": slope(2), "counters": counts(wavefronts=2, conflicts=1, instructions=0.25)},
        "4 instructions for 16 accesses were executed, where 16 are asked for",
    ),
    (
        "split",
        stride(4, space="const", width=4),
        {"wavefronts": slope(64), "counters": counts(requests=64, instructions=2)},
        "32 instructions for 16 accesses",
    ),
    (
        "arbitration",
        stride(32),
        {"counters": counts(wavefronts=8, conflicts=9, instructions=1)},
        "2 here, as the counted 8 wavefronts are as predicted",
    ),
    (
        "lower bound",
        SCATTERED,
        {"wavefronts": None, "counters": counts(requests=1, sectors=33, lines=32, instructions=1)},
        "the hardware takes 1 more",
    ),
    ("noise", stride(32), {"wavefronts": unsteady(9, 0.9)}, "the 5 repeats lie 0.90 wavefronts apart"),
    ("noise", stride(32), {"wavefronts": slope(9), "conditions": BUSY}, "held back at 1,230 MHz (power cap)"),
    ("noise", stride(32), {"wavefronts": slope(9), "conditions": BUSY}, "2 other processes use the GPU"),
    (
        "noise",
        stride(32),
        {"wavefronts": slope(9), "counters": counts(wavefronts=8, conflicts=7)},
        "the counters give the predicted 8, so the time is wrong",
    ),
    (
        "noise",
        stride(32),
        {"wavefronts": None, "counters": counts(wavefronts=8.5)},
        "8.5 wavefronts an access is no whole",
    ),
    (
        "noise",
        stride(32),
        {"wavefronts": unsteady(None, 2.5, "no steady whole number")},
        "no steady whole number; the 5 repeats lie 2.50 wavefronts apart",
    ),
    (
        "doubt",
        stride(4, space="const"),
        {"wavefronts": slope(None, "the constant cache does not keep the lines")},
        "the constant cache does not keep the lines",
    ),
    (
        "assumed rule",
        stride(32),
        {"wavefronts": slope(9), "gpu": T4},
        "the rules are measured on sm_90, and sm_75 does not keep this one: 4 bytes a lane",
    ),
    (
        "assumed rule",
        stride(32, width=8),
        {"wavefronts": slope(9), "gpu": T4},
        "8 bytes a lane go in phases of 16 lanes",
    ),
    (
        "assumed rule",
        FrozenAccess("shared", "ld", 8, None, tuple(lane // 2 * 8 for lane in range(32))),
        {"wavefronts": slope(2), "gpu": T4},
        "where lanes agree in pairs, loads of 8 bytes a lane go in phases of 32 lanes",
    ),
    (
        "assumed rule",
        stride(4, op="atom"),
        {"wavefronts": slope(2), "gpu": T4},
        "an atomic's lanes of one bank take turns",
    ),
    (
        "assumed rule",
        stride(16, op="ldmatrix", width=16, matrices=4),
        {"wavefronts": slope(8), "gpu": T4},
        "an ldmatrix has one phase for each 8 row addresses",
    ),
    (
        "open",
        stride(32),
        {"wavefronts": slope(9)},
        "only the time tells of it (9 wavefronts), and the machine code was not read",
    ),
    (
        "open",
        stride(32),
        {"wavefronts": slope(9), "counters": counts(wavefronts=9, conflicts=8), "code": code(("LDS", 16))},
        "time and counters both say 9 wavefronts, and the machine code is as asked",
    ),
    (
        "open",
        stride(32),
        {"wavefronts": slope(9), "counters": counts(wavefronts=10, conflicts=9, instructions=1)},
        "the time says 9 wavefronts, the counters 10, and as many instructions as asked were executed",
    ),
    (
        "assumed rule",
        stride(96, space="global"),
        {"wavefronts": None, "counters": counts(requests=1, sectors=30), "gpu": T4},
        "each distinct 32-byte sector moves once",
    ),
    (
        "assumed rule",
        stride(96, space="global", op="atom"),
        {"wavefronts": None, "counters": counts(requests=1, sectors=64), "gpu": T4},
        "go out one after the other, in rounds",
    ),
    ("assumed rule", stride(4, space="const"), {"wavefronts": slope(8), "gpu": T4}, "one request for each distinct"),
    (
        "open",
        stride(32),
        {"wavefronts": None, "counters": counts(conflicts=8)},
        "only the counters tell of it, and the machine code was not read",
    ),
    (
        "open",
        stride(32),
        {"wavefronts": slope(8), "counters": counts(wavefronts=9, conflicts=8), "gpu": T4},
        "the time says 8 wavefronts, the counters 9, and the machine code was not read",
    ),
]


@pytest.mark.parametrize(("kind", "pattern", "measured", "words"), EXAMPLES, ids=[words for *_, words in EXAMPLES])
def test_a_difference_is_explained(
    kind: CauseKind, pattern: FrozenAccess, measured: dict[str, Any], words: str
) -> None:
    told = verdict(pattern, **measured)
    assert words in next((cause.sentence for cause in told.causes if cause.kind == kind), f"none of {told.causes}")
    assert words in told.sentence
    assert told.outcome != "equal"


def test_every_kind_has_an_example() -> None:
    assert {kind for kind, *_ in EXAMPLES} == set(get_args(CauseKind))


def test_an_open_difference_asks_to_be_reported() -> None:
    (cause,) = verdict(stride(32), wavefronts=slope(9)).causes
    assert "please report it" in cause.sentence
    assert "warpviz measure … --json" in cause.sentence


def test_a_scattered_atomic_far_above_its_bound_is_open() -> None:
    told = verdict(SCATTERED, wavefronts=None, counters=counts(requests=1, sectors=40, lines=32))
    assert [cause.kind for cause in told.causes] == ["open"]
    assert [comparison.outcome for comparison in told.comparisons] == ["equal", "off", "equal"]


def test_what_was_executed_while_counting_tells_more_of_a_count_than_the_timed_code() -> None:
    measured = counts(wavefronts=9, conflicts=8, instructions=1)
    told = verdict(stride(32), wavefronts=None, counters=measured, code=code(("LDS", 1)))
    assert {cause.kind for cause in told.causes} == {"open"}


def test_one_cause_of_several_quantities_is_told_once() -> None:
    told = verdict(stride(32), wavefronts=None, counters=counts(wavefronts=4, conflicts=3, instructions=0.5))
    assert [c.outcome for c in told.comparisons] == ["off", "off", "off"]
    assert len(told.causes) == 1
    assert told.sentence.count(told.causes[0].sentence) == 1


def test_a_doubtful_time_whose_counters_agree_is_equal_with_its_cause() -> None:
    told = verdict(stride(32), wavefronts=slope(None, "the clock jumps"), counters=counts(wavefronts=8, conflicts=7))
    assert told.outcome == "equal"
    assert [cause.kind for cause in told.causes] == ["doubt"]


PATTERNS = st.sampled_from(
    [
        stride(32),
        stride(8, width=8),
        stride(16, op="st", width=16),
        stride(4, op="atom"),
        stride(16, op="ldmatrix", width=16, matrices=2),
        stride(96, space="global"),
        SCATTERED,
        stride(4, space="const"),
        stride(16, space="const", width=16),
    ]
)
FIGURES = st.none() | st.sampled_from([0.0, 1.0, 8.0, 8.5, 32.0, 33.0]) | st.floats(0, 100)
OPCODES = st.sampled_from(
    ["LDS", "LDS.128", "STS", "ATOMS.ADD", "LDSM.16.M88.2", "LDG.E", "REDG.E.ADD", "LDC.64", "LDL"]
)
CODES = st.builds(lambda made: code(*made.items()), st.dictionaries(OPCODES, st.integers(1, 33), max_size=2))
CONDITIONS_SEEN = st.builds(
    Conditions,
    sm_mhz=st.none() | st.just(1230),
    memory_mhz=st.none(),
    temperature_celsius=st.none(),
    power_watts=st.none(),
    throttled=st.sampled_from([(), ("power cap",)]),
    other_processes=st.none() | st.integers(0, 2),
)
DOUBTS = st.none() | st.just("no steady whole number")


@st.composite
def measurements(draw: st.DrawFn) -> Measurement:
    pattern = draw(PATTERNS)
    count = draw(st.none() | st.sampled_from([1, 2, 8, 32, 33]))
    timed = unsteady(count, draw(st.sampled_from([0.01, 0.9])), draw(DOUBTS) if count is None else None)
    figures = st.builds(
        Counts,
        st.just("Nsight Compute"),
        FIGURES,
        FIGURES,
        FIGURES,
        FIGURES,
        FIGURES,
        st.none() | st.sampled_from([0.25, 1.0, 2.0]),
    )
    return measurement(
        pattern,
        gpu=draw(st.sampled_from([H200, T4])),
        wavefronts=None if pattern.space == "global" else timed,
        counters=draw(figures | st.just(Unavailable("no ncu"))),
        conditions=draw(CONDITIONS_SEEN | st.just(Unavailable("no NVML"))),
        code=draw(st.none() | CODES | st.just(Unavailable("no nvdisasm"))),
    )


@given(measurements())
def test_no_difference_and_no_doubt_is_without_a_cause(measured: Measurement) -> None:
    told = compare(predict(measured.access.access()), measured)
    for comparison in told.comparisons:
        doubtful = comparison.measured is None and comparison.by == "time"
        assert (comparison.cause is not None) == (comparison.outcome == "off" or doubtful)
        if comparison.cause is not None:
            assert comparison.cause.sentence.isprintable()
            assert comparison.cause.sentence
            assert comparison.cause in told.causes
    assert set(told.causes) == {comparison.cause for comparison in told.comparisons} - {None}
    if told.outcome == "off":
        assert all(c.cause is not None and c.cause.sentence in told.sentence for c in told.comparisons if c.off_by)
