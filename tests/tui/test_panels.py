"""The panels round the picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tui.conftest import edited, opened, scene, texts
from tests.tui.measurements import measurement
from warpviz.tui import state
from warpviz.tui.glyphs import UNICODE
from warpviz.tui.measuring import Measuring
from warpviz.tui.render import foot, head
from warpviz.tui.render.facts import joined, lane_fact, predicted
from warpviz.tui.render.measured import measured
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

POINTER = "const float* in;"


def said(view: View) -> str:
    assert view.shown is not None
    return "   ".join(text for text, _ in joined(predicted(view.shown, UNICODE)).said)


@pytest.mark.parametrize(
    ("expression", "declarations", "expected"),
    [
        ("s[8*lane]", "", "8 passes   7 conflicts   ideal 1   fullest banks 0 8 16 24   8 words each"),
        ("tile[lane][5]", "", "32 passes   31 conflicts   ideal 1   fullest bank 5   32 words, one a pass"),
        ("s[lane]", "", "1 pass   0 conflicts   ideal 1"),
        ("c[lane]", "__constant__ float c[64];", "32 requests   one for each distinct address"),
        ("c[0]", "__constant__ float c[64];", "1 request   one address for every lane: broadcast"),
    ],
)
def test_the_predicted_cost(expression: str, declarations: str, expected: str) -> None:
    assert said(opened(expression, declarations=declarations)) == expected


def test_the_efficiency_is_a_bar_and_numbers() -> None:
    text = said(opened("in[3*lane]", declarations=POINTER))
    assert text == "12 sectors   ████░░░░░░░░   33%   128 of 384 bytes used   3 lines   1 request"


def test_a_lane_is_substituted_and_placed() -> None:
    view = opened("s[k*lane]", k=8)
    assert view.shown is not None
    pieces = [text for text, _ in lane_fact(view.shown, 10, UNICODE).said]
    assert pieces == ["s[8*10] → s[80]", "byte 320", "word 80", "bank 16", "pass 3"]
    far = opened("in[k*lane]", declarations=POINTER, k=8)
    assert far.shown is not None
    pieces = [text for text, _ in lane_fact(far.shown, 10, UNICODE).said]
    assert pieces == ["in[8*10] → in[80]", "byte 320", "line +256", "its sector 2", "step 11"]


def test_pieces_that_do_not_fit_are_left_out_whole(look: Look) -> None:
    view = opened("s[8*lane]")
    wide, narrow = (texts(foot.fact_strips(view, width, 2, look))[0] for width in (90, 60))
    assert wide.rstrip().endswith("8 words each")
    assert narrow.rstrip().endswith("ideal 1")


def test_an_error_stands_under_its_place(look: Look) -> None:
    view = edited(opened("s[k*lane]", k=8), "s[k*")
    (line,) = texts(head.lane_strips(view, 80, look))
    assert view.error is not None
    assert line.index("▲") == view.error.column
    assert view.error.sentence in line


def test_an_error_elsewhere_names_its_place(look: Look) -> None:
    view = opened("s[lane]", declarations="__shared__ float s[64/k];", k=1)
    broken = state.turn_knob(view, -1)
    (line,) = texts(head.lane_strips(broken, 120, look))
    assert line.strip().startswith("declarations")


def test_a_warning_comes_before_the_question(look: Look) -> None:
    view = state.evaluated(
        state.open_scene(scene("s[lane]", declarations="__shared__ float s[16];", question="who is outside?"))
    )
    assert [fact.name for fact in head.remark_facts(view)][:2] == ["warning", "question"]
    assert texts(head.remark_strips(view, 80, look))[0].startswith(" warning")


def test_what_is_assumed_is_said() -> None:
    facts = head.remark_facts(replace(opened("s[lane]"), scene=replace(scene("s[lane]"), hint="", answer="")))
    assert facts[-1].name == "assumed"
    assert "s is not declared" in facts[-1].said[0][0]


def test_a_measurement_stands_beside_the_prediction() -> None:
    view = opened("s[k*lane]", k=8)
    assert view.shown is not None
    seen = replace(view, measuring=Measuring("there", measurement=measurement(view.shown.access, cycles=8.004)))
    figures, on = measured(seen.shown, seen.measuring, UNICODE)
    assert figures.name == "recorded"
    assert [text for text, _ in figures.said] == ["8.00 ± 0.01", "✓ equal"]
    assert on.said[0][0] == "H200 · driver 580.1 · 2026-11-30"
    off = replace(view, measuring=Measuring("there", measurement=measurement(view.shown.access, cycles=9.0)))
    assert "off by +1" in measured(off.shown, off.measuring, UNICODE)[0].said[1][0]


def test_a_running_and_a_failed_measurement_say_so() -> None:
    view = state.begin_measuring(opened("s[lane]"), 1)
    assert measured(view.shown, view.measuring, UNICODE)[0].name == "measuring"
    failed = replace(view, measuring=Measuring("failed", 1, "the driver said no"))
    assert measured(failed.shown, failed.measuring, UNICODE)[0].said == (("the driver said no", "bad"),)
