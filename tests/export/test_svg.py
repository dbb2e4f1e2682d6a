"""A frame as SVG: well-formed, complete, self-contained and small."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tests.export.frames import FRAMES, HEIGHT, STYLES, WIDTH, plain
from warpviz.export.svg import frame_svg

_SVG = "{http://www.w3.org/2000/svg}"
_CELL_WIDTH, _CELL_HEIGHT = 12, 23
_TEXT, _GROUND = "#c5c8c6", "#292929"  # of a style that names no colour
DARK = Style(color="#ffffff", bgcolor="#101010")


def parsed(frame: list[list[Segment]], title: str = "a frame") -> ElementTree.Element:
    return ElementTree.fromstring(frame_svg(frame, title))


def ground_at(svg: ElementTree.Element, x: int, y: int) -> str:
    """The colour behind a cell: of the last rectangle that covers its middle."""
    middle = ((x + 0.5) * _CELL_WIDTH, (y + 0.5) * _CELL_HEIGHT)
    colour = ""
    for rect in svg.iter(f"{_SVG}rect"):
        left, top = float(rect.get("x", 0)), float(rect.get("y", 0))
        right, bottom = left + float(rect.get("width", 0)), top + float(rect.get("height", 0))
        if left <= middle[0] < right and top <= middle[1] < bottom:
            colour = rect.get("fill", "")
    return colour


def css_of(svg: ElementTree.Element, text: str) -> str:
    """The rules of the run that holds this text."""
    sheet = svg.findtext(f"{_SVG}style") or ""
    name = next(span.get("class") for span in svg.iter(f"{_SVG}tspan") if text in (span.text or ""))
    found = re.search(rf"\.{name}{{(.*)}}", sheet)
    assert found
    return found[1]


@given(frame=FRAMES)
def test_every_character_stands_in_its_column(frame: list[list[Segment]]) -> None:
    svg = parsed(frame)
    assert (svg.get("width"), svg.get("height")) == (str(WIDTH * _CELL_WIDTH), str(HEIGHT * _CELL_HEIGHT))
    lines = {int(text.get("y", 0)) // _CELL_HEIGHT: text for text in svg.iter(f"{_SVG}text")}
    for y, row in enumerate(frame):
        spans = list(lines[y].iter(f"{_SVG}tspan")) if y in lines else []
        shown = "".join(span.text or "" for span in spans)
        assert shown.rstrip() == plain(row).rstrip()
        column = 0
        for span in spans:
            assert int(span.get("x", -1)) == column * _CELL_WIDTH
            assert int(span.get("textLength", -1)) == cell_len(span.text or "") * _CELL_WIDTH
            column += cell_len(span.text or "")


@given(frame=FRAMES)
def test_every_cell_has_its_ground(frame: list[list[Segment]]) -> None:
    svg = parsed(frame)
    for y, row in enumerate(frame):
        x = 0
        for text, style, _ in row:
            expected = {STYLES[1]: "#0f1218", STYLES[2]: "#0f1218", STYLES[4]: _TEXT, STYLES[6]: "#f0a828"}
            for _ in range(cell_len(text)):
                assert ground_at(svg, x, y) == expected.get(style or STYLES[0], _GROUND)
                x += 1


def test_attributes_are_drawn() -> None:
    row = [
        Segment("bold", DARK + Style(bold=True)),
        Segment("line", DARK + Style(underline=True)),
        Segment("dim", DARK + Style(dim=True)),
        Segment("back", DARK + Style(reverse=True)),
        Segment("named", Style(color="red")),
    ]
    svg = parsed([row])
    assert css_of(svg, "bold") == "fill:#ffffff;font-weight:bold"
    assert css_of(svg, "line") == "fill:#ffffff;text-decoration:underline"
    assert css_of(svg, "dim") == "fill:#ffffff;opacity:.6"
    assert css_of(svg, "back") == "fill:#101010"
    assert ground_at(svg, 12, 0) == "#ffffff"
    assert css_of(svg, "named") == "fill:#cc555a"


def test_an_underline_covers_its_blanks_and_no_others() -> None:
    svg = parsed([[Segment("a ", DARK), Segment(" b ", DARK + Style(underline=True)), Segment(" c", DARK)]])
    assert [span.text for span in svg.iter(f"{_SVG}tspan")] == ["a ", " b ", " c"]


def test_it_needs_no_other_file() -> None:
    text = frame_svg([[Segment("lane", DARK)]], "a frame")
    without_namespace = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|@import|@font-face|href|<script|<image", without_namespace)


@pytest.mark.parametrize("text", ["<b>&amp;\"'", "\x1b[31m\x00\x07", "]]>", "\ud800"])
def test_texts_are_escaped(text: str) -> None:
    svg = parsed([[Segment(text, DARK)]], title=text)
    assert svg.findtext(f"{_SVG}title") == "".join(c if c.isprintable() else " " for c in text)
    shown = "".join(span.text or "" for span in svg.iter(f"{_SVG}tspan"))
    assert shown.split() == "".join(c for c in text if c.isprintable()).split()


def test_equal_neighbours_are_one() -> None:
    """The ground is one rectangle, a block of four rows another, and each row one run of text."""
    row = [Segment("a", DARK), Segment("b ", DARK), Segment("  ", Style(bgcolor="#ff0000")), Segment("c", DARK)]
    svg = parsed([row] * 4)
    assert len(list(svg.iter(f"{_SVG}rect"))) == 2
    assert len(list(svg.iter(f"{_SVG}tspan"))) == 4
