"""The colours of the screen, for what the terminal can show and for the theme that the user likes.

A hue tells words (or sectors) apart; weight tells waiting from now from served, so that the state is readable without
any colour.
"""

from __future__ import annotations

from warpviz.tui.palette.choose import next_theme, palette, themes_of
from warpviz.tui.palette.colours import HUES, THEMES, Rgb, Theme
from warpviz.tui.palette.depth import Depth, colour_depth, own_colours
from warpviz.tui.palette.styles import Hue, Palette, State

__all__ = [
    "HUES",
    "THEMES",
    "Depth",
    "Hue",
    "Palette",
    "Rgb",
    "State",
    "Theme",
    "colour_depth",
    "next_theme",
    "own_colours",
    "palette",
    "themes_of",
]
