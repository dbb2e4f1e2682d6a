"""`warpviz compare` and `warpviz recorded`: files read, tables and JSON written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.gpu.fake_probe import counted, measured
from tests.gpu.samples import H200, slope, stride
from warpviz.gpu import Gpu, Measurement, recorded
from warpviz.gpu.recorded import Entry

L4 = Gpu("NVIDIA L4", "sm_89", "580.1", "13.0", "13.0")
PATTERNS = [
    *(stride(4 * k) for k in range(40)),
    *(stride(4 * k, space="global") for k in range(40)),
]


def write(path: Path, gpu: Gpu = H200, seconds: float = 1e-4, off: int = 0) -> str:
    """As predicted, but that the first `off` take a wavefront more."""
    measurements = [_measured(pattern, gpu, seconds, number < off) for number, pattern in enumerate(PATTERNS)]
    entries = [Entry((f"pattern {n} of a name that is long enough to be cut",), m) for n, m in enumerate(measurements)]
    recorded.write(path, recorded.joined({}, entries))
    return str(path)


def _measured(pattern: object, gpu: Gpu, seconds: float, off: bool) -> Measurement:
    taken = measured(pattern, gpu, seconds)  # type: ignore[arg-type]
    if taken.wavefronts is None:
        return replace(taken, counters=counted(taken.access))
    return replace(taken, wavefronts=slope((taken.wavefronts.count or 0) + off))


def test_two_gpus(run: Run, tmp_path: Path) -> None:
    here, there = write(tmp_path / "a.json"), write(tmp_path / "b.json", L4, 4e-4, off=15)
    answer = run("compare", here, there)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == f"1  {here}: NVIDIA H200 (sm_90, driver 580.159.04, NVRTC 13.0), 80 measurements"
    assert lines[1].startswith(f"2  {there}: NVIDIA L4 (sm_89")
    assert lines[3] == "80 accesses in all of them, 160 counts: 145 equal everywhere, 15 not"
    assert lines[4] == "not as predicted: 0 in 1, 15 in 2"
    assert "1 in 1; 2 in 2" in answer.out
    assert "and 3 more: --json" in answer.out
    assert ["shared", "ld", "4", "bytes", "40", "15"] in [line.split() for line in lines]
    assert "0.25" in answer.out
    assert "slower" not in answer.out, "they are of two models"
    assert max(len(line) for line in lines[3:]) <= 100


def test_json_has_every_difference(run: Run, tmp_path: Path) -> None:
    (told,) = run("compare", write(tmp_path / "a.json"), write(tmp_path / "b.json", off=15), "--json").objects
    assert [file["gpu"]["name"] for file in told["files"]] == ["NVIDIA H200"] * 2
    assert [file["off"] for file in told["files"]] == [0, 15]
    assert (told["accesses"], told["counts"], len(told["differences"])) == (80, 160, 15)
    difference = told["differences"][0]
    assert difference["counts"][1] == difference["counts"][0] + 1 == difference["predicted"] + 1
    assert {"space": "shared", "op": "ld", "width": 4, "matrices": None, "accesses": 40, "differing": 15} in told[
        "kinds"
    ]
    assert len(told["throughputs"]) == 40


def test_many_nodes(run: Run, tmp_path: Path) -> None:
    nodes = [write(tmp_path / f"node{n}.json", seconds=1.1e-4 if n == 7 else 1e-4) for n in range(9)]
    answer = run("compare", *nodes)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert f"{nodes[7]} is 9 % slower than the other NVIDIA H200" in lines[10:14]
    assert "least GB/s" in answer.out
    assert max(len(line) for line in lines[14:]) <= 100


def test_one_file_is_compared_with_the_prediction(run: Run, tmp_path: Path) -> None:
    answer = run("compare", write(tmp_path / "a.json", off=2))
    assert answer.out.splitlines()[2] == "80 accesses, 160 counts: 158 as predicted, 2 not"


@pytest.mark.parametrize("text", [None, "", "{}", '{"schema": "warpviz-recorded-1"}'])
def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path, text: str | None) -> None:
    broken = tmp_path / "broken.json"
    if text is not None:
        broken.write_text(text)
    answer = run("compare", write(tmp_path / "a.json"), str(broken))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"warpviz: {broken}: ")
    assert answer.err.count("\n") == 1
    assert run("compare").code == 2


def test_the_list_of_this_machine(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_RECORDED", str(tmp_path))
    path = write(tmp_path / "a.json", L4, off=3)
    (tmp_path / "broken.json").write_text("{}")
    answer = run("recorded")
    assert answer.code == 0
    assert answer.out.splitlines()[:3] == [
        "NVIDIA L4 (sm_89, driver 580.1, NVRTC 13.0), 2026-11-30",
        "  80 measurements: 77 equal the prediction, 3 are off, 0 have no answer",
        f"  {path}; in the explorer: --recorded a",
    ]
    assert f"{tmp_path / 'broken.json'}: it is no file of recorded measurements" in answer.err


def test_the_list_of_named_places(run: Run, tmp_path: Path) -> None:
    path, broken = write(tmp_path / "a.json", off=3), tmp_path / "broken.json"
    broken.write_text("{}")
    answer = run("recorded", str(tmp_path), "--json")
    assert answer.code == 0
    good, bad = answer.objects
    assert (good["path"], good["gpu"]["name"], good["count"], good["equal"], good["off"]) == (
        path,
        "NVIDIA H200",
        80,
        77,
        3,
    )
    assert (bad["path"], bad["gpu"]) == (str(broken), None)
    assert bad["problem"]
    assert run("recorded", path, str(broken)).code == 2
    assert run("recorded", str(tmp_path / "none")).code == 2


def test_files_with_nothing_in_common_are_no_comparison(run: Run, tmp_path: Path) -> None:
    whole = write(tmp_path / "a.json")
    data = json.loads(Path(whole).read_text())
    data["measurements"] = dict(list(data["measurements"].items())[:1])
    (tmp_path / "one.json").write_text(json.dumps(data))
    data["measurements"] = {}
    (tmp_path / "none.json").write_text(json.dumps(data))
    assert run("compare", whole, str(tmp_path / "one.json")).code == 0
    answer = run("compare", whole, str(tmp_path / "none.json"))
    assert (answer.code, answer.out) == (2, "")
    assert "no access in common; " in answer.err
    assert "none.json, has 0 measurements" in answer.err


def test_alike_files_say_so(run: Run, tmp_path: Path) -> None:
    one = write(tmp_path / "a.json")
    out = run("compare", one, one).out
    assert "of global memory: as many bytes a second everywhere, within 2 %" in out
    assert "rule" not in out
