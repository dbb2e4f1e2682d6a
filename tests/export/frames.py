"""Frames for the tests: rows of styled segments, by hand and at random."""

from __future__ import annotations

from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

STYLES = [
    Style(),
    Style(color="#56b4e9", bgcolor="#0f1218"),
    Style(color="#e2e6ec", bgcolor="#0f1218", bold=True),
    Style(color="cyan", underline=True),
    Style(reverse=True),
    Style(dim=True, italic=True),
    Style(bgcolor="#f0a828"),
]
WIDTH, HEIGHT = 12, 4
_CHARACTERS = " ab01│─┼█░▁✓●·→<>&\"'漢é"


@st.composite
def rows(draw: st.DrawFn) -> list[Segment]:
    """A row of exactly WIDTH columns."""
    segments, room = [], WIDTH
    for text in draw(st.lists(st.text(_CHARACTERS, min_size=1, max_size=5), max_size=6)):
        while cell_len(text) > room:
            text = text[:-1]
        segments.append(Segment(text, draw(st.sampled_from(STYLES))))
        room -= cell_len(text)
    return [*segments, Segment(" " * room, draw(st.sampled_from(STYLES)))]


FRAMES = st.lists(rows(), min_size=HEIGHT, max_size=HEIGHT)


def plain(row: list[Segment]) -> str:
    """The row's characters."""
    return "".join(segment.text for segment in row)
