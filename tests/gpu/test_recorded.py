"""Recorded measurements: files of one GPU, keyed by the access."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gpu.fake_probe import measured
from tests.gpu.samples import CONDITIONS, H200, counts, measurement, slope, stride
from warpviz.comparing import verdict_of
from warpviz.gpu import Bandwidth, Code, FrozenAccess, Measurement, Unavailable, find_recorded, recorded
from warpviz.gpu.recorded import Entry, known, open_file

CODE = Code("timed", (("LDS.128", 15), ("LDS", 1)), 16, 24, 1024, 8, "nvdisasm 13.0")
COPIED = Bandwidth(1 << 28, 1 << 29, 1e-4, 0.02, 7, 4200.0, 0.01)
EVERY_KIND = [
    measurement(code=CODE),
    measurement(stride(4), wavefronts=slope(None, "doubt"), counters=counts(wavefronts=1.0, conflicts=0.0)),
    measurement(stride(8, space="global"), wavefronts=None, bandwidth=COPIED, code=Unavailable("no disassembler")),
    measurement(stride(1 << 22, space="global"), wavefronts=None, bandwidth=Unavailable("too far apart")),
    measurement(stride(16, op="ldmatrix", width=16, matrices=2), conditions=Unavailable("no NVML")),
    measurement(stride(12), conditions=replace(CONDITIONS, power_watts=None, throttled=("power cap", "heat"))),
]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder; nothing ships."""
    monkeypatch.setenv("WARPVIZ_RECORDED", str(tmp_path))
    monkeypatch.setattr("warpviz.gpu.recorded.files.resource_folder", lambda name: tmp_path / "shipped")
    return tmp_path


def write(path: Path, measurements: Iterable[Measurement], label: str = "here") -> Path:
    recorded.write(path, recorded.joined({}, [Entry((label,), m) for m in measurements]))
    return path


@pytest.mark.parametrize("measured", EVERY_KIND)
def test_a_measurement_comes_back_from_json(measured: Measurement) -> None:
    assert Measurement.from_json(json.loads(json.dumps(measured.to_json()))) == measured


def test_bandwidth_is_bytes_over_seconds() -> None:
    bandwidth = Bandwidth(10**9, 4 * 10**9, 0.002, 0.0, repeats=7, copy_gb_per_second=4000.0, copy_spread=0.0)
    assert (bandwidth.useful_gb_per_second, bandwidth.moved_gb_per_second, bandwidth.of_copy) == (500.0, 2000.0, 0.5)


def test_what_is_written_is_read_as_recorded(tmp_path: Path) -> None:
    path = write(tmp_path / "h200.json", EVERY_KIND)
    entries = recorded.read(path)
    assert {name: entry.measurement for name, entry in entries.items()} == {
        m.access.fingerprint(): replace(m, origin="recorded") for m in EVERY_KIND
    }
    assert {entry.labels for entry in entries.values()} == {("here",)}
    assert [entry.name for entry in tmp_path.iterdir()] == ["h200.json"]
    file = open_file(path)
    assert (file.gpu, file.count, file.first, file.problem) == (H200, len(EVERY_KIND), EVERY_KIND[0].date, "")


def test_one_measurement_is_found_without_reading_the_others(tmp_path: Path) -> None:
    path = write(tmp_path / "h200.json", EVERY_KIND)
    text = path.read_text()
    other = EVERY_KIND[3].access.fingerprint()
    line = next(line for line in text.splitlines() if other in line)
    path.write_text(text.replace(line, line[:60] + ("," if line.endswith(",") else "")))
    file = open_file(path)
    for m in EVERY_KIND[:3]:
        assert file.find(m.access) == replace(m, origin="recorded")
    with pytest.raises(ValueError, match=r"h200\.json: it is damaged"):
        file.find(EVERY_KIND[3].access)
    with pytest.raises(ValueError, match=r"h200\.json: it is damaged"):
        file.entries()


