"""Nsight Compute: what is asked, and how its answer and its complaints are read."""

from __future__ import annotations

import pytest

from tests.gpu.samples import stride
from warpviz.gpu import Counts, GpuError, Unavailable
from warpviz.gpu.counters import count, find_ncu, metrics, per_access, read_rows, why_not

SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
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


def test_the_counts_of_an_access_are_the_difference_of_two_launches() -> None:
    short, long = read_rows(OUTPUT)
    assert short == {REQUESTS: 16, SECTORS: 512}
    counted = per_access(stride(128, space="global"), short, long, "Nsight Compute")
    assert counted == Counts("Nsight Compute", requests=1, sectors=32)


def test_a_metric_without_a_value_is_named() -> None:
    short, long = read_rows(OUTPUT.replace('"1,536"', '"n/a"'))
    counted = per_access(stride(128, space="global"), short, long, "Nsight Compute")
    assert counted == Unavailable(f"Nsight Compute gives no value for {SECTORS} on this GPU")


@pytest.mark.parametrize("text", ["", "==PROF== Disconnected\n", '"ID","Process ID"\n'])
def test_an_answer_without_launches_has_no_rows(text: str) -> None:
    assert read_rows(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters",
            "NVreg_RestrictProfilingToAdminUsers=0",
        ),
        ("==ERROR== Failed to find metric idc__requests.sum", "knows no metric idc__requests.sum"),
        ("==ERROR== The application returned an error code (11).", "The application returned an error code (11)."),
        ("", "it gives no reason"),
    ],
)
def test_a_complaint_becomes_one_sentence(text: str, words: str) -> None:
    assert words in why_not(text)
    assert "\n" not in why_not(text)


@pytest.mark.parametrize(
    ("op", "width", "matrices", "counted_as"),
    [
        ("ld", 4, None, "ld"),
        ("st", 4, None, "st"),
        ("atom", 4, None, "atom"),
        ("red", 4, None, "atom"),
        ("ldmatrix", 16, 4, "ld"),
    ],
)
def test_shared_counters_sort_by_kind_of_instruction(
    op: str, width: int, matrices: int | None, counted_as: str
) -> None:
    names = metrics(stride(16, op=op, width=width, matrices=matrices))
    assert names == {
        "wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{counted_as}.sum",
        "conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{counted_as}.sum",
    }


def test_without_ncu_the_sentence_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("warpviz.gpu.counters._USUAL_PLACES", ())
    with pytest.raises(GpuError, match="the CUDA toolkit brings it") as caught:
        find_ncu()
    assert caught.value.kind == "no_counters"


def test_a_tool_that_only_complains_is_quoted(monkeypatch: pytest.MonkeyPatch, fake_ncu: str) -> None:
    with pytest.raises(GpuError, match="no kernel was profiled") as caught:
        count([stride(4, space="global")], timeout_s=20, started=lambda process: None)
    assert caught.value.kind == "no_counters"


def test_a_tool_that_never_ends_is_stopped(hanging_ncu: str) -> None:
    with pytest.raises(GpuError, match=r"not done within 0\.5 s") as caught:
        count([stride(4, space="global")], timeout_s=0.5, started=lambda process: None)
    assert caught.value.kind == "timed_out"
