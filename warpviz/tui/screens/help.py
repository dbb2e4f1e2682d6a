"""The help: what is open, the keys, and the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from warpviz.tui.keys import Key
from warpviz.tui.render.help import foot_strip, glossary_topic, help_strips, page_of, topics_of_keys
from warpviz.tui.render.lines import window
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.topics import Topic
from warpviz.tui.widgets.strip_view import StripView

_WHEEL_LINES = 3
_TO_THE_END = 10_000  # lines


class HelpScreen(LookScreen):
    """Explains topics about the screen below, then its keys, then the words; scrolls where it does not fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", show=False),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown,space", "turn(1)", show=False),
        Binding("pageup", "turn(-1)", show=False),
        Binding("home", f"move(-{_TO_THE_END})", show=False),
        Binding("end", f"move({_TO_THE_END})", show=False),
    ]
    DEFAULT_CSS = "HelpScreen #help { height: 1fr; }"

    def __init__(self, keys: Iterable[Key], look: Look, topics: Sequence[Topic] = ()) -> None:
        super().__init__(look)
        self._topics = (*topics, *topics_of_keys(keys), glossary_topic())
        self._top = 0

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: window(self._lines(width), self._top, height), id="help")
        yield StripView(lambda width, _: [self._foot(width)], id="keys")
        yield self.too_small_view()

    def action_move(self, lines: int) -> None:
        """So many lines further down."""
        width, height = self._page.size
        self._top = min(max(self._top + lines, 0), max(len(self._lines(width)) - height, 0))
        self.redraw()

    def action_turn(self, pages: int) -> None:
        """So many pages further down."""
        self.action_move(pages * self._page.size.height)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.action_move, 0)

    def on_mouse_scroll_down(self) -> None:
        self.action_move(_WHEEL_LINES)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-_WHEEL_LINES)

    @property
    def _page(self) -> StripView:
        return self.query_one("#help", StripView)

    def _lines(self, width: int) -> list[Strip]:
        return help_strips(self._topics, width, self.look)

    def _foot(self, width: int) -> Strip:
        page, total = self._page.size, len(self._lines(self._page.size.width))
        return foot_strip(page_of(self._top, page.height, total), width, self.look)
