"""The footer: keys and what they do."""

from __future__ import annotations

from collections.abc import Iterable

from textual.strip import Strip

from warpviz.tui.glyphs import key_name
from warpviz.tui.render.text import Look, Part, between, length, strip_of


def key_strip(keys: Iterable[tuple[str, str]], last: Iterable[tuple[str, str]], width: int, look: Look) -> Strip:
    """Keys and what they do: `last` at the right edge, of the others as many as fit before them."""
    right = [part for key in last for part in _key(key, look)]
    left: list[Part] = []
    for key in keys:
        if length(left) + length(_key(key, look)) + length(right) < width:
            left += _key(key, look)
    return strip_of(between(left, right, width, look), width, look)


def _key(key: tuple[str, str], look: Look) -> list[Part]:
    name, does = key
    return [(f" {key_name(name, look.glyphs)}", look.palette.strong), (f" {does} ", look.palette.quiet)]
