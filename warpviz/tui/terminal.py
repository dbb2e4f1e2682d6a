"""What Textual is told of the terminal's colours, where it would find out something else by itself."""

from __future__ import annotations

from dataclasses import replace

from rich.color import Color
from rich.console import Console
from textual.theme import BUILTIN_THEMES
from textual.theme import Theme as TextualTheme

from warpviz.tui.palette import Depth, Theme, own_colours, palette

_COLOUR_SYSTEMS = {"rgb": "truecolor", "cube": "256", "ansi": "standard", "mono": "standard"}


def console_for(depth: Depth, beside: Console) -> Console:
    """A console like `beside` that writes the colours of this depth."""
    return Console(
        color_system=_COLOUR_SYSTEMS[depth],  # type: ignore[arg-type]
        file=beside.file,
        force_terminal=True,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        safe_box=False,
    )


def textual_theme(depth: Depth, theme: Theme) -> TextualTheme:
    """The theme for what Textual draws itself: the field to type in, and the ground where nothing else is."""
    return (_own if own_colours(depth) else _of_sixteen)(depth, theme)


def _own(depth: Depth, theme: Theme) -> TextualTheme:
    look = palette(depth, theme)
    ground, ink = _name(look.blank.bgcolor), _name(look.strong.color)
    return TextualTheme(
        f"warpviz-{theme}", primary=_name(look.good.color), foreground=ink, background=ground, dark=theme != "light"
    )


def _of_sixteen(depth: Depth, theme: Theme) -> TextualTheme:
    own = replace(BUILTIN_THEMES["ansi-light" if theme == "light" else "ansi-dark"], name=f"warpviz-{theme}")
    if theme != "contrast" or depth == "mono":
        return own
    black, white = "ansi_black", "ansi_bright_white"
    return replace(own, foreground=white, background=black, surface=black, panel=black, boost=black)


def _name(colour: Color | None) -> str:
    return "" if colour is None else colour.get_truecolor().hex
