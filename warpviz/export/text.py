"""A frame as plain text."""

from __future__ import annotations

from warpviz.export.frame import Frame, cells_of


def frame_text(frame: Frame) -> str:
    """A line for each row of the frame, without the blanks at its end."""
    return "".join("".join(cell.text for cell in cells_of(row)).rstrip() + "\n" for row in frame)
