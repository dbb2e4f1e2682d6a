"""The colours of the screen, for what the terminal can show.

A hue tells words (or sectors) apart; weight tells waiting from now from served, so that the state is readable without
any colour. The eight hues follow Okabe and Ito's set, which people with the common forms of colour blindness can tell
apart, in an order that puts far ones next to each other.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rich.color import Color
from rich.console import Console
from rich.style import Style

Depth = Literal["rgb", "cube", "ansi", "mono"]
State = Literal["waiting", "now", "served"]
Rgb = tuple[int, int, int]

HUES = 8
_HUES: tuple[Rgb, ...] = (
    (86, 180, 233),
    (240, 168, 40),
    (70, 200, 150),
    (222, 136, 184),
    (240, 228, 80),
    (110, 140, 245),
    (240, 118, 70),
    (190, 200, 205),
)
# The same on a dark ground in the 6 x 6 x 6 cube of a terminal of 256 colours, where a mixed tint would lose its hue:
# the text of served blocks, now, served in either tint, waiting in either tint.
_CUBE_HUES = (
    (0x87D7FF, 0x5FAFFF, 0x005F87, 0x005FAF, 0x5F87AF, 0x5F87D7),
    (0xFFD787, 0xFFAF00, 0x875F00, 0xAF5F00, 0xAF8700, 0xAF5F00),
    (0x87FFAF, 0x5FD7AF, 0x00875F, 0x005F00, 0x00AF87, 0x5F875F),
    (0xFFAFFF, 0xD787AF, 0x875F87, 0x5F005F, 0xAF5FAF, 0x875F87),
    (0xFFFFAF, 0xFFFF5F, 0x878700, 0x5F5F00, 0xAFAF00, 0x878700),
    (0xAFAFFF, 0x5F87FF, 0x5F5FAF, 0x000087, 0x5F5FD7, 0x5F5FAF),
    (0xFFAF87, 0xFF875F, 0xAF0000, 0x870000, 0xD75F5F, 0xAF5F5F),
    (0xE4E4E4, 0xD0D0D0, 0x626262, 0x444444, 0x949494, 0x767676),
)
_ANSI_HUES = ("cyan", "yellow", "green", "magenta", "white", "blue", "red", "bright_white")
DARK_BACKGROUND: Rgb = (15, 18, 24)
LIGHT_BACKGROUND: Rgb = (252, 252, 250)
_BLACK: Rgb = (10, 12, 16)


@dataclass(frozen=True, eq=False)
class Hue:
    """How a block of one hue looks in each state: in either tint, so that neighbours part, and when it holds the
    chosen lane."""

    waiting: tuple[Style, Style, Style]
    now: tuple[Style, Style, Style]
    served: tuple[Style, Style, Style]

    def of(self, state: State, tint: int, chosen: bool = False) -> Style:
        """The style of a block in this state. tint: 0 or 1."""
        styles = self.waiting if state == "waiting" else self.now if state == "now" else self.served
        return styles[2 if chosen else tint]


@dataclass(frozen=True, eq=False)
class Palette:
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


def colour_depth() -> Depth:
    """What this terminal shows: "mono" under NO_COLOR, "ansi" with 16 colours, "cube" with 256, "rgb" with all."""
    if os.environ.get("NO_COLOR"):
        return "mono"
    system = Console(force_terminal=True).color_system
    depths: dict[str | None, Depth] = {None: "mono", "256": "cube", "truecolor": "rgb"}
    return depths.get(system, "ansi")


def own_colours(depth: Depth) -> bool:
    """Whether the program chooses its colours itself, instead of taking the terminal's sixteen."""
    return depth in ("rgb", "cube")


@cache
def palette(depth: Depth, dark: bool) -> Palette:
    """The palette for a colour depth on a dark or a light background."""
    if depth == "mono":
        return _mono()
    return _ansi() if depth == "ansi" else _rgb(dark, coarse=depth == "cube")


def mix(colour: Rgb, share: float, ground: Rgb) -> Rgb:
    """`share` of the colour over the ground; 1 is the colour itself.

    >>> mix((100, 200, 0), 0.5, (0, 0, 0))
    (50, 100, 0)
    """
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(colour, ground, strict=True))
    return red, green, blue


def _style(colour: Rgb, ground: Rgb, bold: bool = False) -> Style:
    return Style(color=Color.from_rgb(*colour), bgcolor=Color.from_rgb(*ground), bold=bold or None)


