"""A frame as plain text."""

from __future__ import annotations

from hypothesis import given
from rich.segment import ControlType, Segment

from tests.export.frames import FRAMES, plain
from warpviz.export.text import frame_text


@given(frame=FRAMES)
def test_a_line_for_each_row_without_blanks_at_its_end(frame: list[list[Segment]]) -> None:
    assert frame_text(frame) == "".join(f"{plain(row).rstrip(' ')}\n" for row in frame)


def test_what_is_no_text_is_left_out() -> None:
    assert frame_text([[Segment("a"), Segment("\x1b[2J", None, [(ControlType.CLEAR,)]), Segment("b")]]) == "ab\n"
