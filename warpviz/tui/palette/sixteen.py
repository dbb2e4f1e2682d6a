"""Palettes where the terminal chooses the colours: its own sixteen, or none at all."""

from __future__ import annotations

from rich.style import Style

from warpviz.tui.palette.colours import HUES, Theme
from warpviz.tui.palette.styles import Hue, Palette

# A hue's ground while it is served now and, after that, the colour of its numbers: what reads on each ground.
_HUES: dict[Theme, tuple[str, ...]] = {
    "dark": ("cyan", "yellow", "green", "magenta", "white", "blue", "red", "bright_white"),
    "light": ("cyan", "yellow", "green", "magenta", "bright_blue", "blue", "red", "black"),
    "contrast": (
        "bright_cyan",
        "bright_yellow",
        "bright_green",
        "bright_magenta",
        "cyan",
        "bright_blue",
        "bright_red",
        "bright_white",
    ),
}
_CHOSEN = Style(bold=True, underline=True)
_SHARED = Style(underline=True)


def sixteen(theme: Theme) -> Palette:
    """Of the terminal's sixteen colours. On its own ground, but for "contrast", which has a black one and no grey."""
    high = theme == "contrast"
    plain = Style(color="bright_white", bgcolor="black") if high else Style()
    grey = Style(color="white", bgcolor="black") if high else Style(color="bright_black")
    return Palette(
        text=plain,
        strong=plain + Style(bold=True),
        quiet=grey,
        dim=grey,
        faint=grey,
        blank=Style(bgcolor="black") if high else Style(),
        bar=plain + Style(reverse=True),
        chosen=plain + Style(reverse=True, bold=True),
        shared=_SHARED,
        fullest=Style(color="black", bgcolor="bright_red") if high else Style(color="white", bgcolor="red", bold=True),
        waste=grey,
        good=plain + Style(color="bright_green" if high else "green", bold=True),
        bad=plain + Style(color="bright_red" if high else "red", bold=True),
        hues=tuple(_hue(name, plain, grey) for name in _HUES[theme]),
    )


def _hue(name: str, plain: Style, grey: Style) -> Hue:
    on_bright = "bright_white" if name == "black" else "black"
    now = Style(color=on_bright, bgcolor=name)  # bold black is grey on many terminals
    served = plain + Style(color=name)
    odd = served + Style(bold=True)
    return Hue((grey, grey, plain + _CHOSEN), (now, now, now + _CHOSEN), (served, odd, odd + _CHOSEN))


def no_colour(theme: Theme) -> Palette:
    """Bold, dim, underlined and reversed text alone; in "contrast" nothing is dim."""
    plain, bold, reverse = Style(), Style(bold=True), Style(reverse=True)
    dim = plain if theme == "contrast" else Style(dim=True)
    now = reverse + bold
    hue = Hue((dim, dim, _CHOSEN), (now, now, now + _CHOSEN), (plain, bold, _CHOSEN))
    return Palette(
        text=plain,
        strong=bold,
        quiet=dim,
        dim=dim,
        faint=dim,
        blank=plain,
        bar=reverse,
        chosen=_CHOSEN,
        shared=_SHARED,
        fullest=now,
        waste=dim,
        good=bold,
        bad=bold,
        hues=(hue,) * HUES,
    )