def _rgb(dark: bool, coarse: bool) -> Palette:
    ground = DARK_BACKGROUND if dark else LIGHT_BACKGROUND
    ink: Rgb = (226, 230, 236) if dark else (24, 28, 34)
    warm: Rgb = (255, 120, 90) if dark else (190, 40, 10)
    fresh: Rgb = (110, 215, 140) if dark else (10, 120, 50)
    return Palette(
        text=_style(mix(ink, 0.85, ground), ground),
        strong=_style(ink, ground, bold=True),
        quiet=_style(mix(ink, 0.58, ground), ground),
        dim=_style(mix(ink, 0.42, ground), ground),
        faint=_style(mix(ink, 0.24, ground), ground),
        blank=Style(bgcolor=Color.from_rgb(*ground)),
        bar=_style(ink, mix(ink, 0.12, ground)),
        chosen=_style(ground, ink, bold=True),
        shared=Style(underline=True),
        fullest=_style(_BLACK if dark else LIGHT_BACKGROUND, warm, bold=True),
        waste=_style(mix(ink, 0.36, ground), ground),
        good=_style(fresh, ground, bold=True),
        bad=_style(warm, ground, bold=True),
        hues=tuple(_cube_hue(six, ground, ink) for six in _CUBE_HUES)
        if coarse and dark
        else tuple(_rgb_hue(hue, ground, ink, dark) for hue in _HUES),
    )


def _rgb_hue(hue: Rgb, ground: Rgb, ink: Rgb, dark: bool) -> Hue:
    text = mix(hue, 0.9, (255, 255, 255)) if dark else mix(hue, 0.45, _BLACK)
    far, near = (0.68, 0.5) if dark else (0.62, 0.78)
    waits = [_style(mix(hue, share, ground if dark else _BLACK), ground) for share in (far, near)]
    even, odd, chosen = (0.36, 0.27, 0.6) if dark else (0.5, 0.36, 0.8)
    return Hue(
        waiting=(waits[0], waits[1], _style(ink, ground, bold=True)),
        now=(
            _style(_BLACK, hue, bold=True),
            _style(_BLACK, mix(hue, 0.82, ground), bold=True),
            _style(ground, ink, bold=True),
        ),
        served=(
            _style(text, mix(hue, even, ground)),
            _style(text, mix(hue, odd, ground)),
            _style(ink, mix(hue, chosen, ground), bold=True),
        ),
    )


def _cube_hue(six: tuple[int, ...], ground: Rgb, ink: Rgb) -> Hue:
    text, now, even, odd, far, near = ((number >> 16, number >> 8 & 255, number & 255) for number in six)
    return Hue(
        waiting=(_style(far, ground), _style(near, ground), _style(ink, ground, bold=True)),
        now=(_style(_BLACK, now, bold=True), _style(_BLACK, far, bold=True), _style(ground, ink, bold=True)),
        served=(_style(text, even), _style(text, odd), _style(ink, far, bold=True)),
    )


def _ansi() -> Palette:
    return Palette(
        text=Style(),
        strong=Style(bold=True),
        quiet=Style(color="bright_black"),
        dim=Style(color="bright_black"),
        faint=Style(color="bright_black"),
        blank=Style(),
        bar=Style(reverse=True),
        chosen=Style(reverse=True, bold=True),
        shared=Style(underline=True),
        fullest=Style(color="white", bgcolor="red", bold=True),
        waste=Style(color="bright_black"),
        good=Style(color="green", bold=True),
        bad=Style(color="red", bold=True),
        hues=tuple(_ansi_hue(name) for name in _ANSI_HUES),
    )


def _ansi_hue(name: str) -> Hue:
    waiting = Style(color="bright_black")
    now = Style(color="black", bgcolor=name)  # bold black is grey on many terminals
    served, odd = Style(color=name), Style(color=name, bold=True)
    chosen = Style(bold=True, underline=True)
    return Hue((waiting, waiting, chosen), (now, now, now + chosen), (served, odd, odd + chosen))


def _mono() -> Palette:
    plain, bold, dim, reverse = Style(), Style(bold=True), Style(dim=True), Style(reverse=True)
    chosen = Style(bold=True, underline=True)
    now = reverse + bold
    hue = Hue((dim, dim, chosen), (now, now, now + chosen), (plain, bold, chosen))
    return Palette(
        text=plain,
        strong=bold,
        quiet=dim,
        dim=dim,
        faint=dim,
        blank=plain,
        bar=reverse,
        chosen=Style(bold=True, underline=True),
        shared=Style(underline=True),
        fullest=reverse + bold,
        waste=dim,
        good=bold,
        bad=bold,
        hues=(hue,) * HUES,
    )
