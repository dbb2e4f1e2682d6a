"""`warpviz sweep`: with a GPU for real, without one on recorded measurements."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.gpu.samples import measurement, slope
from warpviz.gpu import (
    Bandwidth,
    GpuError,
    Measurement,
    ProbeRequest,
    Unavailable,
    find_recorded,
    gpu_present,
)


class RecordedProbe:
    """Answers with what an H200 showed once, and refuses what is not recorded."""

    def __init__(self, device: str | None = None) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def read_code(self, measurement: Measurement) -> Measurement:
        return measurement

    def measure_each(
        self, requests: Sequence[ProbeRequest], *, progress: Callable[[str], None]
    ) -> list[Measurement | GpuError]:
        progress("1 of 3: timing")
        return [self.answer(request) for request in requests]

    def answer(self, request: ProbeRequest) -> Measurement | GpuError:
        found = find_recorded(request.access.access())
        return GpuError("refused", "it does not fit") if found is None else replace(found, origin="measured")


@pytest.fixture
def h200(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.cli.sweep.Probe", RecordedProbe)
    monkeypatch.setattr("warpviz.cli.sweep.gpu_present", lambda: True)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def dots_of(file: Path) -> int:
    return sum(element.get("class") == "measured" for element in ElementTree.parse(file).iter())


def test_text_is_a_table_with_bars(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_ASCII", "1")
    answer = run("sweep", "s[lane*k/(k-3)]", "--decl", "__shared__ int s[4096];", "--over", "k=2..5", "--set", "j=1")
    assert answer.code == 0
    division = "expression, column 11, lane 0: division by zero; keep the lane out of it with ?: or --where"
    assert answer.out.splitlines() == [
        "s[lane*k/(k-3)]   shared int ld, 4 bytes a lane, sm_90",
        "  k  wavefronts  ideal",
        "  2           2      1  ##",
        f"  3                     {division}",
        "  4           4      1  ####",
        "  5           2      1  ##",
    ]
    assert answer.err.splitlines() == [
        "warpviz: warning: --set j: the name stands nowhere",
        "warpviz: warning: k=2: expression, column 3, lane 1: index -2 is outside 0..4095 of s (31 lanes)",
    ]


def test_bars_fit_when_costs_are_large(run: Run) -> None:
    answer = run("sweep", "c[lane % n]", "--decl", "__constant__ double c[64];", "--over", "n=31..32")
    bars = [line.split()[-1] for line in answer.out.splitlines()[2:4]]
    assert set(map(len, bars)) <= set(range(1, 33))
    assert len(bars[1]) == 32


def test_the_width_is_a_knob(run: Run) -> None:
    told = run("sweep", "s[lane]", "--over", "width=1..16", "--json").objects
    assert [(t["set"], t["width"], t["wavefronts"], t["ideal_wavefronts"]) for t in told] == [
        ({"width": width}, width, passes, passes)
        for width, passes in zip((1, 2, 4, 8, 16), (1, 1, 1, 2, 4), strict=True)
    ]
    scene = run("sweep", "stride", "--over", "width=4..8", "--set", "k=1", "--json").objects
    assert [(t["set"], t["wavefronts"]) for t in scene] == [({"k": 1, "width": 4}, 1), ({"k": 1, "width": 8}, 2)]


def test_json_is_that_of_predict(run: Run) -> None:
    told = run("sweep", "s[k*lane + o]", "--over", "k=7..8", "--set", "o=1", "--json").objects
    predicted = run("predict", "s[k*lane + o]", "--set", "k=7..8", "--set", "o=1", "--json").objects
    assert [t | {"set": dict(sorted(t["set"].items()))} for t in told] == predicted
    fine, gap = run("sweep", "s[lane/k]", "--over", "k=-1..0", "--json").objects
    assert "division by zero" in gap.pop("error")
    assert gap.keys() == fine.keys()
    assert {key for key, value in gap.items() if value is not None} == {"expression", "set", "arch"}


def test_csv_reads_back(run: Run) -> None:
    rows = rows_of(run("sweep", "s[lane/(k-3)]", "--over", "k=2..4", "--csv").out)
    assert [(row["k"], row["unit"], row["predicted"], row["ideal"]) for row in rows] == [
        ("2", "wavefronts", "1", "1"),
        ("3", "wavefronts", "", ""),
        ("4", "wavefronts", "1", "1"),
    ]
    assert [bool(row["error"]) for row in rows] == [False, True, False]
    scene = rows_of(run("sweep", "tile-padding", "--over", "pad=0..2", "--csv").out)
    assert [(row["access"], row["pad"], row["predicted"]) for row in scene] == [
        *(("column load", str(pad), passes) for pad, passes in enumerate(["32", "1", "2"])),
        *(("row store", str(pad), "1") for pad in range(3)),
    ]


def test_a_scene_s_knob_has_its_own_steps(run: Run) -> None:
    rows = rows_of(run("sweep", "ldmatrix", "--over", "pad=0..16", "--csv").out)
    assert [row["pad"] for row in rows] == ["0", "8", "16"]


@pytest.mark.usefixtures("h200")
def test_measured_beside_predicted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stride.svg"
    answer = run("sweep", "s[k*lane]", "--over", "k=0..64", "--measure", "--svg", str(file))
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[1].split() == ["k", "wavefronts", "ideal", "measured", "verdict"]
    assert lines[10].split()[:3] == ["8", "8", "1"]
    assert all(line.endswith(" equal") for line in lines[2:67])
    assert lines[-1].startswith("  measured on NVIDIA H200 (sm_90, driver 580.159.04, NVRTC 13.0), 2026-")
    assert dots_of(file) == 65


TIMED = Bandwidth(10**9, 2 * 10**9, 0.001, 0.03, 7, 4000.0, 0.01)
IN_TIME = {"GB/s useful": "1000", "GB/s moved": "2000", "% of a copy": "50.0", "± %": "1.5", "SM MHz": "1980"}


class TimedProbe(RecordedProbe):
    """Every access of global memory has the same bandwidth, but where lanes lie more than 64 bytes apart."""

    def answer(self, request: ProbeRequest) -> Measurement | GpuError:
        far = (request.access.addresses[1] or 0) > 64
        bandwidth = Unavailable("too far apart") if far else TIMED
        in_global = request.access.space == "global"
        return measurement(
            request.access, wavefronts=None if in_global else slope(8), bandwidth=bandwidth if in_global else None
        )


def test_global_memory_has_its_bandwidth_beside_the_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.cli.sweep.Probe", TimedProbe)
    monkeypatch.setattr("warpviz.cli.sweep.gpu_present", lambda: True)
    strides = ("sweep", "in[k*lane]", "--space", "global", "--op", "st", "--over", "k=1..32", "--measure")
    near, *_, far = rows_of(run(*strides, "--csv").out)
    assert {heading: near[heading] for heading in IN_TIME} == IN_TIME
    assert {heading: far[heading] for heading in IN_TIME} == dict.fromkeys(IN_TIME, "")
    _, headings, first, *others = run(*strides).out.splitlines()
    assert all(heading in headings for heading in IN_TIME)
    assert " ".join(IN_TIME.values()) in " ".join(first.split())
    assert others[30].endswith("; no GB/s: too far apart")
    shared = rows_of(run("sweep", "s[k*lane]", "--over", "k=8..8", "--measure", "--csv").out)
    assert not shared[0].keys() & IN_TIME.keys()


@pytest.mark.usefixtures("h200")
def test_measured_json_is_that_of_measure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("sweep", "s[k*lane]", "--over", "k=8..8", "--measure", "--json").objects[0]
    assert told["measured"]["wavefronts"]["count"] == 8
    assert (told["verdict"]["outcome"], told["access"]) == ("equal", "")
    rows = rows_of(run("sweep", "offset", "--over", "offset=0..1", "--measure", "--csv").out)
    assert [(row["measured"], row["verdict"]) for row in rows] == [("4.0", "equal"), ("5.0", "equal")]


@pytest.mark.usefixtures("h200")
def test_what_is_refused_or_in_error_is_not_measured(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "gaps.svg"
    arguments = ("sweep", "s[(lane + 0/(k-2))*k*4999*(k > 1) + lane]", "--over", "k=1..3", "--measure")
    fine, gap, refused = run(*arguments, "--json", "--svg", str(file)).objects
    assert fine["verdict"]["outcome"] == "equal"
    assert (gap["measured"], gap["verdict"]) == (None, None)
    assert (refused["measured"], refused["verdict"]) == (None, {"outcome": "unmeasured", "sentence": "it does not fit"})
    assert dots_of(file) == 1
    assert "it does not fit" in run(*arguments).out
    assert [row["verdict"] for row in rows_of(run(*arguments, "--csv").out)] == ["equal", "", "unmeasured"]
    alone = run("sweep", "s[k*lane]", "--over", "k=5000..5001", "--measure")
    assert (alone.code, alone.out, alone.err) == (2, "", "warpviz: it does not fit\n")


@pytest.mark.parametrize(("kind", "code"), [("no_gpu", 3), ("no_counters", 3), ("failed", 1), ("cancelled", 130)])
def test_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch, kind: str, code: int) -> None:
    class FailingProbe(RecordedProbe):
        def answer(self, request: ProbeRequest) -> Measurement | GpuError:
            raise GpuError(kind, "this is why")  # type: ignore[arg-type]

    monkeypatch.setattr("warpviz.cli.sweep.Probe", FailingProbe)
    monkeypatch.setattr("warpviz.cli.sweep.gpu_present", lambda: True)
    answer = run("sweep", "s[k*lane]", "--over", "k=1..2", "--measure")
    assert (answer.code, answer.out, answer.err.strip()) == (code, "", "warpviz: this is why")


def test_control_c_ends_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(RecordedProbe):
        closed = False

        def __exit__(self, *error: object) -> None:
            Interrupted.closed = True

        def answer(self, request: ProbeRequest) -> Measurement | GpuError:
            raise KeyboardInterrupt

    monkeypatch.setattr("warpviz.cli.sweep.Probe", Interrupted)
    monkeypatch.setattr("warpviz.cli.sweep.gpu_present", lambda: True)
    answer = run("sweep", "s[k*lane]", "--over", "k=1..2", "--measure")
    assert (answer.code, answer.out) == (130, "")
    assert Interrupted.closed


@pytest.mark.skipif(gpu_present(), reason="there is a GPU here")
def test_without_a_gpu(run: Run) -> None:
    answer = run("sweep", "s[k*lane]", "--over", "k=1..2", "--measure")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err == run("measure", "s[lane]").err


def test_the_chart_without_measurements(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "float4.svg"
    assert run("sweep", "float4", "--over", "k=0..16", "--svg", str(file)).code == 0
    root = ElementTree.parse(file).getroot()
    assert sum(element.get("class") == "predicted" for element in root.iter()) == 4
    assert dots_of(file) == 0


BAD = [
    (["s[k*lane]"], "--over"),
    (["s[k*lane]", "--over", "k"], "NAME=INT"),
    (["s[k*lane]", "--over", "k=9..1"], "ends before it begins"),
    (["s[k*lane]", "--over", "k=0..4096"], "4,097 values; the limit is 4,096"),
    (["s[lane]", "--over", "k=0..2"], "k stands nowhere"),
    (["s[k*lane]", "--over", "s=0..2"], "s is an array"),
    (["s[k*lane+j]", "--over", "k=0..2"], "j has no value"),
    (["s[k*lane+j]", "--over", "k=0..2", "--set", "j=0..2"], "--set j=0..2 is a range"),
    (["s[k*lane]", "--over", "k=0..2", "--set", "k=1"], "leave out --set k"),
    (["s[lane/(k-k)]", "--over", "k=0..2"], "division by zero"),
    (["s[k*", "--over", "k=0..2"], "column"),
    (["s[lane]", "--over", "width=5..7"], "1, 2, 4, 8 or 16"),
    (["stride", "--over", "q=0..2"], "no knob q"),
    (["stride", "--over", "k=0..65"], "0 to 64"),
    (["stride", "--over", "width=4..8", "--set", "q=1"], "no knob q"),
    (["float4", "--over", "k=0..2", "--op", "st"], "--op"),
    (["nowhere.toml", "--over", "k=0..2"], "nowhere.toml"),
    (["s[k*lane]", "--over", "k=0..2", "--json", "--csv"], "--json and --csv"),
    (["s[k*lane]", "--over", "k=0..2", "--svg", "/no/such/folder/x.svg"], "--svg"),
    (["s[k*lane]", "--over", "k=0..2", "--svg", "/"], "--svg"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=lambda value: " ".join(value)[:40])
def test_bad_input_is_one_sentence_and_exit_code_2(run: Run, arguments: list[str], named: str) -> None:
    answer = run("sweep", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err
    assert answer.err.startswith("warpviz: ")
    assert "Traceback" not in answer.err


def test_a_user_s_text_does_no_harm_in_the_chart(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "harm.svg"
    expression = "s[k*lane + 0*(lane < 3 && k > 1) /* </title><script>x()</script> */]"
    assert run("sweep", expression, "--over", "k=0..2", "--svg", str(file)).code == 0
    root = ElementTree.parse(file).getroot()
    assert not any(element.tag.endswith("script") for element in root.iter())
    assert any(element.text == expression for element in root.iter())


def test_help_has_examples(run: Run) -> None:
    assert "warpviz sweep 's[k*lane]' --over k=0..64" in run("sweep", "--help").out


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine")
def test_a_sweep_is_measured_as_predicted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stride.svg"
    answer = run("sweep", "s[k*lane]", "--over", "k=0..64", "--measure", "--json", "--svg", str(file))
    assert answer.code == 0, answer.err
    assert [told["verdict"]["outcome"] for told in answer.objects] == ["equal"] * 65
    assert dots_of(file) == 65
    widths = run("sweep", "s[lane]", "--over", "width=1..16", "--measure", "--json").objects
    assert [told["measured"]["wavefronts"]["count"] for told in widths] == [1, 1, 1, 2, 4]
    fits, refused = run("sweep", "s[99999*k*lane]", "--over", "k=0..1", "--measure", "--json").objects
    assert (fits["verdict"]["outcome"], refused["verdict"]["outcome"]) == ("equal", "unmeasured")
    assert "shared memory" in refused["verdict"]["sentence"]
