"""A frame: what a screen shows at one moment, as rows of styled segments of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

Row = Iterable[Segment]  # a Textual Strip is one
Frame = Sequence[Row]  # top first

_PLAIN = Style()


class Cell(NamedTuple):
    """One column of a row. text: a character with what combines with it; empty in the second column of a broad one."""

    text: str
    style: Style


def cells_of(row: Row) -> list[Cell]:
    """The row's columns from left to right."""
    cells: list[Cell] = []
    for text, style, control in row:
        if control:
            continue
        for character in text:
            width = cell_len(character)
            if width:
                cells += [Cell(character, style or _PLAIN), *[Cell("", style or _PLAIN)] * (width - 1)]
            elif cells:
                cells[-1] = Cell(cells[-1].text + character, cells[-1].style)
    return cells


def runs(cells: Iterable[Cell]) -> Iterator[tuple[str, Style]]:
    """Neighbouring columns of one style as (text, style)."""
    for style, run in groupby(cells, key=lambda cell: cell.style):
        yield "".join(cell.text for cell in run), style
