"""What a palette is: every style that a screen uses, and those that follow from a theme's colours."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rich.color import Color
from rich.style import Style

from warpviz.tui.palette.colours import Colours, HueColours, Rgb

State = Literal["waiting", "now", "served"]


class Hue(NamedTuple):
    """How a block of one hue looks in each state: in either tint, so that neighbours part, and when it holds the
    chosen lane."""

    waiting: tuple[Style, Style, Style]
    now: tuple[Style, Style, Style]
    served: tuple[Style, Style, Style]

    def of(self, state: State, tint: int, chosen: bool = False) -> Style:
        """The style of a block in this state. tint: 0 or 1."""
        styles = self.waiting if state == "waiting" else self.now if state == "now" else self.served
        return styles[2 if chosen else tint]


class Palette(NamedTuple):
    """Every style that a screen uses. `hues` has HUES entries."""

    text: Style
    strong: Style
    quiet: Style
    dim: Style
    faint: Style
    blank: Style  # where nothing is written: the ground alone, which takes the fewest bytes
    bar: Style  # the line at the top
    chosen: Style  # the lane or knob that the keys act on
    shared: Style  # added to a block that several lanes share
    fullest: Style  # the heading of the fullest bank
    waste: Style
    good: Style
    bad: Style
    hues: tuple[Hue, ...]


def style(colour: Rgb, ground: Rgb, bold: bool = False) -> Style:
    """Text of this colour on this ground."""
    return Style(color=Color.from_rgb(*colour), bgcolor=Color.from_rgb(*ground), bold=bold or None)


def coloured(colours: Colours) -> Palette:
    """The palette of a theme that brings its own colours."""
    ground = colours.ground
    return Palette(
        text=style(colours.text, ground),
        strong=style(colours.ink, ground, bold=True),
        quiet=style(colours.quiet, ground),
        dim=style(colours.dim, ground),
        faint=style(colours.faint, ground),
        blank=Style(bgcolor=Color.from_rgb(*ground)),
        bar=style(colours.ink, colours.bar),
        chosen=style(ground, colours.ink, bold=True),
        shared=Style(underline=True),
        fullest=style(colours.on_bright, colours.bad, bold=True),
        waste=style(colours.waste, ground),
        good=style(colours.good, ground, bold=True),
        bad=style(colours.bad, ground, bold=True),
        hues=tuple(_hue(hue, colours) for hue in colours.hues),
    )


def _hue(hue: HueColours, colours: Colours) -> Hue:
    ground, ink, on_bright = colours.ground, colours.ink, colours.on_bright
    return Hue(
        waiting=(style(hue.bright, ground), style(hue.bright_odd, ground), style(ink, ground, bold=True)),
        now=(
            style(on_bright, hue.bright, bold=True),
            style(on_bright, hue.bright_odd, bold=True),
            style(ground, ink, bold=True),
        ),
        served=(style(ink, hue.deep), style(ink, hue.deep_odd), style(ground, colours.quiet, bold=True)),
    )
