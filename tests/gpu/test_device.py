"""On the GPU itself: what is measured is what an H200's counters showed, and every accident leaves a working Probe."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.conftest import GoldenRow
from tests.gpu.samples import request, stride, table_fragment
from warpviz.gpu import (
    Bandwidth,
    Code,
    Conditions,
    Counts,
    FrozenAccess,
    GpuError,
    Probe,
    Unavailable,
    compare,
    gpu_present,
)
from warpviz.gpu.code.disassembler import find_disassembler
from warpviz.gpu.counters.count import find_ncu
from warpviz.gpu.machine.listing import list_gpus
from warpviz.model.cost import predict

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine"),
]

SAMPLE = 300
HANGS = "while (clock64() >= 0) {} return true;"


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe() as probe:
        yield probe


def sample(rows: list[GoldenRow], size: int) -> list[GoldenRow]:
    """Rows drawn at random, and at least one of each kind of instruction."""
    kinds = defaultdict(list)
    for row in rows:
        kinds[row.access.space, row.access.op, row.access.width, row.access.matrices].append(row)
    draw = random.Random(90)
    return [draw.choice(kind) for kind in kinds.values()] + draw.sample(rows, min(size, len(rows)))


def test_time_tells_the_wavefronts_that_the_counters_showed(probe: Probe, golden_rows: list[GoldenRow]) -> None:
    shared = [row for row in golden_rows if row.access.space == "shared"]
    off = []
    for row in sample(shared, SAMPLE):
        measured = probe.measure(request(FrozenAccess.of(row.access), counters="off"))
        assert measured.wavefronts is not None
        if measured.wavefronts.count != row.counts["wavefronts"]:
            off.append((row.label, row.counts["wavefronts"], measured.wavefronts))
    assert off == []


def test_time_tells_constant_requests_or_says_why_not(probe: Probe, golden_rows: list[GoldenRow]) -> None:
    for row in golden_rows:
        if row.access.space == "const":
            measured = probe.measure(request(FrozenAccess.of(row.access), counters="off"))
            assert measured.wavefronts is not None
            assert measured.wavefronts.count in (row.counts["requests"], None), row.label
            assert (measured.wavefronts.count is None) == (row.name == "const stride 32"), row.label


def test_counters_show_what_they_showed_before(probe: Probe, golden_rows: list[GoldenRow]) -> None:
    _need_ncu()
    rows = sample(golden_rows, 12)
    counted = probe.count([FrozenAccess.of(row.access) for row in rows])
    for row, counts in zip(rows, counted, strict=True):
        assert isinstance(counts, Counts), counts
        for name in ("requests", "sectors", "wavefronts", "conflicts"):
            value = getattr(counts, name)
            assert value is None or value == row.counts[name], f"{row.label}: {name}"


def test_counters_come_with_a_measurement_that_requires_them(probe: Probe) -> None:
    _need_ncu()
    pattern = stride(128, space="global")
    measured = probe.measure(request(pattern, counters="require"))
    assert compare(predict(pattern.access()), measured).sentence == "equal: 1 request, 32 sectors, 32 lines"


def test_bandwidth_counts_useful_and_moved_bytes(probe: Probe) -> None:
    dense = probe.measure(request(stride(4, space="global"), counters="off")).bandwidth
    sparse = probe.measure(request(stride(128, space="global"), counters="off")).bandwidth
    assert isinstance(dense, Bandwidth)
    assert isinstance(sparse, Bandwidth)
    assert dense.bytes_moved == dense.bytes_useful
    assert sparse.bytes_moved == 8 * sparse.bytes_useful
    assert dense.useful_gb_per_second > 2 * sparse.useful_gb_per_second


def test_a_pattern_far_from_the_start_of_its_buffer_is_measured(probe: Probe) -> None:
    pattern = FrozenAccess("global", "st", 4, None, tuple((1 << 50) - 8 + 4 * lane for lane in range(32)))
    assert isinstance(probe.measure(request(pattern, counters="off")).bandwidth, Bandwidth)


def test_an_expression_that_goes_elsewhere_on_the_gpu_is_refused(probe: Probe) -> None:
    moved = tuple(4 * lane + (4 if lane == 7 else 0) for lane in range(32))
    asked = replace(request(stride(4)), source=table_fragment(FrozenAccess("shared", "ld", 4, None, moved)))
    with pytest.raises(GpuError, match="for lane 7 it is at byte 32, predicted at byte 28") as caught:
        probe.measure(asked)
    assert caught.value.kind == "refused"


def test_lanes_outside_the_block_are_inactive_on_the_gpu(probe: Probe) -> None:
    pattern = FrozenAccess("shared", "ld", 4, None, tuple(4 * lane if lane < 8 else None for lane in range(32)))
    source = table_fragment(stride(4))
    measured = probe.measure(replace(request(pattern, counters="off"), source=source, block=(20, 2, 1), warp=1))
    assert measured.wavefronts is not None
    assert measured.wavefronts.count == 1


@pytest.mark.parametrize(("space", "step"), [("shared", 7500), ("const", 2116)])
def test_an_access_outside_the_memory_is_refused(probe: Probe, space: str, step: int) -> None:
    with pytest.raises(GpuError, match="lane 31 reaches byte") as caught:
        probe.measure(request(stride(step, space=space)))
    assert caught.value.kind == "refused"


@pytest.mark.parametrize(
    ("body", "kind"),
    [(HANGS, "timed_out"), ('asm("trap;"); return true;', "failed")],
)
def test_a_kernel_that_hangs_or_traps_costs_one_measurement(probe: Probe, body: str, kind: str) -> None:
    source = table_fragment(stride(4)).replace("return 4294967295u >> w.lane & 1;", body)
    with pytest.raises(GpuError) as caught:
        probe.measure(replace(request(stride(4)), source=source), timeout_s=3)
    assert caught.value.kind == kind
    measured = probe.measure(request(stride(8), counters="off"))
    assert measured.wavefronts is not None
    assert measured.wavefronts.count == 2


@pytest.mark.parametrize("op", ["ld", "st"])
def test_a_plain_copy_is_measured_beside_the_pattern(probe: Probe, op: str) -> None:
    dense, sparse = (
        probe.measure(request(stride(step, space="global", op=op), counters="off")).bandwidth for step in (4, 128)
    )
    assert isinstance(dense, Bandwidth)
    assert isinstance(sparse, Bandwidth)
    assert dense.of_copy > 2 * sparse.of_copy * sparse.bytes_useful / sparse.bytes_moved
    for bandwidth in (dense, sparse):
        assert 0 < bandwidth.of_copy < 2
        assert bandwidth.copy_spread < 0.3


@pytest.mark.parametrize("space", ["shared", "const", "global"])
def test_the_clocks_stand_beside_every_figure(probe: Probe, space: str) -> None:
    conditions = probe.measure(request(stride(4, space=space), counters="off")).conditions
    assert isinstance(conditions, Conditions), conditions
    assert conditions.sm_mhz is not None
    assert conditions.sm_mhz > 0


@pytest.mark.parametrize(
    ("space", "kernel", "opcode"), [("shared", "timed", "LDS"), ("const", "timed", "LDC"), ("global", "stream", "LDG.")]
)
def test_the_machine_code_is_what_was_asked_for(probe: Probe, space: str, kernel: str, opcode: str) -> None:
    found = find_disassembler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    code = probe.read_code(probe.measure(request(stride(4, space=space), counters="off"))).code
    assert isinstance(code, Code), code
    assert code.kernel == kernel
    assert all(name.startswith(opcode) for name, _ in code.opcodes)
    assert sum(count for _, count in code.opcodes) == code.asked
    assert code.registers > 0


def test_the_gpu_is_chosen_by_number_and_by_uuid(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = list_gpus()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    asked = request(stride(8), counters="off")
    for device in (None, "0", first.uuid, first.uuid[:12]):
        with Probe(device) as probe:
            assert probe.measure(asked).gpu.name == first.name
    with Probe("99") as probe, pytest.raises(GpuError, match=rf"there is no GPU 99, .*{first.uuid}") as caught:
        probe.measure(asked)
    assert caught.value.kind == "no_gpu"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", first.uuid)
    for device in ("0", first.uuid):
        with Probe(device) as probe:
            assert probe.measure(asked).gpu.name == first.name


def test_a_later_request_leaves_the_worker_alive(probe: Probe) -> None:
    probe.measure(request(stride(8), counters="off"))
    worker = _worker_of(probe)
    begin = time.monotonic()
    with pytest.raises(GpuError) as caught:
        probe.measure_each(
            [request(stride(4 * step), counters="off") for step in range(1, 1000)],
            wanted=lambda: time.monotonic() < begin + 0.3,
        )
    assert caught.value.kind == "cancelled"
    probe.measure(request(stride(8), counters="off"))
    assert _worker_of(probe) == worker


def test_a_worker_killed_in_the_middle_is_replaced(probe: Probe) -> None:
    probe.measure(request(stride(8), counters="off"))
    threading.Timer(0.5, os.kill, (_worker_of(probe), signal.SIGKILL)).start()
    hangs = table_fragment(stride(4)).replace("return 4294967295u >> w.lane & 1;", HANGS)
    with pytest.raises(GpuError, match="ended by signal 9"):
        probe.measure(replace(request(stride(4)), source=hangs))
    assert probe.measure(request(stride(8), counters="off")).wavefronts is not None


def _worker_of(probe: Probe) -> int:
    """Its process id."""
    link = probe._owner._link
    assert link is not None
    return link.process.pid


def _need_ncu() -> None:
    try:
        find_ncu()
    except GpuError as error:
        pytest.skip(error.sentence)
