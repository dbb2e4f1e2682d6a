"""StripView: a widget that shows what a pure function draws, and writes no more than what changed."""

from __future__ import annotations

from collections.abc import Callable

from textual.geometry import Region
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

    def redraw(self) -> None:
        """Show what `draw` returns now."""
        width, height = self.size
        if not width or not height:
            return
        before, self._strips = self._strips, self._draw(width, height)[:height]
        regions = changed_regions(before, self._strips, width)
        if regions:
            self.refresh(*regions)

    def on_resize(self) -> None:
        self._strips = []
        self.redraw()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, self.rich_style)


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
