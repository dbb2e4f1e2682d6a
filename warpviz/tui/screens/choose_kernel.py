"""Asks which kernel of a file is meant."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from warpviz.tui.render.kernel_choice import choice_strips, first_in_sight, title_strip
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.widgets.strip_view import StripView

_KEYS = (("↑ ↓", "choose"), ("enter", "open"), ("esc", "leave"))
_FAR = 100_000


class ChooseKernelScreen(LookScreen):
    """names: of the file's kernels. chosen: the one that the user wants; None until then, and when the user leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("home", f"move(-{_FAR})", show=False),
        Binding("end", f"move({_FAR})", show=False),
        Binding("enter,space", "open", show=False),
        Binding("escape", "dismiss", show=False),
        Binding("q", "app.quit", show=False),
    ]
    DEFAULT_CSS = "ChooseKernelScreen #names { height: 1fr; margin-top: 1; }"

    def __init__(self, file: str, names: tuple[str, ...], look: Look) -> None:
        super().__init__(look)
        self._file = file
        self._names = names
        self._at = 0
        self.chosen: str | None = None

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: [title_strip(self._file, len(self._names), width, self.look)], id="title")
        yield StripView(self._lines, id="names")
        yield StripView(lambda width, height: [key_strip(_KEYS, (("q", "quit"),), width, self.look)], id="keys")
        yield self.too_small_view()

    def action_move(self, by: int) -> None:
        self._at = min(max(self._at + by, 0), len(self._names) - 1)
        self.redraw()

    def action_open(self) -> None:
        self.chosen = self._names[self._at]
        self.dismiss()

    def on_click(self, event: events.Click) -> None:
        """Choose the kernel under the mouse; open it when it was chosen before."""
        names = self.query_one("#names", StripView)
        row = first_in_sight(self._at, names.size.height, len(self._names)) + event.y
        if event.widget is not names or row >= len(self._names):
            return
        again = row == self._at
        self.action_move(row - self._at)
        if again:
            self.action_open()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-1)

    def _lines(self, width: int, height: int) -> list[Strip]:
        return choice_strips(self._names, self._at, width, height, self.look)