def test_fractions_are_rounded_to_six_digits(tmp_path: Path) -> None:
    exact = replace(slope(8), cycles_per_access=8.00123456789)
    (entry,) = recorded.read(write(tmp_path / "a.json", [measurement(wavefronts=exact)])).values()
    assert entry.measurement.wavefronts == replace(exact, cycles_per_access=8.00123)


@pytest.mark.parametrize("indent", [None, 1])
def test_the_same_object_laid_out_otherwise_is_read(tmp_path: Path, indent: int | None) -> None:
    path = write(tmp_path / "h200.json", EVERY_KIND)
    before = recorded.read(path)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=indent))
    assert recorded.read(path) == before
    path.write_bytes(write(path, EVERY_KIND).read_bytes().replace(b"\n", b"\r\n"))
    assert recorded.read(path) == before


def test_later_measurements_join_and_replace_earlier_ones() -> None:
    before = recorded.joined({}, [Entry(("a",), measurement(stride(4))), Entry(("b",), measurement(stride(8)))])
    later = measurement(stride(8), date="2027-01-01T00:00:00+00:00")
    after = recorded.joined(before, [Entry(("b", "c"), later), Entry(("d",), measurement(stride(12)))])
    assert len(after) == 3
    assert after[stride(8).fingerprint()] == Entry(("b", "c"), later)
    assert before[stride(8).fingerprint()].labels == ("b",)


def test_a_file_is_of_one_gpu(tmp_path: Path) -> None:
    path = write(tmp_path / "h200.json", [measurement()])
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"NVIDIA H200 .* and NVIDIA L4"):
        write(path, [measurement(), measurement(stride(4), gpu=replace(H200, name="NVIDIA L4"))])
    assert path.read_bytes() == before


GPU = '"gpu": {"name": "a", "arch": "sm_90", "driver": "1", "cuda": "1", "nvrtc": "1"}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is no JSON"),
        ("[]", "it is no file of recorded measurements"),
        ("{}", "it is no file of recorded measurements"),
        ("[" * 100_000, "it is no JSON"),
        ('{"schema": 2}', "it is no file of recorded measurements"),
        ('{"schema": "warpviz-recorded-1", "gpu": {}}', "an older warpviz wrote: record it anew with `warpviz record`"),
        ('{"schema": "warpviz-recorded-3", "gpu": {}}', "a newer warpviz wrote"),
        ('{"schema": "warpviz-recorded-2", "gpu": {}}', "it is damaged"),
        (f'{{"schema": "warpviz-recorded-2", {GPU}, "measurements": {{}}}}', "it is damaged"),
        ("\x00", "it is no JSON"),
    ],
    ids=["empty", "list", "object", "deep", "number", "older", "newer", "no head", "no fields", "binary"],
)
def test_a_file_that_is_none_is_named_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"broken\.json: ") as caught:
        recorded.read(path)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    file = open_file(path)
    assert (file.gpu, file.problem) == (None, str(caught.value))


def test_what_is_no_readable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    for name, why in {"none.json": "cannot be read", "binary.json": "is not UTF-8", ".": "is no file"}.items():
        assert why in open_file(tmp_path / name).problem


SAMPLE = json.loads(recorded.contents.text_of(H200, recorded.joined({}, [Entry(("a",), m) for m in EVERY_KIND]), "1"))


