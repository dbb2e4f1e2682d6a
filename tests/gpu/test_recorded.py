"""Recorded measurements: files of one GPU, keyed by the access."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.gpu.samples import H200, counts, measurement, slope, stride
from warpviz.gpu import Bandwidth, Measurement, Unavailable, find_recorded, recorded
from warpviz.resources import resource_folder

EVERY_KIND = [
    measurement(),
    measurement(stride(4), wavefronts=slope(None, "doubt"), counters=counts(wavefronts=1.0, conflicts=0.0)),
    measurement(stride(8, space="global"), wavefronts=None, bandwidth=Bandwidth(1 << 28, 1 << 29, 1e-4, 0.02, 7)),
    measurement(stride(1 << 22, space="global"), wavefronts=None, bandwidth=Unavailable("too far apart")),
]


@pytest.mark.parametrize("measured", EVERY_KIND)
def test_a_measurement_comes_back_from_json(measured: Measurement) -> None:
    assert Measurement.from_json(json.loads(json.dumps(measured.to_json()))) == measured


def test_bandwidth_is_bytes_over_seconds() -> None:
    bandwidth = Bandwidth(bytes_useful=10**9, bytes_moved=4 * 10**9, seconds=0.002, spread=0.0, repeats=7)
    assert (bandwidth.useful_gb_per_second, bandwidth.moved_gb_per_second) == (500.0, 2000.0)


def test_what_is_written_is_read_as_recorded(tmp_path: Path) -> None:
    path = tmp_path / "h200.json"
    recorded.write(path, EVERY_KIND)
    assert sorted(recorded.read(path)) == sorted(m.access.fingerprint() for m in EVERY_KIND)
    assert recorded.read(path)[EVERY_KIND[2].access.fingerprint()] == replace(EVERY_KIND[2], origin="recorded")
    assert [entry.name for entry in tmp_path.iterdir()] == ["h200.json"]


def test_later_measurements_join_and_replace_earlier_ones(tmp_path: Path) -> None:
    path = tmp_path / "h200.json"
    recorded.write(path, [measurement(stride(4)), measurement(stride(8))])
    recorded.write(path, [measurement(stride(8), date="2027-01-01T00:00:00+00:00"), measurement(stride(12))])
    entries = recorded.read(path)
    assert len(entries) == 3
    assert entries[stride(8).fingerprint()].date == "2027-01-01T00:00:00+00:00"


def test_a_file_is_of_one_gpu(tmp_path: Path) -> None:
    path = tmp_path / "h200.json"
    recorded.write(path, [measurement()])
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"NVIDIA H200 .* and NVIDIA L4"):
        recorded.write(path, [measurement(stride(4), gpu=replace(H200, name="NVIDIA L4"))])
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": "warpviz-recorded-2"}', '{"schema": "warpviz-recorded-1", "gpu": {}}', "\x00"]
)
def test_a_file_that_is_none_is_named_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"broken\.json holds no recorded measurements") as caught:
        recorded.read(path)
    assert "\n" not in str(caught.value)


def test_an_access_that_nobody_recorded_has_none() -> None:
    assert find_recorded(stride(12344, space="global").access()) is None


def test_every_file_that_ships_can_be_read() -> None:
    for path in resource_folder("recorded").glob("*.json"):
        for measured in recorded.read(path).values():
            assert find_recorded(measured.access.access()) is not None
