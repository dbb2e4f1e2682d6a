"""Lines of styled text as strips of an exact width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from warpviz.tui.glyphs import ASCII, UNICODE, Glyphs
from warpviz.tui.palette import Palette
from warpviz.wording import printable as printable

Part = tuple[str, Style]
Motion = Literal["full", "reduced"]


@dataclass(frozen=True, eq=False)
class Look:
    """What to draw with: the colours and the characters. motion: "reduced" draws a step with as little as tells it.
    keymap: the user's own keys by the ids of what they do.
    """

    palette: Palette
    glyphs: Glyphs
    motion: Motion = "full"
    keymap: Mapping[str, str] = field(default_factory=dict)


def strip_of(parts: Iterable[Part], width: int, look: Look, fill: Style | None = None) -> Strip:
    """The parts one after the other, cut or filled with blanks to exactly `width` columns.

    fill: the style of the blanks, the ground's when left out. Where only ASCII is carried, other characters, which come
    from the user's texts, become question marks.
    """
    if look.glyphs is ASCII:
        parts = [(_ascii(text), style) for text, style in parts]
    strip = Strip([Segment(text, style) for text, style in parts if text])
    return strip.adjust_cell_length(width, fill or look.palette.blank).simplify()


def _ascii(text: str) -> str:
    """The text in ASCII, of the same width."""
    if text.isascii():
        return text
    text = text.replace(UNICODE.ellipsis, ASCII.ellipsis)
    return "".join(c if c.isascii() else "?" * cell_len(c) for c in text)


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
    """As many of the first characters as so many columns hold."""
    taken = 0
    for place, character in enumerate(text):
        taken += cell_len(character)
        if taken > width:
            return text[:place]
    return text
