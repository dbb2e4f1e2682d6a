"""The kernels of a file, to choose one."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from warpviz.tui.render.text import Look, Part, between, cut, printable, strip_of
from warpviz.wording import counted


def title_strip(file: str, kernels: int, width: int, look: Look) -> Strip:
    """The file, and what is asked."""
    bar = look.palette.bar
    right: list[Part] = [(f"{counted(kernels, 'kernel')}: which one? ", bar)]
    parts = between([(f" {printable(file)}", look.palette.strong)], right, width, look)
    return strip_of([(text, style + bar) for text, style in parts], width, look, bar)


def choice_strips(names: Sequence[str], chosen: int, width: int, height: int, look: Look) -> list[Strip]:
    """The names in sight, one a line. chosen: the place of the one that the cursor is on."""
    palette = look.palette
    first = first_in_sight(chosen, height, len(names))
    strips = []
    for place, name in enumerate(names[first : first + height], first):
        mark = look.glyphs.play if place == chosen else " "
        parts: list[Part] = [
            (f" {mark} ", palette.strong),
            (printable(name), palette.strong if place == chosen else palette.text),
        ]
        strips.append(strip_of(cut(parts, width, look), width, look))
    return strips


def first_in_sight(chosen: int, height: int, count: int) -> int:
    """The first name in sight, so that the chosen one is.

    >>> first_in_sight(0, 10, 50), first_in_sight(30, 10, 50), first_in_sight(49, 10, 50)
    (0, 25, 40)
    """
    return max(min(chosen - height // 2, count - height), 0)
