"""`warpviz record`: what it measures, what it writes, and what it says, on a probe that answers as an H200."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer, Run
from tests.gpu.fake_probe import FakeProbe
from tests.gpu.samples import H200
from warpviz.gpu import Counts, GpuError, Unavailable, gpu_present
from warpviz.gpu.recorded import known, read

Record = Callable[..., Answer]
LOCKED = Unavailable("this user may not read the GPU's hardware counters")


@pytest.fixture
def record(run: Run, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Record with these arguments on a FakeProbe with these attributes."""

    def call(*arguments: str, **attributes: Any) -> Answer:
        monkeypatch.setattr("warpviz.cli.record.Probe", type("Probe", (FakeProbe,), attributes))
        monkeypatch.setattr("warpviz.cli.record.gpu_present", lambda: True)
        return run("record", *arguments)

    return call


def test_a_scene_at_every_value_of_its_knobs(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    answer = record(str(file), "--only", "stride", "--only", "offset")
    assert answer.code == 0
    entries = list(read(file).values())
    labels = [label for entry in entries for label in entry.labels]
    assert {f"stride: load, k = {k}" for k in range(65)} <= set(labels)
    assert any(isinstance(entry.measurement.counters, Counts) for entry in entries)
    assert answer.out.splitlines()[0].endswith(f"{len(entries)} accesses recorded in {file}")
    assert answer.out.splitlines()[1].strip() == (
        f"{len(entries)} equal the prediction, 0 are off, 0 have no answer, 0 could not be measured"
    )


def test_everything(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    assert record(str(file)).code == 0
    entries = read(file)
    labels = [label for entry in entries.values() for label in entry.labels]
    assert len(entries) > 3700
    assert sum(label.startswith("golden: ") for label in labels) >= 3255
    assert file.stat().st_size < 1_500_000


def test_without_a_file_it_goes_where_it_is_found(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARPVIZ_RECORDED", str(tmp_path / "own"))
    answer = record("--only", "stride")
    assert answer.code == 0
    (own,) = (file for file in known() if not file.shipped)
    assert own.path == tmp_path / "own" / "nvidia-h200-driver-580.159.04-nvrtc-13.0.json"
    assert own.gpu == H200
    assert own.count == 65
    assert str(own.path) in answer.out


def test_an_access_that_fails_does_not_stop_the_others(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    faults = {3: GpuError("failed", "it trapped"), 5: GpuError("timed_out", "no answer"), 9: GpuError("refused", "far")}
    answer = record(str(file), "--only", "stride", faults=faults)
    assert answer.code == 0
    assert len(read(file)) == 62
    assert "3 could not be measured" in answer.out
    assert all(why in answer.out for why in ("it trapped", "no answer", "far"))


def test_a_gpu_that_is_lost_ends_it_and_the_file_has_what_was_measured(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    faults: dict[int, BaseException] = {n: GpuError("failed", "the GPU is gone") for n in range(6, 70)}
    answer = record(str(file), "--only", "stride", faults=faults)
    assert (answer.code, len(read(file))) == (1, 6)
    assert answer.err.splitlines()[-1] == "warpviz: the GPU is gone"
    assert "6 accesses recorded" in answer.out


def test_ctrl_c_keeps_what_was_measured(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    answer = record(str(file), "--only", "stride", faults={7: KeyboardInterrupt()})
    assert (answer.code, len(read(file))) == (130, 7)
    assert "7 accesses recorded" in answer.out


def test_without_the_permission_to_count_the_file_says_so(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    answer = record(str(file), "--only", "offset", counters=LOCKED)
    assert answer.code == 0
    assert {entry.measurement.counters for entry in read(file).values()} == {LOCKED}
    assert LOCKED.reason in answer.out
    required = record(str(tmp_path / "other.json"), "--only", "offset", "--counters", "require", counters=LOCKED)
    assert (required.code, required.err) == (3, f"warpviz: {LOCKED.reason}\n")


def test_counters_that_are_locked_are_not_asked_for_again_and_again(record: Record, tmp_path: Path) -> None:
    runs: list[int] = []
    assert record(str(tmp_path / "here.json"), "--only", "golden", counters=LOCKED, runs=runs).code == 0
    assert 1 <= len(runs) <= 2


def test_a_run_of_the_counters_that_fails_is_said_of_its_accesses(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    answer = record(str(file), "--only", "offset", counters=GpuError("timed_out", "ncu hangs"))
    assert answer.code == 0
    assert {entry.measurement.counters for entry in read(file).values()} == {Unavailable("ncu hangs")}
    assert "ncu hangs" in answer.out


def test_the_counters_come_in_runs_of_many(record: Record, tmp_path: Path) -> None:
    runs: list[int] = []
    file = tmp_path / "here.json"
    assert record(str(file), "--only", "golden", runs=runs).code == 0
    counted = [e for e in read(file).values() if isinstance(e.measurement.counters, Counts)]
    assert sum(runs) == len(counted) > 1000
    assert len(runs) < len(counted) / 20


def test_counters_off(record: Record, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    assert record(str(file), "--only", "offset", "--counters", "off").code == 0
    assert not any(isinstance(entry.measurement.counters, Counts) for entry in read(file).values())


def test_a_file_that_cannot_be_added_to(record: Record, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    answer = record(str(broken), "--only", "stride")
    assert (answer.code, broken.read_text()) == (2, "{}")
    assert str(broken) in answer.err
    assert answer.err.count("\n") == 1
    other = tmp_path / "other.json"
    assert record(str(other), "--only", "stride").code == 0
    before = other.read_bytes()
    answer = record(str(other), "--only", "offset", gpu=H200.__class__("NVIDIA L4", "sm_89", "1", "13.0", "13.0"))
    assert (answer.code, other.read_bytes()) == (2, before)
    assert "NVIDIA H200" in answer.err
    assert "NVIDIA L4" in answer.err
    assert record("/dev/null/no.json", "--only", "stride").code == 2


def test_a_name_that_is_no_scene(run: Run) -> None:
    answer = run("record", "--only", "nothing")
    assert answer.code == 2
    assert "'nothing'" in answer.err


@pytest.mark.skipif(gpu_present(), reason="there is a GPU here")
def test_without_a_gpu(run: Run) -> None:
    assert run("record").code == 3


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no NVIDIA GPU on this machine")
def test_a_scene_is_recorded_for_real(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    answer = run("record", str(file), "--only", "stride")
    assert answer.code == 0, answer.err
    assert f"{len(read(file))} equal the prediction, 0 are off" in answer.out
