"""StripView: a widget that shows what a pure function draws, and writes no more than what changed."""

from __future__ import annotations

from collections.abc import Callable

from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

Draw = Callable[[int, int], list[Strip]]


class StripView(Widget):
    """Lines drawn by `draw(width, height)`, which returns strips of exactly that width, top first.

    `redraw` draws again and refreshes the rows that differ, each up to its last changed character.
    """

    def __init__(self, draw: Draw, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._draw = draw
        self._strips: list[Strip] = []
        self._drawn_size: Size | None = None  # of the strips; None before the first drawing

    def redraw(self) -> None:
        """Show what `draw` returns now."""
        if self._drawn_size != self.size or not self.size:
            self._drawn_size = None  # drawn, all of it, when it is next rendered
            self.refresh()
            return
        before = self._strips
        self._draw_strips()
        regions = changed_regions(before, self._strips, self.size.width)
        if regions:
            self.refresh(*regions)

    def render_line(self, y: int) -> Strip:
        if self._drawn_size != self.size:
            self._draw_strips()
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, self.rich_style)

    def _draw_strips(self) -> None:
        width, height = self._drawn_size = self.size
        self._strips = self._draw(width, height)[:height] if width and height else []


def changed_regions(before: list[Strip], after: list[Strip], width: int) -> list[Region]:
    """A region for each row that differs, from its first changed character to its last."""
    regions = []
    for y in range(max(len(before), len(after))):
        if y >= len(before) or y >= len(after):
            regions.append(Region(0, y, width, 1))
        elif before[y] is not after[y] and before[y] != after[y]:
            start, end = _changed_span(before[y], after[y])
            regions.append(Region(start, y, end - start, 1))
    return regions


def _changed_span(before: Strip, after: Strip) -> tuple[int, int]:
    """The first changed character and one past the last one, of two strips of equal width that differ."""
    old, new = list(before), list(after)
    start = 0
    while old and new and old[0] == new[0]:
        start += new[0].cell_length
        old, new = old[1:], new[1:]
    end = after.cell_length
    while old and new and old[-1] == new[-1]:
        end -= new[-1].cell_length
        old, new = old[:-1], new[:-1]
    return start, max(end, start + 1)
