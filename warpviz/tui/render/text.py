"""Lines of styled text as strips of an exact width."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.palette import Palette

Part = tuple[str, Style]


@dataclass(frozen=True, eq=False)
class Look:
    """What to draw with: the colours and the characters."""

    palette: Palette
    glyphs: Glyphs


def strip_of(parts: Iterable[Part], width: int, fill: Style) -> Strip:
    """The parts one after the other, cut or filled with blanks in the style `fill` to exactly `width` columns."""
    strip = Strip([Segment(text, style) for text, style in parts if text])
    return strip.adjust_cell_length(width, fill).simplify()


def length(parts: Iterable[Part]) -> int:
    """How many columns the parts take."""
    return sum(cell_len(text) for text, _ in parts)


def between(left: list[Part], right: list[Part], width: int, look: Look) -> list[Part]:
    """`left` at the left edge and `right` at the right one; the left is cut with an ellipsis when both do not fit."""
    room = width - length(right)
    left = cut(left, max(room - 1, 0), look)
    return [*left, (" " * max(room - length(left), 0), look.palette.text), *right]


def cut(parts: list[Part], width: int, look: Look) -> list[Part]:
    """The parts, or as much of them as `width` columns hold with an ellipsis at the end."""
    if length(parts) <= width:
        return parts
    kept: list[Part] = []
    room = width - 1
    for text, style in parts:
        if cell_len(text) > room:
            return [*kept, (_head(text, room) + look.glyphs.ellipsis if width > 0 else "", style)]
        kept.append((text, style))
        room -= cell_len(text)
    return kept


def printable(text: str) -> str:
    """The text on one line: what is no printable character becomes a blank."""
    return "".join(c if c.isprintable() else " " for c in text)


def flow(parts: list[Part], width: int) -> list[list[Part]]:
    """The parts in lines of at most `width` columns, broken between words where they can be."""
    lines: list[list[Part]] = [[]]
    room = width
    for text, style in parts:
        for word in re.findall(r"\S+|\s+", text):
            if cell_len(word) > room:
                lines.append([])
                room = width
                if word.isspace():
                    continue
            for piece in _pieces(word, width):
                if cell_len(piece) > room:
                    lines.append([])
                    room = width
                lines[-1].append((piece, style))
                room -= cell_len(piece)
    return [line for line in lines if line]


def _pieces(word: str, width: int) -> list[str]:
    return [word[i : i + width] for i in range(0, len(word), max(width, 1))]


def _head(text: str, width: int) -> str:
    while cell_len(text) > width:
        text = text[:-1]
    return text
