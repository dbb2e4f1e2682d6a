"""Where things stand: lanes, banks and the words of a line share 32 columns, so that the eye falls straight down."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.hardware import LANES

GROUP = 8  # columns between two rules: the words of a sector
SIDE_FROM = 140  # the screen width from which panels stand beside the picture
SMALLEST = (60, 20)  # columns and rows of the least screen
_WIDEST_CELL = 6
_RULES = LANES // GROUP + 1


@dataclass(frozen=True)
class Geometry:
    """The picture's columns, in characters. label: the row labels at the left; cell: one of the 32 columns;
    note: what is left at the right for a remark on each row."""

    label: int
    cell: int
    note: int

    def x(self, column: int) -> int:
        """The first character of a column, 0..31, counted from the picture's left edge."""
        return self.label + 1 + column * self.cell + column // GROUP

    def column_at(self, x: int) -> int | None:
        """The column that a character belongs to; None for labels, rules and notes."""
        group, inside = divmod(x - self.label - 1, GROUP * self.cell + 1)
        if not 0 <= group < LANES // GROUP or inside >= GROUP * self.cell:
            return None
        return group * GROUP + inside // self.cell

    @property
    def end(self) -> int:
        """The first character behind the last rule."""
        return self.label + LANES * self.cell + _RULES


def geometry(width: int) -> Geometry:
    """The largest columns that fit in `width` characters, 1 to 6 each; labels shrink first."""
    for cell in range(_WIDEST_CELL, 0, -1):
        for label in (10, 8, 6):
            taken = label + LANES * cell + _RULES
            if taken <= width:
                return Geometry(label, cell, width - taken)
    return Geometry(6, 1, 0)


def side_width(width: int) -> int:
    """How many columns of a screen of this width the panels beside the picture take; 0 when they stand under it."""
    return 0 if width < SIDE_FROM else min(48, max(30, width - 112))
