"""The chart as SVG: well-formed, self-contained, and with all that was asked for."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpviz.chart_svg import Line, chart_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
LINE = Line("load", (1, 2, None, 4), (1, 1, None, 1), (1.01, None, None, 3.99), ("", "", "division by zero", ""))


def drawn(*lines: Line, title: str = "s[k*lane]", knob: str = "k") -> ElementTree.Element:
    values = range(len(lines[0].predicted))
    return ElementTree.fromstring(chart_svg(values, lines, title=title, x_name=knob, y_name="wavefronts"))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.get("class") == name]


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(NAMESPACE + "text")]


def test_a_dot_for_each_measurement_and_a_level_for_each_value() -> None:
    root = drawn(LINE)
    assert len(of_class(root, "measured")) == 2
    (path,) = of_class(root, "predicted")
    assert len(re.findall("H", path.get("d") or "")) == 3
    assert len(re.findall("M", path.get("d") or "")) == 2  # the gap parts the line
    (cross,) = of_class(root, "error")
    assert cross[0].text == "load: division by zero"
    assert {"0", "1", "2", "3", "4", "k", "wavefronts", "load", "s[k*lane]"} <= set(words(root))


def test_a_dot_stands_on_the_line_when_measured_is_what_was_predicted() -> None:
    root = drawn(replace(LINE, measured=(1.0, 2.0, None, 4.0)))
    heights = [float(dot.get("cy") or "nan") for dot in of_class(root, "measured")]
    path = of_class(root, "predicted")[0].get("d") or ""
    levels = [float(y) for y in re.findall(r"(?:M[\d.]+ |V)([\d.]+)", path)]
    assert heights == levels
    assert heights[0] - heights[2] == pytest.approx(3 * (heights[0] - heights[1]), abs=0.3)  # 4 - 1 and 2 - 1 passes


def test_every_doubling_is_as_high_as_the_last_where_counts_are_large() -> None:
    root = drawn(Line("load", (1, 2, 4, 8, 16, 32), (1,) * 6, (1, 2, 4, 8, 16, 32), ("",) * 6))
    heights = [float(dot.get("cy") or "nan") for dot in of_class(root, "measured")]
    steps = [lower - upper for lower, upper in pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * 5, abs=0.2)
    assert {"0", "1", "2", "4", "8", "16", "32", "wavefronts (logarithmic)"} <= set(words(root))


def test_lines_differ_without_colour() -> None:
    lines = [replace(LINE, name=f"access {number}") for number in range(4)]
    root = drawn(*lines)
    assert len({path.get("stroke-dasharray") for path in of_class(root, "predicted")}) == 4
    dots = of_class(root, "measured")
    assert len(dots) == 8
    assert len({(dot.tag, re.sub(r"^M[\d. ]+", "", dot.get("d") or "")) for dot in dots}) == 4
    assert len({dot.get("cx") or dot.get("x") or (dot.get("d") or "").split()[0] for dot in dots}) == 8


def test_nothing_is_fetched_and_nothing_runs() -> None:
    text = chart_svg(range(4), [LINE], title="t", x_name="k", y_name="wavefronts")
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|<style|<image|href|@font|\bon\w+=", text)


@given(st.text(max_size=120), st.text(max_size=90), st.text(max_size=90))
def test_any_text_is_escaped(title: str, name: str, knob: str) -> None:
    root = drawn(replace(LINE, name=name, errors=("", "", f"no {name}", "")), title=title, knob=knob)
    assert len(of_class(root, "measured")) == 2
    assert len(list(root.iter())) == len(list(drawn(LINE).iter()))


@given(st.lists(st.none() | st.integers(0, 1024), min_size=1, max_size=80))
def test_everything_is_inside_the_picture(counts: list[int | None]) -> None:
    line = Line("x", tuple(counts), tuple(counts), (None,) * len(counts), ("",) * len(counts))
    root = drawn(line)
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for path in of_class(root, "predicted"):
        for x in re.findall(r"[MH]([\d.-]+)", path.get("d") or ""):
            assert 0 <= float(x) <= width
        for y in re.findall(r"(?:M[\d.-]+ |V)([\d.-]+)", path.get("d") or ""):
            assert 0 <= float(y) <= height
