"""The evidence panel, and whose recorded measurements are shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.tui.conftest import opened, texts
from tests.tui.measurements import measurement
from warpviz.gpu import Gpu
from warpviz.gpu.recorded import Entry, write
from warpviz.tui import state
from warpviz.tui.command_line import command_line
from warpviz.tui.glyphs import ASCII
from warpviz.tui.measuring import Measuring
from warpviz.tui.render.frame import frame_strips
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

A100 = Gpu("NVIDIA A100", "sm_80", "560.1", "12.6", "12.6")


def stride_8() -> View:
    return opened("s[k*lane]", k=8)


@pytest.fixture
def a100(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of another GPU among the user's own: it has s[8*lane], at 9 passes."""
    shown = stride_8().shown
    assert shown is not None
    measured = replace(measurement(shown.access, 9.0), gpu=A100)
    write(tmp_path / "a100.json", {measured.access.fingerprint(): Entry(("stride",), measured)})
    monkeypatch.setenv("WARPVIZ_RECORDED", str(tmp_path))
    return tmp_path / "a100.json"


@pytest.mark.usefixtures("a100")
def test_the_next_gpu_brings_its_measurements_and_its_architecture() -> None:
    here = state.looked_up(stride_8())
    assert here.measuring.measurement is not None
    assert here.measuring.measurement.gpu.name == "NVIDIA H200"
    there = state.next_gpu(here)
    assert there.setup.arch == "sm_80"
    assert there.measuring.measurement is not None
    assert there.measuring.measurement.gpu == A100
    assert there.notice.startswith("1 of 2: recorded on NVIDIA A100, ")
    back = state.next_gpu(there)
    assert (back.setup.arch, back.notice[:6]) == ("sm_90", "2 of 2")
    assert state.looked_up(state.undo(there)).setup == here.setup


@pytest.mark.usefixtures("a100")
def test_the_command_line_names_the_file() -> None:
    there = state.next_gpu(stride_8())
    line = command_line(there)
    assert "--recorded a100" in line
    assert "--arch" not in line
    assert "--recorded nvidia-h200" in command_line(state.next_gpu(there))


def test_the_evidence_stands_in_the_panel(look: Look) -> None:
    view = state.show_panel(state.looked_up(stride_8()), "evidence")
    for width, height in ((80, 24), (100, 30), (160, 45)):
        shown = "\n".join(texts(frame_strips(view, width, height, look)))
        assert "what was measured, and how" in shown or width == 160
        assert "equal: 8 wavefronts" in shown
        assert "16 of 16 loads are there" in shown
    plain = texts(frame_strips(view, 100, 30, replace(look, glyphs=ASCII)))
    assert all(line.isascii() for line in plain)


def test_without_a_measurement_the_panel_says_why(look: Look) -> None:
    view = replace(state.show_panel(stride_8(), "evidence"), measuring=Measuring("none", said="no GPU here"))
    lines = texts(frame_strips(view, 100, 30, look))
    assert sum("no GPU here" in line for line in lines) == 2  # under the picture as well
