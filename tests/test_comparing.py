"""Recorded files compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.fake_probe import counted, measured
from tests.gpu.samples import CONDITIONS, H200, slope, stride
from warpviz.comparing import Compared, Kind, Recording, compare_recordings
from warpviz.gpu import Bandwidth, FrozenAccess, Gpu, Measurement, recorded
from warpviz.gpu.recorded import Entry

L4 = Gpu("NVIDIA L4", "sm_89", "580.1", "13.0", "13.0")
DENSE, SPARSE = stride(4, space="global"), stride(128, space="global")
PATTERNS = [stride(4), stride(8, width=8), stride(128), stride(64, op="st"), stride(4, space="const"), DENSE, SPARSE]


def recording(name: str, measurements: list[Measurement]) -> Recording:
    gpu = measurements[0].gpu if measurements else H200
    return Recording(name, gpu, recorded.joined({}, [Entry((f"in {name}",), m) for m in measurements]))


def as_predicted(*patterns: FrozenAccess, gpu: Gpu = H200, seconds: float = 1e-4) -> list[Measurement]:
    """By time, and by counters in global memory."""
    taken = [measured(pattern, gpu, seconds) for pattern in patterns]
    return [replace(m, counters=counted(m.access)) if m.access.space == "global" else m for m in taken]


@st.composite
def recordings(draw: st.DrawFn) -> Recording:
    """Some of the patterns, with counts and times of any size."""
    measurements = []
    for m in as_predicted(*draw(st.lists(st.sampled_from(PATTERNS), unique=True))):
        counters, wavefronts, bandwidth = m.counters, m.wavefronts, m.bandwidth
        if m.access.space == "global":
            counters = replace(counted(m.access), sectors=draw(st.sampled_from([4.0, 5.0, None])))
            bandwidth = replace(bandwidth, seconds=draw(st.floats(1e-6, 1.0)))
        else:
            wavefronts = slope(draw(st.sampled_from([None, 1, 2, 32])))
        measurements.append(replace(m, counters=counters, wavefronts=wavefronts, bandwidth=bandwidth))
    return recording("file", measurements)


@given(file=recordings())
def test_a_file_differs_nowhere_from_itself(file: Recording) -> None:
    compared = compare_recordings([file, file])
    assert compared.common == len(file.entries)
    assert compared.differences == ()
    assert all(kind.differing == 0 for kind in compared.kinds)
    assert all(row.useful_gb_per_second[0] == row.useful_gb_per_second[1] for row in compared.throughputs)
    assert [pace.slower_by for pace in compared.paces] == [None, None]
    assert compared.paces[0] == compared.paces[1]
    assert compared.off[0] == compared.off[1] == len(compare_recordings([file]).differences)


@given(a=recordings(), b=recordings())
def test_the_order_of_the_files_does_not_matter(a: Recording, b: Recording) -> None:
    one, other = compare_recordings([a, b]), compare_recordings([b, a])
    assert (one.common, one.counts, one.kinds, one.off) == (other.common, other.counts, other.kinds, other.off[::-1])
    assert one.paces == other.paces[::-1]
    for here, there in zip(one.differences, other.differences, strict=True):
        assert (here.access, here.quantity, here.counts) == (there.access, there.quantity, there.counts[::-1])
    for fast, slow in zip(one.throughputs, other.throughputs, strict=True):
        assert fast.useful_gb_per_second == slow.useful_gb_per_second[::-1]


@given(a=recordings(), b=recordings())
def test_only_counts_that_both_have_are_compared(a: Recording, b: Recording) -> None:
    compared = compare_recordings([a, b])
    assert compared.common == len(a.entries.keys() & b.entries.keys())
    assert sum(kind.differing for kind in compared.kinds) == len({d.access for d in compared.differences})
    assert all(None not in row.counts and len(set(row.counts)) == 2 for row in compared.differences)


def test_a_count_that_differs_is_named_with_its_rule() -> None:
    here, there = as_predicted(*PATTERNS), as_predicted(*PATTERNS, gpu=L4)
    there[1] = replace(there[1], wavefronts=slope(3))
    compared = compare_recordings([recording("a", here), recording("b", there)])
    (difference,) = compared.differences
    assert (difference.quantity, difference.predicted, difference.counts) == ("wavefronts", 2, (2, 3))
    assert difference.labels == ("in a", "in b")
    assert [kind for kind in compared.kinds if kind.differing] == [_kind_of(compared, Kind("shared", "ld", 8, None))]
    assert _kind_of(compared, Kind("shared", "ld", 8, None)).accesses == 1
    assert _kind_of(compared, Kind("global", "ld", 4, None)).accesses == 2
    assert compared.off == (0, 1)


def _kind_of(compared: Compared, kind: Kind) -> object:
    (found,) = (row for row in compared.kinds if row.kind == kind)
    return found


def test_one_file_is_compared_with_the_prediction() -> None:
    measurements = as_predicted(*PATTERNS)
    measurements[0] = replace(measurements[0], wavefronts=slope(5))
    compared = compare_recordings([recording("a", measurements)])
    (difference,) = compared.differences
    assert (difference.predicted, difference.counts) == (1, (5,))
    assert compared.off == (1,)


def test_counters_go_before_the_time() -> None:
    timed = replace(measured(stride(128)), wavefronts=slope(31), counters=counted(stride(128)))
    assert compare_recordings([recording("a", [timed])]).differences == ()


def test_what_was_not_measured_differs_from_nothing() -> None:
    doubtful = replace(measured(stride(128)), wavefronts=slope(None, "doubt"))
    compared = compare_recordings([recording("a", [doubtful]), recording("b", [measured(stride(128))])])
    assert (compared.common, compared.counts) == (1, 0)
    three = [recording("a", [doubtful]), *(recording(n, [measured(stride(128))]) for n in "bc")]
    assert (compare_recordings(three).counts, compare_recordings(three).differences) == (1, ())


def test_a_node_that_is_slower_than_the_others_of_its_model_is_named() -> None:
    seconds = {"a": 1.00, "b": 1.01, "c": 1.09, "d": 0.99}
    nodes = [recording(n, as_predicted(*PATTERNS, seconds=1e-4 * s)) for n, s in seconds.items()]
    other = recording("e", as_predicted(*PATTERNS, gpu=L4, seconds=9e-4))
    slower = [pace.slower_by for pace in compare_recordings([*nodes, other]).paces]
    assert slower[:2] == [None, None]
    assert slower[2] == pytest.approx(1 - 1.00 / 1.09)
    assert slower[3:] == [None, None]
    assert compare_recordings(nodes[1:3]).paces[1].slower_by == pytest.approx(1 - 1.01 / 1.09)


def test_the_pace_of_each_file() -> None:
    hot = replace(CONDITIONS, sm_mhz=1200, throttled=("power cap",))
    half = [replace(m, conditions=hot) if m.access.space == "global" else m for m in as_predicted(*PATTERNS)]
    (pace,) = compare_recordings([recording("a", half)]).paces
    assert pace.cycles_per_wavefront == (1.0, 1.0, 1.0)
    assert pace.copy_gb_per_second == 4200.0
    assert pace.sm_mhz == 1980
    assert pace.throttled == pytest.approx(2 / 7)
    assert isinstance(half[-1].bandwidth, Bandwidth)
    nothing = compare_recordings([recording("a", [])]).paces[0]
    assert (nothing.cycles_per_wavefront, nothing.copy_gb_per_second, nothing.sm_mhz) == (None, None, None)
