"""The palette for a terminal and a theme."""

from __future__ import annotations

from functools import cache

from warpviz.tui.palette.colours import CUBE, RGB, THEMES, Theme
from warpviz.tui.palette.depth import Depth
from warpviz.tui.palette.styles import Palette, coloured


@cache
def palette(depth: Depth, theme: Theme) -> Palette:
    """The palette for a colour depth and a theme."""
    if depth in ("rgb", "cube"):
        return coloured((RGB if depth == "rgb" else CUBE)[theme])
    from warpviz.tui.palette.sixteen import no_colour, sixteen

    return no_colour(theme) if depth == "mono" else sixteen(theme)


def themes_of(depth: Depth) -> tuple[Theme, ...]:
    """The themes that look different on such a terminal, in the order that a key goes through them."""
    return ("dark", "contrast") if depth == "mono" else THEMES


def next_theme(depth: Depth, theme: Theme) -> Theme:
    """The theme after this one.

    >>> next_theme("rgb", "contrast"), next_theme("mono", "dark")
    ('dark', 'contrast')
    """
    themes = themes_of(depth)
    return themes[(themes.index(theme) + 1) % len(themes)] if theme in themes else themes[0]
