"""`warpviz measure`: with a GPU for real, without one on recorded measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from tests.cli.conftest import Run
from warpviz.gpu import GpuError, Measurement, ProbeRequest, find_recorded, gpu_present, recorded
from warpviz.scene import shipped_scenes


class RecordedProbe:
    """Answers with what an H200 showed once."""

    def __init__(self, device: str | None = None) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def read_code(self, measurement: Measurement) -> Measurement:
        return measurement

    def measure_all(self, requests: Sequence[ProbeRequest], *, progress: Callable[[str], None]) -> list[Measurement]:
        progress("looking it up")
        found = [find_recorded(request.access.access()) for request in requests]
        return [replace(measurement, origin="measured") for measurement in found if measurement is not None]


@pytest.fixture
def h200(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.cli.measure.Probe", RecordedProbe)
    monkeypatch.setattr("warpviz.cli.measure.gpu_present", lambda: True)


def failing(error: GpuError) -> type[RecordedProbe]:
    class FailingProbe(RecordedProbe):
        def measure_all(
            self, requests: Sequence[ProbeRequest], *, progress: Callable[[str], None]
        ) -> list[Measurement]:
            raise error

    return FailingProbe


@pytest.mark.usefixtures("h200")
def test_text_sets_measured_beside_predicted(run: Run) -> None:
    answer = run("measure", "s[k*lane]", "--set", "k=7..8")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "s[k*lane]"
    assert lines[1].split() == ["k", "wavefronts", "ideal", "conflicts", "measured", "verdict"]
    assert lines[3].split()[:4] == ["8", "8", "1", "7"]
    assert "wavefronts by time" in lines[3]
    assert lines[3].endswith("equal: 8 wavefronts")
    assert lines[4].startswith("  assumed: s is not declared")
    assert lines[5] == "  code      16 of 16 loads are there, each one LDS"
    assert lines[6].startswith("  kernel    timed: ")
    assert lines[7].startswith("  measured on NVIDIA H200 (sm_90, driver 580.159.04, NVRTC 13.0), 2026-")


@pytest.mark.usefixtures("h200")
def test_of_one_access_all_evidence_is_told(run: Run) -> None:
    lines = run("measure", "offset").out.splitlines()
    subjects = [line.split()[0] for line in lines[3:]]
    assert subjects == ["counted"] * 4 + ["counters", "code", "kernel", "clocks", "measured"]
    metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    assert f"  counted   5 sectors, as predicted: {metric}" in lines


@pytest.mark.usefixtures("h200")
def test_json_is_the_prediction_with_measured_and_verdict(run: Run) -> None:
    (told,) = run("measure", "offset", "--json").objects
    (predicted,) = run("predict", "in[lane + 1]", "--decl", "const float* in;", "--json").objects
    measured, verdict = told.pop("measured"), told.pop("verdict")
    assert told.pop("access") == "load"
    assert told == predicted | {"expression": "in[lane + offset]", "set": {"offset": 1}}
    assert measured["origin"] == "measured"
    assert measured["counters"]["sectors"] == 5
    assert verdict == {"outcome": "equal", "sentence": "equal: 1 request, 5 sectors, 2 lines", "causes": []}


@pytest.mark.usefixtures("h200")
def test_a_scene_is_all_its_accesses_at_the_knobs_values(run: Run) -> None:
    told = run("measure", "tile-padding", "--set", "pad=0..2", "--json").objects
    assert [(t["access"], t["set"]["pad"], t["wavefronts"]) for t in told] == [
        *(("column load", pad, passes) for pad, passes in enumerate([32, 1, 2])),
        *(("row store", pad, 1) for pad in range(3)),
    ]
    steps = run("measure", "ldmatrix", "--set", "pad=0..16", "--json").objects
    assert [t["set"]["pad"] for t in steps] == [0, 8, 16]


@pytest.mark.usefixtures("h200")
def test_measurements_are_recorded_and_joined(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    assert run("measure", "s[lane]", "--record", str(file)).code == 0
    assert run("measure", "s[8*lane]", "--record", str(file)).code == 0
    entries = recorded.read(file).values()
    assert {entry.labels: entry.measurement.count_of("wavefronts") for entry in entries} == {
        ("s[lane]",): pytest.approx(1, abs=0.1),
        ("s[8*lane]",): pytest.approx(8, abs=0.1),
    }
    assert run("measure", "stride", "--set", "k=8", "--record", str(file)).code == 0
    assert ("s[8*lane]", "stride: load, k = 8") in {entry.labels for entry in recorded.read(file).values()}
    file.write_text("{}")
    answer = run("measure", "s[lane]", "--record", str(file))
    assert answer.code == 2
    assert str(file) in answer.err
    assert run("measure", "s[lane]", "--record", str(tmp_path / "no" / "where.json")).code == 2


@pytest.mark.parametrize(
    ("kind", "code"), [("no_gpu", 3), ("no_counters", 3), ("failed", 1), ("timed_out", 1), ("refused", 2)]
)
def test_exit_codes(run: Run, monkeypatch: pytest.MonkeyPatch, kind: str, code: int) -> None:
    error = GpuError(kind, "this is why")  # type: ignore[arg-type]
    monkeypatch.setattr("warpviz.cli.measure.Probe", failing(error))
    monkeypatch.setattr("warpviz.cli.measure.gpu_present", lambda: True)
    answer = run("measure", "s[lane]")
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.strip() == "warpviz: this is why"


@pytest.mark.skipif(gpu_present(), reason="there is a GPU here")
def test_without_a_gpu(run: Run) -> None:
    answer = run("measure", "s[lane]")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.count("\n") == 1


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine")
@pytest.mark.parametrize("scene", [scene.name for scene in shipped_scenes()])
def test_every_scene_is_measured_as_predicted(run: Run, scene: str, tmp_path: Path) -> None:
    answer = run("measure", scene, "--json", "--record", str(tmp_path / "here.json"))
    assert answer.code == 0, answer.err
    for told in answer.objects:
        without_counters = {"unmeasured"} if told["space"] == "global" else set()
        assert told["verdict"]["outcome"] in {"equal"} | without_counters, told["verdict"]["sentence"]