@settings(max_examples=80)
@given(data=st.data())
def test_a_damaged_file_gives_one_sentence_or_what_is_intact(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Any value anywhere replaced by another one."""
    path = tmp_path_factory.mktemp("damaged") / "file.json"
    junk = st.sampled_from(
        [None, True, 0, -1, 10**30, 10**400, 0.0, 1.5, float("nan"), "", "text", "sm_90", [], {}, [1, 2], {"reason": 1}]
    )
    path.write_text(json.dumps(_damaged(SAMPLE, data, junk)))
    try:
        entries = recorded.read(path)
    except ValueError as error:
        problem = str(error)
    else:
        problem = f"{path}: "
        for name, entry in entries.items():
            assert entry.measurement.access.fingerprint() == name
            assert verdict_of(entry.measurement).sentence
            slope = entry.measurement.wavefronts
            assert slope is None or slope.cycles_per_access / slope.unit_cycles > 0
    assert problem.startswith(f"{path}: ")
    assert "\n" not in problem


def _damaged(value: Any, data: st.DataObject, junk: st.SearchStrategy[Any]) -> Any:
    """The value with one thing in it replaced."""
    if isinstance(value, dict | list) and value and data.draw(st.integers(0, 5)):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = data.draw(st.sampled_from(keys))
        part = _damaged(value[key], data, junk)
        if isinstance(value, dict):
            return value | {key: part}
        return [*value[:key], part, *value[key + 1 :]]
    return data.draw(junk)


def test_known_are_the_users_and_those_that_ship(own: Path) -> None:
    (own / "shipped").mkdir()
    write(own / "shipped" / "h200.json", [measurement()])
    write(own / "b.json", [measurement()])
    (own / "a.json").write_text("{}")
    (own / "notes.txt").write_text("not looked at")
    assert [(file.path.name, file.shipped, bool(file.problem)) for file in known()] == [
        ("a.json", False, True),
        ("b.json", False, False),
        ("h200.json", True, False),
    ]


def test_the_newest_of_the_users_files_is_asked_first(own: Path) -> None:
    access = stride(8).access()
    (own / "shipped").mkdir()
    l4 = replace(H200, name="NVIDIA L4", arch="sm_89")
    write(own / "shipped" / "h200.json", [measurement(stride(8), date="2029-01-01T00:00:00+00:00")])
    assert _found_in(access) == "2029"
    write(own / "a.json", [measurement(stride(8), date="2027-01-01T00:00:00+00:00")])
    write(own / "b.json", [measurement(stride(8), date="2026-01-01T00:00:00+00:00")])
    write(own / "l4.json", [measurement(stride(8), gpu=l4, date="2028-01-01T00:00:00+00:00")])
    write(own / "other.json", [measurement(stride(4), date="2030-01-01T00:00:00+00:00")])
    (own / "broken.json").write_text("{}")
    assert _found_in(access) == "2028"
    assert _found_in(access, "sm_90") == "2027"
    assert _found_in(access, "sm_75") is None
    assert _found_in(access, None, open_file(own / "b.json")) == "2026"
    assert _found_in(access, None, open_file(own / "other.json")) is None
    with pytest.raises(ValueError, match=r"broken\.json"):
        find_recorded(access, file=open_file(own / "broken.json"))


def _found_in(access: Any, *where: Any) -> str | None:
    """The year of what is found."""
    found = find_recorded(access, *where)
    return None if found is None else found.date[:4]


def test_a_file_that_is_written_anew_is_read_anew(own: Path) -> None:
    path = write(own / "a.json", [measurement(stride(8))])
    assert find_recorded(stride(4).access()) is None
    write(path, [measurement(stride(8)), measurement(stride(4))])
    assert find_recorded(stride(4).access()) is not None


def _write_often(path: Path, label: str) -> None:
    for _ in range(20):
        write(path, [measured(stride(4 * k)) for k in range(20)], label)


@pytest.mark.skipif(os.name == "nt", reason="a file that is being read is not replaced on Windows")
def test_two_that_write_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with ProcessPoolExecutor(2) as pool:
        for done in [pool.submit(_write_often, path, label) for label in ("one", "two")]:
            done.result()
    assert len({entry.labels for entry in recorded.read(path).values()}) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_an_access_that_nobody_recorded_has_none() -> None:
    assert find_recorded(stride(12344, space="global").access()) is None


def test_every_file_that_ships_can_be_read() -> None:
    shipped = [file for file in known() if file.shipped]
    assert shipped
    for file in shipped:
        assert file.problem == ""
        for entry in file.entries().values():
            assert file.find(FrozenAccess.of(entry.measurement.access.access())) == entry.measurement


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_among_the_files_keeps_nobody_waiting(own: Path) -> None:
    os.mkfifo(own / "pipe.json")
    assert [file.problem for file in known() if file.path.name == "pipe.json"] == [f"{own / 'pipe.json'}: is no file"]
