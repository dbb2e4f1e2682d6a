"""The colours of each theme, on terminals that show all colours and on those that show 256.

The hues stay apart for people with protanopia, deuteranopia and tritanopia, in every theme: neighbours, and every two
of the eight. So do the three states of a block. tests/tui/test_palette.py simulates it and holds how far.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Theme = Literal["dark", "light", "contrast"]
Rgb = tuple[int, int, int]

THEMES: tuple[Theme, ...] = ("dark", "light", "contrast")
HUES = 8


class HueColours(NamedTuple):
    """One hue, in either tint. bright: of a block that is served now, and of the numbers that wait. deep: the ground
    of a block that is served."""

    bright: Rgb
    bright_odd: Rgb
    deep: Rgb
    deep_odd: Rgb


class Colours(NamedTuple):
    """A theme. ink: what stands out most on the ground and on deep hues. on_bright: what is read on bright hues."""

    ground: Rgb
    ink: Rgb
    text: Rgb
    quiet: Rgb
    dim: Rgb
    faint: Rgb
    bar: Rgb
    waste: Rgb
    good: Rgb
    bad: Rgb
    on_bright: Rgb
    hues: tuple[HueColours, ...]


def mix(colour: Rgb, share: float, ground: Rgb) -> Rgb:
    """`share` of the colour over the ground; 1 is the colour itself.

    >>> mix((100, 200, 0), 0.5, (0, 0, 0))
    (50, 100, 0)
    """
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(colour, ground, strict=True))
    return red, green, blue


def of_number(number: int) -> Rgb:
    """What the colour of this number looks like where there are 256: 16 to 231 are a cube of six levels a side, 232 to
    255 greys. A grey is the one that rich turns back into the number.

    >>> of_number(208), of_number(231)
    ((255, 135, 0), (255, 255, 255))
    """
    if number >= 232:
        grey = round((number - 231) * 255 / 25)
        return grey, grey, grey
    red, green, blue = ((number - 16) // place % 6 for place in (36, 6, 1))
    return _level(red), _level(green), _level(blue)


def _level(step: int) -> int:
    return 55 + 40 * step if step else 0


def _mixed(hues: Iterable[Rgb], ground: Rgb, bright_odd: float, deep: float, deep_odd: float) -> tuple[HueColours, ...]:
    """Hues whose other colours are these shares of the bright one over the ground."""
    return tuple(HueColours(hue, *(mix(hue, share, ground) for share in (bright_odd, deep, deep_odd))) for hue in hues)


def _numbered(*hues: tuple[int, int, int, int]) -> tuple[HueColours, ...]:
    return tuple(HueColours(*map(of_number, numbers)) for numbers in hues)


_DARK: Rgb = (15, 18, 24)
_DARK_INK: Rgb = (232, 236, 241)
_LIGHT: Rgb = (252, 252, 250)
_LIGHT_INK: Rgb = (18, 21, 26)
_BLACK: Rgb = (0, 0, 0)
_WHITE: Rgb = (255, 255, 255)

# The hues, in order: blue, orange, green, pink, yellow, indigo, red, grey. Far ones stand next to each other.
RGB: dict[Theme, Colours] = {
    "dark": Colours(
        ground=_DARK,
        ink=_DARK_INK,
        text=mix(_DARK_INK, 0.85, _DARK),
        quiet=mix(_DARK_INK, 0.6, _DARK),
        dim=mix(_DARK_INK, 0.5, _DARK),
        faint=mix(_DARK_INK, 0.26, _DARK),
        bar=mix(_DARK_INK, 0.12, _DARK),
        waste=mix(_DARK_INK, 0.4, _DARK),
        good=(120, 240, 150),
        bad=(240, 92, 64),
        on_bright=(8, 10, 14),
        hues=_mixed(
            (
                (109, 176, 228),
                (238, 156, 25),
                (93, 230, 168),
                (189, 102, 152),
                (253, 238, 84),
                (110, 118, 233),
                (229, 88, 76),
                (227, 236, 241),
            ),
            _DARK,
            bright_odd=0.8,
            deep=0.4,
            deep_odd=0.3,
        ),
    ),
    "light": Colours(
        ground=_LIGHT,
        ink=_LIGHT_INK,
        text=mix(_LIGHT_INK, 0.9, _LIGHT),
        quiet=mix(_LIGHT_INK, 0.68, _LIGHT),
        dim=mix(_LIGHT_INK, 0.61, _LIGHT),
        faint=mix(_LIGHT_INK, 0.3, _LIGHT),
        bar=mix(_LIGHT_INK, 0.12, _LIGHT),
        waste=mix(_LIGHT_INK, 0.5, _LIGHT),
        good=(30, 122, 84),
        bad=(140, 24, 0),
        on_bright=_WHITE,
        hues=_mixed(
            (
                (12, 108, 220),
                (123, 86, 1),
                (44, 97, 77),
                (172, 53, 145),
                (110, 121, 72),
                (59, 12, 141),
                (107, 29, 0),
                (28, 37, 50),
            ),
            _LIGHT,
            bright_odd=0.86,
            deep=0.42,
            deep_odd=0.3,
        ),
    ),
    "contrast": Colours(
        ground=_BLACK,
        ink=_WHITE,
        text=_WHITE,
        quiet=mix(_WHITE, 0.8, _BLACK),
        dim=mix(_WHITE, 0.66, _BLACK),
        faint=mix(_WHITE, 0.5, _BLACK),
        bar=mix(_WHITE, 0.2, _BLACK),
        waste=mix(_WHITE, 0.6, _BLACK),
        good=(165, 239, 190),
        bad=(237, 145, 76),
        on_bright=_BLACK,
        hues=_mixed(
            (
                (164, 210, 254),
                (238, 182, 7),
                (70, 244, 165),
                (206, 150, 189),
                (249, 248, 111),
                (163, 160, 255),
                (252, 134, 105),
                (241, 245, 246),
            ),
            _BLACK,
            bright_odd=0.9,
            deep=0.36,
            deep_odd=0.26,
        ),
    ),
}

# The same hues by the numbers of a terminal of 256 colours, where a mixed tint would lose its hue.
CUBE: dict[Theme, Colours] = {
    "dark": Colours(
        ground=of_number(16),
        ink=of_number(255),
        text=of_number(252),
        quiet=of_number(246),
        dim=of_number(244),
        faint=of_number(239),
        bar=of_number(235),
        waste=of_number(243),
        good=of_number(121),
        bad=of_number(202),
        on_bright=of_number(16),
        hues=_numbered(
            (74, 31, 25, 24),
            (214, 172, 94, 130),
            (43, 72, 29, 22),
            (132, 175, 53, 96),
            (227, 185, 100, 101),
            (105, 62, 60, 17),
            (167, 203, 52, 95),
            (254, 251, 243, 239),
        ),
    ),
    "light": Colours(
        ground=of_number(231),
        ink=of_number(233),
        text=of_number(235),
        quiet=of_number(240),
        dim=of_number(242),
        faint=of_number(249),
        bar=of_number(253),
        waste=of_number(244),
        good=of_number(28),
        bad=of_number(88),
        on_bright=of_number(231),
        hues=_numbered(
            (26, 68, 110, 153),
            (94, 136, 180, 223),
            (65, 22, 151, 194),
            (169, 126, 225, 218),
            (100, 101, 186, 144),
            (54, 62, 103, 146),
            (88, 52, 138, 181),
            (235, 236, 249, 247),
        ),
    ),
    "contrast": Colours(
        ground=of_number(16),
        ink=of_number(231),
        text=of_number(231),
        quiet=of_number(252),
        dim=of_number(248),
        faint=of_number(244),
        bar=of_number(236),
        waste=of_number(246),
        good=of_number(155),
        bad=of_number(173),
        on_bright=of_number(16),
        hues=_numbered(
            (153, 110, 25, 24),
            (214, 172, 130, 94),
            (85, 42, 22, 29),
            (182, 175, 53, 96),
            (227, 185, 101, 100),
            (147, 141, 60, 61),
            (209, 203, 95, 52),
            (255, 253, 239, 238),
        ),
    ),
}
