"""The keys, explained."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from warpviz.tui.glyphs import key_name
from warpviz.tui.keys import Key
from warpviz.tui.render.text import Look, Part, cut, strip_of
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.widgets.strip_view import StripView


class HelpScreen(LookScreen):
    """Lists the keys of the screen below; any of a few keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter,space", "dismiss", show=False)]

    DEFAULT_CSS = "HelpScreen #help { height: 1fr; }"

    def __init__(self, keys: Iterable[Key], look: Look) -> None:
        super().__init__(look)
        self._explained = [key for key in keys if key.explained]

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: help_strips(self._explained, width, self.look), id="help")
        yield self.too_small_view()


def help_strips(keys: Iterable[Key], width: int, look: Look) -> list[Strip]:
    """A line for each key, under a title."""
    palette = look.palette
    lines: list[list[Part]] = [[(" keys", palette.strong), ("    esc closes", palette.quiet)], []]
    lines += [
        [(f"  {key_name(key.shown, look.glyphs):<12}", palette.strong), (key.explained, palette.text)] for key in keys
    ]
    return [strip_of(cut(line, width, look), width, palette.blank) for line in lines]
