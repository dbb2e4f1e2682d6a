"""Nsight Compute: what is asked, and how its answer and its complaints are read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.gpu.conftest import Complaining
from tests.gpu.samples import stride
from warpviz.gpu import Counts, FrozenAccess, GpuError, Unavailable, gpu_present
from warpviz.gpu.counters.complaints import why_not, without_unknown
from warpviz.gpu.counters.count import count, metrics, once, per_access
from warpviz.gpu.counters.counting import LONG_TURNS, SHORT_TURNS, turns_to_launch
from warpviz.gpu.counters.heard import read_rows
from warpviz.gpu.counters.ncu import find_ncu, tool_name
from warpviz.gpu.kernels import Source
from warpviz.model.cost import predict
from warpviz.model.metrics import instructions

REQUESTS, SECTORS, LINES = (
    f"l1tex__t_{what}_pipe_lsu_mem_global_op_ld.sum" for what in ("requests", "sectors", "set_accesses")
)
HEADER = ["ID", "Process ID", "Kernel Name", "Block Size", "Grid Size", "CC", REQUESTS, SECTORS]
UNITS = ["", "", "", "", "", "", "", "sector"]
FIRST = ["0", "4711", "accesses", "(32, 1, 1)", "(1, 1, 1)", "9.0", "16", "512"]
SECOND = ["1", "4711", "accesses", "(32, 1, 1)", "(1, 1, 1)", "9.0", "48", "1,536"]
TABLE = "\n".join(",".join(f'"{cell}"' for cell in row) for row in (HEADER, UNITS, FIRST, SECOND))
OUTPUT = f"""==PROF== Connected to process 4711 (/usr/bin/python3.12)
==PROF== Profiling "accesses": 0%....50%....100% - 1 pass
==PROF== Profiling "accesses": 0%....50%....100% - 1 pass
==PROF== Disconnected from process 4711
{TABLE}
"""
TOOL = "Nsight Compute 2025.3.1.0"

EVERY_KIND = [
    *(stride(width, op=op, width=width) for op in ("ld", "st") for width in (1, 4, 8, 16)),
    *(stride(12 * width, op=op, width=width) for op in ("atom", "red") for width in (4, 8)),
    *(stride(48, op="ldmatrix", width=16, matrices=matrices) for matrices in (1, 2, 4)),
    *(stride(96, space="global", op=op) for op in ("ld", "st", "atom", "red")),
    *(stride(step, space="const", width=width) for step, width in ((4, 4), (256, 4), (16, 16))),
    FrozenAccess("const", "ld", 4, None, (0, 4, *(None,) * 29, 4096)),
]


def counted(patterns: list[FrozenAccess], timeout_s: float = 60) -> list[Counts | Unavailable]:
    return count(patterns, timeout_s=timeout_s, started=lambda process: None)


def test_the_counts_of_an_access_are_those_of_a_long_launch_less_what_a_launch_costs_once() -> None:
    short, long = read_rows(OUTPUT)
    assert short == {REQUESTS: 16, SECTORS: 512}
    assert once(short, long) == {REQUESTS: 0, SECTORS: 0}
    told = per_access(stride(128, space="global"), once(short, long), long, TOOL)
    assert told == Counts(TOOL, requests=1, sectors=32)
    assert once({REQUESTS: 16 + 35}, {REQUESTS: 48 + 35}) == {REQUESTS: 35}


def test_a_metric_without_a_value_does_not_spoil_the_others() -> None:
    short, long = read_rows(OUTPUT.replace('"1,536"', '"n/a"'))
    pattern = stride(128, space="global")
    assert per_access(pattern, once(short, long), long, TOOL) == Counts(TOOL, requests=1)
    assert per_access(pattern, {}, {}, TOOL) == Unavailable(f"{TOOL} gives no value for {REQUESTS} on this GPU")


@pytest.mark.parametrize("text", ["", "==PROF== Disconnected\n", '"ID","Process ID"\n'])
def test_an_answer_without_launches_has_no_rows(text: str) -> None:
    assert read_rows(text) == []


@pytest.mark.parametrize(
    ("op", "width", "matrices", "counted_as", "executed"),
    [
        ("ld", 4, None, "ld", "shared_ld"),
        ("st", 4, None, "st", "shared_st"),
        ("atom", 4, None, "atom", "shared_atom"),
        ("red", 4, None, "atom", "shared_atom"),
        ("ldmatrix", 16, 4, "ld", "ldsm"),
    ],
)
def test_shared_counters_sort_by_kind_of_instruction(
    op: str, width: int, matrices: int | None, counted_as: str, executed: str
) -> None:
    names = metrics(stride(16, op=op, width=width, matrices=matrices))
    assert names == {
        "wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{counted_as}.sum",
        "conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{counted_as}.sum",
        "instructions": f"smsp__inst_executed_op_{executed}.sum",
    }


def test_what_a_launch_costs_once_is_measured_once_for_each_kernel() -> None:
    known: set[Source] = set()
    launched = [turns_to_launch(stride(step), known) for step in (4, 8, 12)]
    assert launched == [(SHORT_TURNS, LONG_TURNS), (LONG_TURNS,), (LONG_TURNS,)]
    assert turns_to_launch(stride(8, width=8), known) == (SHORT_TURNS, LONG_TURNS)


def test_in_constant_memory_it_depends_on_the_addresses() -> None:
    known: set[Source] = set()
    launched = [turns_to_launch(stride(step, space="const"), known) for step in (4, 8)]
    assert launched == [(SHORT_TURNS, LONG_TURNS)] * 2


@pytest.mark.usefixtures("counting_ncu")
def test_many_patterns_are_counted_in_one_run_and_in_their_order() -> None:
    stages: list[str] = []
    started: list[subprocess.Popen[bytes]] = []
    told = count(EVERY_KIND, timeout_s=60, started=started.append, told=stages.append)
    assert len(started) == 1
    total = len(EVERY_KIND)
    assert stages == [f"counting {i} of {total} with Nsight Compute" for i in range(1, total + 1)]
    for pattern, counts in zip(EVERY_KIND, told, strict=True):
        cost = predict(pattern.access())
        assert isinstance(counts, Counts)
        assert counts.tool == TOOL
        assert counts.instructions == instructions(pattern.space, pattern.width)
        for quantity in ("requests", "sectors", "lines", "wavefronts", "conflicts"):
            predicted = getattr(cost, quantity)
            assert getattr(counts, quantity) == (None if predicted is None else predicted[0])


@pytest.mark.usefixtures("counting_ncu")
def test_what_does_not_fit_is_refused_and_the_others_are_counted() -> None:
    far = stride(8192)
    nothing = FrozenAccess("shared", "ld", 4, None, (None,) * 32)
    told = counted([far, stride(8), nothing, stride(4)])
    assert [isinstance(counts, Counts) for counts in told] == [False, True, False, True]
    assert isinstance(told[0], Unavailable)
    assert "232,448" in told[0].reason


@pytest.mark.usefixtures("counting_ncu")
def test_unknown_metrics_do_not_spoil_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    executed = "smsp__inst_executed_op_global_ld.sum"
    monkeypatch.setenv("FAKE_NCU_UNKNOWN", f"{LINES},{executed}")
    assert counted([stride(128, space="global")]) == [Counts(TOOL, requests=1, sectors=32)]


@pytest.mark.usefixtures("counting_ncu")
def test_metrics_of_which_none_is_known_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = stride(4, space="const")
    monkeypatch.setenv("FAKE_NCU_UNKNOWN", ",".join(metrics(pattern).values()))
    with pytest.raises(GpuError, match=r"knows no metric smsp__inst_executed_op_ldc\.sum") as caught:
        counted([pattern])
    assert caught.value.kind == "no_counters"


@pytest.mark.usefixtures("counting_ncu")
def test_a_metric_without_values_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NCU_NO_VALUE", SECTORS)
    assert counted([stride(128, space="global")]) == [Counts(TOOL, requests=1, lines=32, instructions=1)]


@pytest.mark.parametrize(
    ("named", "left"),
    [
        ("idc__requests.sum", ["l1tex__t_sectors.sum"]),
        (r"regex:^idc__requests\.(sum|min|max|avg|pct|ratio|max_rate)$", ["l1tex__t_sectors.sum"]),
        ("other__metric.sum", ["idc__requests.sum", "l1tex__t_sectors.sum"]),
    ],
)
def test_unknown_metrics_are_found_by_name(named: str, left: list[str]) -> None:
    text = f"==ERROR== Failed to find metric {named}\n"
    assert without_unknown(text, ["idc__requests.sum", "l1tex__t_sectors.sum"]) == left


# What Nsight Compute really writes, and words of what is made of it.
COMPLAINTS = [
    (
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on "
        "the target device 0. For instructions on enabling permissions and to get more information see "
        "https://developer.nvidia.com/ERR_NVGPUCTRPERM\n==WARNING== No kernels were profiled.",
        "NVreg_RestrictProfilingToAdminUsers=0",
    ),
    (
        "==ERROR== An error was reported by the driver:\n==ERROR== Profiling failed because a driver resource was "
        "unavailable. Ensure that no other tool (like DCGM) is concurrently collecting profiling data. See "
        "https://docs.nvidia.com/nsight-compute/ProfilingGuide/index.html#faq for more details.\n==ERROR== Failed to "
        'profile "accesses" in process 7\n==WARNING== No kernels were profiled.',
        "dcgmi profile --pause",
    ),
    (
        "==ERROR== An error was reported by the driver:\n==ERROR== Cuda driver is not compatible with Nsight Compute.\n"
        "==PROF== Connected to process 7\n==ERROR== The application returned an error code (11).",
        "update the driver",
    ),
    ("==WARNING== Failed to load Nsight Compute CUDA modules.", "update the driver"),
    (
        "==ERROR== Profiling is not supported on device 0. To find out supported GPUs refer --list-chips option.\n"
        "==WARNING== No kernels were profiled.",
        "ncu --list-chips",
    ),
    (
        "==ERROR== Profiling is not supported on device 0 as it uses the Windows Subsystem for Linux (WSL).",
        "Windows 11",
    ),
    ("==ERROR== Profiling is not supported on this device because it is a vGPU.", "enable_profiling=1"),
    (
        "==ERROR== An error was reported by the counter measurement library:\n==ERROR== Failed to initialize the "
        "profiler: LibraryNotLoaded. Check that a compatible driver library is loaded.\n==ERROR== The application "
        "returned an error code (9).",
        "NVIDIA_DRIVER_CAPABILITIES",
    ),
    (
        "==ERROR== Failed to prepare kernel for profiling\n==ERROR== Unknown Error on device 0.\n==ERROR== Failed to "
        'profile "accesses" in process 7\n==ERROR== The application returned an error code (9).',
        "Unknown error on device",
    ),
    ("==ERROR== Failed to open/create lock file /tmp/nsight-compute-lock\nInterprocessLockFailed", "TMPDIR"),
    ("==ERROR== unrecognised option '--print-units'. Use --help for more details.", "too old"),
    (
        "ERROR : nsight-compute directory is not found under /usr/local/cuda/bin/../ or /opt/nvidia. Nsight Compute is "
        "not installed on your system.",
        "finds no Nsight Compute behind it",
    ),
    ("==ERROR== Failed to find metric idc__requests.sum", "knows no metric idc__requests.sum"),
    ("==ERROR== The application returned an error code (11).", "ended with exit code 11"),
    ("==PROF== Disconnected from process 7\n==WARNING== No kernels were profiled.", "saw no kernel"),
    ("==ERROR== Something new is wrong.\n==ERROR== The application returned an error code (1).", "Something new is"),
    ("Segmentation fault\n", "Segmentation fault"),
    ("", "it gives no reason"),
]


@pytest.mark.parametrize(("text", "words"), COMPLAINTS, ids=[words for _, words in COMPLAINTS])
def test_a_complaint_becomes_one_sentence(text: str, words: str) -> None:
    sentence = why_not(text)
    assert words in sentence
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_an_endless_complaint_is_cut() -> None:
    assert len(why_not("==ERROR== " + "word " * 1000)) < 300


@pytest.mark.parametrize(("text", "words"), COMPLAINTS, ids=[words for _, words in COMPLAINTS])
def test_whatever_ncu_complains_of_is_told(complaining_ncu: Complaining, text: str, words: str) -> None:
    complaining_ncu(text)
    with pytest.raises(GpuError) as caught:
        counted([stride(4, space="global")])
    assert (caught.value.kind, words in caught.value.sentence) == ("no_counters", True)


def test_what_it_prints_instead_is_told_too(complaining_ncu: Complaining) -> None:
    complaining_ncu(printed="Nsight Compute is not installed on your system.\n")
    with pytest.raises(GpuError, match="finds no Nsight Compute behind it"):
        counted([stride(4)])


def test_an_error_of_the_counted_process_is_passed_on(complaining_ncu: Complaining) -> None:
    said = '{"error": {"kind": "no_gpu", "sentence": "the GPU is gone"}}\n'
    complaining_ncu("==ERROR== The application returned an error code (1).", printed=said)
    with pytest.raises(GpuError, match="the GPU is gone") as caught:
        counted([stride(4)])
    assert caught.value.kind == "no_gpu"
    complaining_ncu("==ERROR== Cuda driver is not compatible with Nsight Compute.", printed=said)
    with pytest.raises(GpuError, match="does not go with the NVIDIA driver"):
        counted([stride(4)])


def test_without_ncu_the_sentence_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("warpviz.gpu.counters.ncu.find_program", lambda name: None)
    monkeypatch.setattr("warpviz.gpu.counters.ncu._INSTALLED", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GpuError, match="the CUDA toolkit brings it") as caught:
        find_ncu()
    assert caught.value.kind == "no_counters"
    (tmp_path / "ncu").write_text("")
    with pytest.raises(GpuError, match=r"ncu may not be executed: chmod a\+x"):
        find_ncu()


def test_of_several_installed_ones_the_newest_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("warpviz.gpu.counters.ncu.find_program", lambda name: None)
    monkeypatch.setattr("warpviz.gpu.counters.ncu._INSTALLED", tmp_path)
    for version in ("2024.3.2", "2025.10.0", "2025.3.1"):
        ncu = tmp_path / version / "ncu"
        ncu.parent.mkdir()
        ncu.write_text("#!/bin/sh\n")
        ncu.chmod(0o755 if version != "2025.10.0" else 0o644)
    assert find_ncu() == str(tmp_path / "2025.3.1" / "ncu")


def test_the_version_is_read(counting_ncu: str) -> None:
    assert tool_name(counting_ncu) == TOOL
    assert tool_name("/no/such/ncu") == "Nsight Compute"


def test_an_ncu_that_is_no_program_is_one_sentence(counting_ncu: str) -> None:
    Path(counting_ncu).write_text("#!/no/such/interpreter\n")
    with pytest.raises(GpuError, match="Nsight Compute does not start") as caught:
        counted([stride(4)])
    assert caught.value.kind == "no_counters"


def test_an_ncu_that_never_ends_is_stopped(hanging_ncu: str) -> None:
    with pytest.raises(GpuError, match=r"not done within 0\.5 s") as caught:
        count([stride(4, space="global")], timeout_s=0.5, started=lambda process: None)
    assert caught.value.kind == "timed_out"


def test_an_ncu_that_is_killed_is_one_sentence(killed_ncu: str) -> None:
    with pytest.raises(GpuError, match="ended by signal 9") as caught:
        counted([stride(4)])
    assert caught.value.kind == "no_counters"


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine")
def test_the_hardware_counts_every_kind_as_predicted() -> None:
    for pattern, counts in zip(EVERY_KIND, counted(EVERY_KIND, timeout_s=300), strict=True):
        cost = predict(pattern.access())
        assert isinstance(counts, Counts), counts
        assert counts.instructions == instructions(pattern.space, pattern.width), pattern
        for quantity in ("requests", "sectors", "lines", "wavefronts", "conflicts"):
            predicted = getattr(cost, quantity)
            assert getattr(counts, quantity) == (None if predicted is None else predicted[0]), (quantity, pattern)
