"""A user's kernel launched through a worker over the fake driver: what goes in and comes back, and what goes wrong."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.gpu.samples import CONDITIONS, H200
from tests.gpu.test_faults import fake, machine  # noqa: F401  fixtures
from warpviz.gpu import GpuError, Probe, Unavailable
from warpviz.gpu.code.disassembler import find_disassembler
from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.kernels import Source
from warpviz.gpu.launching.counts import LaunchCounts, LineCounts, by_line
from warpviz.gpu.launching.measurement import LaunchMeasurement, Occupancy, Timing
from warpviz.gpu.launching.metrics import metric_names
from warpviz.gpu.launching.request import ArrayFile, LaunchRequest

SOURCE = Source(
    "add.cu",
    '#include "one.h"\nextern "C" __global__ void add(int n, unsigned char* a, unsigned char* b) { a[n] += ONE; }',
    (("one.h", "#define ONE 1\n"),),
    options=("-lineinfo",),
)
OFFSET = 8  # of the pointer to a


def arrays(folder: Path, *sizes: int) -> tuple[ArrayFile, ...]:
    """a and b, whose bytes are 5, 6, 7, …"""
    made = []
    for place, size in enumerate(sizes):
        given = folder / f"{place}.given"
        given.write_bytes(bytes((5 + i) % 256 for i in range(size)))
        made.append(ArrayFile("ab"[place], size, OFFSET * (1 + place), given, folder / f"{place}.result"))
    return tuple(made)


@pytest.fixture
def request_(tmp_path: Path) -> LaunchRequest:
    parameters = (3).to_bytes(4, "little").ljust(24, b"\0")
    return LaunchRequest(
        "add", "add", SOURCE, (2, 1, 1), (64, 2, 1), 0, parameters, arrays(tmp_path, 100, 3), ("counter", "no such")
    )


@pytest.fixture
def probe(machine: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Probe]:  # noqa: F811
    machine.setenv("FAKE_ARRAY", str(OFFSET))
    machine.setenv("FAKE_NOTES", str(tmp_path / "notes"))
    with Probe() as probe:
        yield probe


def found_by_launches(folder: Path) -> list[str]:
    """The first byte of a and the variable, as each launch found them."""
    return (folder / "notes").read_text().splitlines()


def test_arrays_go_in_and_come_back_as_the_first_launch_leaves_them(
    probe: Probe, request_: LaunchRequest, tmp_path: Path
) -> None:
    stages: list[str] = []
    launched = probe.launch(request_, counters="off", progress=stages.append)
    a, b = (array.result.read_bytes() for array in request_.arrays)
    assert list(a) == [6, *(5 + i for i in range(1, 100))]
    assert list(b) == [5, 6, 7]
    assert stages[1:] == [
        "compiling for the GPU",
        "copying the arrays",
        "running add on the GPU",
        "copying the arrays back",
        "timing",
    ]
    assert launched.counters == Unavailable("the hardware counters were not asked for")


def test_every_run_finds_what_the_first_one_found(probe: Probe, request_: LaunchRequest, tmp_path: Path) -> None:
    launched = probe.launch(replace(request_, repeats=4), counters="off")
    assert found_by_launches(tmp_path) == ["5 7"] * 5
    assert launched.timing == Timing(0.00025, 0.0, 4, ("a",))


def test_what_the_kernel_takes_is_told(probe: Probe, request_: LaunchRequest) -> None:
    launched = probe.launch(request_, counters="off")
    assert launched.resources == Resources(24, 0, 0)
    assert launched.occupancy == Occupancy(16, 64, 64)
    assert launched.gpu.name == "Fake GPU 0"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shared_bytes": 300_000}, "a block of add has 300,000 bytes of shared memory; 232,448 are the most"),
        ({"block": (1025, 1, 1)}, r"has 1,025 threads; with 24 registers a thread 1,024 are the most .* makes it fit"),
        ({"size": 1 << 31}, "the arrays of add take 2,147,483,651 bytes; 916,455,424 can be used on this GPU now"),
        ({"given": Path("/none/there")}, "the contents of a cannot be read from /none/there"),
        ({"result": Path("/none/there")}, "what a holds cannot be written to /none/there: No such file or directory"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_worker_stays(
    probe: Probe, request_: LaunchRequest, changes: dict[str, object], words: str
) -> None:
    probe.launch(request_, counters="off")
    changed = {name: value for name, value in changes.items() if name in ("shared_bytes", "block")}
    of_array = {name: value for name, value in changes.items() if name not in changed}
    first, second = request_.arrays
    bad = replace(request_, arrays=(replace(first, **of_array), second), **changed)  # type: ignore[arg-type]
    stages: list[str] = []
    with pytest.raises(GpuError, match=words) as caught:
        probe.launch(bad, counters="off", progress=stages.append)
    assert caught.value.kind == "refused"
    assert "\n" not in caught.value.sentence
    probe.launch(request_, counters="off", progress=stages.append)
    assert "starting the GPU" not in stages


@pytest.mark.parametrize(
    ("failing", "kind", "words"),
    [
        (
            "cuStreamSynchronize=700",
            "failed",
            "add fails on the GPU: a thread reads or writes at an address that holds",
        ),
        ("cuMemcpyDtoH=716", "failed", "add fails on the GPU: .* no multiple of the access's width"),
        ("cuLaunchKernel=1", "failed", "the GPU fails in cuLaunchKernel"),
        ("cuMemAlloc=2", "failed", "the GPU's memory is full"),
    ],
)
def test_a_kernel_that_fails_leaves_a_probe_that_works(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
    failing: str,
    kind: str,
    words: str,
) -> None:
    machine.setenv("FAKE_FAIL", failing)
    with pytest.raises(GpuError, match=words) as caught:
        probe.launch(replace(request_, variables=()), counters="off")
    assert caught.value.kind == kind
    machine.delenv("FAKE_FAIL")
    assert probe.launch(request_, counters="off").timing.repeats == 10


def test_a_kernel_that_never_ends_is_stopped(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
) -> None:
    probe.launch(request_, counters="off")
    probe.close()
    machine.setenv("FAKE_HANG", "1")
    with pytest.raises(GpuError, match=r"\(running add on the GPU\): the measurement was stopped after 3 s") as caught:
        probe.launch(replace(request_, variables=()), counters="off", timeout_s=3)
    assert caught.value.kind == "timed_out"
    machine.delenv("FAKE_HANG")
    assert probe.launch(request_, counters="off").timing.repeats == 10


def test_without_nsight_compute_the_rest_is_measured(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
    tmp_path: Path,
) -> None:
    if shutil.which("ncu"):
        pytest.skip("Nsight Compute is on this machine")
    counters = probe.launch(request_).counters
    assert isinstance(counters, Unavailable)
    assert "Nsight Compute (ncu)" in counters.reason
    before = len(found_by_launches(tmp_path))
    with pytest.raises(GpuError) as caught:
        probe.launch(request_, counters="require")
    assert caught.value.kind == "no_counters"
    assert len(found_by_launches(tmp_path)) == before, "nothing is measured in vain"


@pytest.mark.usefixtures("counting_ncu")
def test_counters_come_from_one_more_launch(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
    tmp_path: Path,
) -> None:
    if isinstance(find_disassembler(), Unavailable):
        pytest.skip("nvdisasm is not on this machine")
    machine.setenv("FAKE_NCU_UNKNOWN", "smsp__inst_executed_op_shared_stsm.sum")
    stages: list[str] = []
    counters = probe.launch(request_, counters="require", progress=stages.append).counters
    assert isinstance(counters, LaunchCounts)
    assert found_by_launches(tmp_path)[-1] == "5 7"
    assert stages[-1] == "counting add with Nsight Compute"
    assert counters.tool == "Nsight Compute 2025.3.1.0"
    assert counters.metrics.keys() == {*metric_names()} - {"smsp__inst_executed_op_shared_stsm.sum"}
    assert isinstance(counters.lines, tuple)
    assert by_line(counters.lines) == tuple(LineCounts(2, 0, op, "global", 1, 32, sectors=32) for op in ("ld", "st"))
    assert counters.lines[0].ptx_line > 0
    assert counters.counters["global_st"] == {"requests": 1024, "sectors": 1024}
    assert counters.counters["shared_ld"] == {"instructions": 2048, "wavefronts": 2048}, "the lines have none"
    assert counters.counters["shared_st"]["instructions"] == 1024, "a GPU without stmatrix executes none"


@pytest.mark.usefixtures("counting_ncu")
def test_without_a_disassembler_the_counters_are_there_but_not_by_line(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
) -> None:
    machine.setattr("warpviz.gpu.counters.launched.find_disassembler", lambda: Unavailable("no nvdisasm"))
    counters = probe.launch(request_).counters
    assert isinstance(counters, LaunchCounts)
    assert counters.lines == Unavailable("no nvdisasm")
    assert counters.counters["local_st"] == {"requests": 1024, "sectors": 1024}


@pytest.mark.usefixtures("counting_ncu")
def test_a_kernel_that_fails_while_it_is_counted_is_told(
    probe: Probe,
    machine: pytest.MonkeyPatch,  # noqa: F811
    request_: LaunchRequest,
) -> None:
    probe.launch(request_, counters="off")  # the worker is up before the driver begins to fail
    machine.setenv("FAKE_FAIL", "cuStreamSynchronize=716")
    with pytest.raises(GpuError, match="add fails on the GPU: a thread reads or writes at an address that is no mult"):
        probe.launch(replace(request_, variables=()), counters="require")
    assert probe.launch(request_, counters="off").timing.repeats == 10, "the worker is not harmed"


@pytest.mark.usefixtures("hanging_ncu")
def test_counting_that_takes_too_long_does_not_spoil_the_rest(probe: Probe, request_: LaunchRequest) -> None:
    counters = probe.launch(request_, timeout_s=5).counters
    assert counters == Unavailable("Nsight Compute was not done within 5 s and was stopped")


def test_requests_and_measurements_survive_json(request_: LaunchRequest) -> None:
    assert LaunchRequest.from_json(request_.to_json()) == request_
    lines = (
        LineCounts(6, 0, "ld", "global", 4, 32, sectors=128),
        LineCounts(7, 0, "st", "shared", 4, 32, None, 32, 32),
    )
    counted = LaunchCounts("Nsight Compute", {"inst_executed": 320}, lines)
    made = LaunchMeasurement(
        H200, "2026-12-01T00:00:00+00:00", Timing(1e-5, 0.1, 10, ("a",)), Resources(16, 0, 0), Occupancy(8, 32, 64),
        CONDITIONS, counted,
    )  # fmt: skip
    for measurement in (
        made,
        replace(made, counters=Unavailable("none")),
        replace(made, conditions=Unavailable("none"), counters=replace(counted, lines=Unavailable("no lines"))),
    ):
        assert LaunchMeasurement.from_json(measurement.to_json()) == measurement


def test_a_worker_that_answers_something_else_is_told_of(request_: LaunchRequest) -> None:
    babbling = 'import sys\nfor line in sys.stdin: print(\'{"started": 1, "launched": {}}\', flush=True)'
    with Probe(command=[sys.executable, "-c", babbling]) as probe, pytest.raises(GpuError, match="what is no measure"):
        probe.launch(request_, counters="off")
