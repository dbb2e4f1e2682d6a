"""`warpviz export`: the explorer's view in files, without a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from warpviz.expression import Pattern, parse
from warpviz.gpu import Gpu, find_recorded
from warpviz.gpu.recorded import Entry, write

SMALL = ("--size", "80x24")


def test_all_kinds_at_once(run: Run, tmp_path: Path) -> None:
    kinds = ("svg", "text", "json", "csv", "cast")
    files = {kind: tmp_path / f"stride.{kind}" for kind in kinds}
    answer = run("export", "stride", *SMALL, *(word for kind in kinds for word in (f"--{kind}", str(files[kind]))))
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert sorted(tmp_path.iterdir()) == sorted(files.values())  # and nothing half written beside them
    written = {kind: file.read_text(encoding="utf-8") for kind, file in files.items()}
    assert ElementTree.fromstring(written["svg"]).tag == "{http://www.w3.org/2000/svg}svg"
    lines = written["text"].splitlines()
    assert len(lines) == 24
    assert "s[k*lane]" in lines[1]
    assert json.loads(written["json"])["scene"] == "stride"
    assert len(list(csv.DictReader(io.StringIO(written["csv"])))) == 32
    header, *events = map(json.loads, written["cast"].splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert len(events) == 8 + 3  # k = 8 takes 8 passes; before them, after them, and the cursor that comes back


def test_the_json_is_the_prediction_of_the_chosen_access(run: Run) -> None:
    answer = run("export", "tile-padding", "--set", "pad=1", "--access", "2", "--json", "-")
    (found,) = answer.objects
    predicted = run(
        "predict", found["expression"], "--decl", found["declarations"], "--op", found["op"], "--json",
        *(word for name, value in found["set"].items() for word in ("--set", f"{name}={value}")),
    ).objects[0]  # fmt: skip
    assert {key: found[key] for key in predicted} == predicted
    assert found["op"] == "st"
    assert found["measured"]["origin"] == "recorded"


def test_a_step_is_shown(run: Run) -> None:
    def shown(*step: str) -> str:
        answer = run("export", "-e", "s[k*lane]", "--set", "k=8", *SMALL, *step, "--text", "-")
        assert answer.code == 0
        return answer.out

    assert "all waiting" in shown("--step", "0")
    assert "pass 3 of 8" in shown("--step", "3")
    assert "all served" in shown("--step", "end") == shown()


def test_lane_panel_and_theme_are_shown(run: Run) -> None:
    plain = run("export", "stride", "--text", "-").out
    assert "lane 5" in run("export", "stride", "--lane", "5", "--text", "-").out
    for panel in ("why", "fix", "sweep"):
        assert run("export", "stride", "--panel", panel, "--text", "-").out != plain
    pictures = {run("export", "stride", "--theme", theme, "--svg", "-").out for theme in ("dark", "light", "contrast")}
    assert len(pictures) == 3


def test_a_recorded_measurement_is_shown(run: Run) -> None:
    assert "8.00 ± 0.02" in run("export", "stride", "--text", "-").out


def test_ascii(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPVIZ_ASCII", "1")
    assert run("export", "stride", "--text", "-").out.isascii()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["stride"], "say what to write: --svg, --text, --json, --csv or --cast FILE; - is standard output"),
        (["--svg", "-"], "give a scene to export, or an expression with -e"),
        (["stride", "-e", "s[lane]", "--svg", "-"], "both the scene 'stride' and -e are given; open one of them"),
        (["stride", "--svg", "-", "--text", "-"], "--svg and --text both go to -; give each its own file"),
        (["stride", "--access", "2", "--svg", "-"], "--access 2: stride has 1 access"),
        (["tile-padding", "--access", "9", "--svg", "-"], "--access 9: tile-padding has 2 accesses"),
        (["stride", "--step", "9", "--svg", "-"], "--step 9: the last step is 8; everything is served at --step end"),
        (["stride", "--step", "-1", "--svg", "-"], "-1 is no step; the first is 1, and 0 is before it"),
        (["stride", "--step", "last", "--svg", "-"], "'last' is no step; a number from 0 is meant, or end"),
        (["stride", "--lane", "32", "--svg", "-"], "32 is not in the range 0<=x<=31"),
        (["stride", "--size", "100", "--svg", "-"], "'100' is no size; it is written like 100x30"),
        (["stride", "--size", "59x20", "--svg", "-"], "59x20 is outside 60x20 to 500x300"),
        (["-e", "s[k*lane", "--svg", "-"], "s[k*lane"),
        (["-e", "s[k*lane]", "--json", "-"], "k"),
        (["no-such-scene", "--svg", "-"], "no scene is called 'no-such-scene'"),
    ],
)
def test_what_cannot_be_exported_is_said(run: Run, arguments: list[str], sentence: str) -> None:
    answer = run("export", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert sentence in answer.err
    assert "Traceback" not in answer.err


def test_a_file_that_cannot_be_written_is_said(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "stride.svg"
    for file, reason in ((missing, "No such file or directory"), (tmp_path, "Is a directory")):
        answer = run("export", "stride", "--svg", str(file))
        assert answer.code == 2
        assert answer.err == f"warpviz: {file} cannot be written: {reason}\n"


def test_a_file_that_is_there_stays_when_the_new_one_cannot_be_finished(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "stride.csv"
    path.write_text("kept")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    assert run("export", "stride", "--csv", str(path)).code == 2
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_file_is_written_into(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run("export", "stride", "--csv", str(pipe)).code == 0
    assert os.read(reader, 100).startswith(b"lane,active,address")
    os.close(reader)
    assert pipe.is_fifo()


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    assert run("export", "stride", "--csv", str(link)).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("lane,")


def test_a_recorded_file_is_shown_in_place_of_the_newest(run: Run, tmp_path: Path) -> None:
    access = parse(Pattern("s[8*lane]")).evaluate({}).access
    recorded = find_recorded(access)
    assert recorded is not None
    a100 = replace(recorded, gpu=Gpu("NVIDIA A100", "sm_80", "560.1", "12.6", "12.6"))
    write(tmp_path / "a100.json", {a100.access.fingerprint(): Entry(("stride",), a100)})
    shown = run("export", "-e", "s[8*lane]", "--recorded", str(tmp_path / "a100.json"), "--text", "-").out
    assert "A100" in shown
    assert "sm_80" in shown
    answer = run("export", "stride", "--recorded", "h300", "--text", "-")
    assert answer.code == 2
    assert "h300" in answer.err
    assert "nvidia-h200" in answer.err
