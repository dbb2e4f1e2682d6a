"""What every screen of the program has: a look, worn by all its strip views, its keys, and a least size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from warpviz.tui.keymap import shown_keys
from warpviz.tui.keys import LAST_KEYS, Key
from warpviz.tui.render.geometry import SMALLEST
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look, flow, strip_of
from warpviz.tui.widgets.strip_view import StripView


def bindings_of(keys: Iterable[Key]) -> list[Binding]:
    """What binds the keys of a table, the user's own ones in their place."""
    return [Binding(key.keys, key.action, key.brief, show=False, id=key.id) for key in keys]


class LookScreen(Screen[None]):
    """A screen made of strip views that draw with `look`. Where it does not fit, one sentence says so instead.

    KEYS: the table of its keys.
    """

    KEYS: ClassVar[tuple[Key, ...]] = ()
    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    LookScreen { background: $background; }
    LookScreen StripView { height: 1; }
    LookScreen #too-small { display: none; height: 1fr; }
    LookScreen.too-small > * { display: none !important; }
    LookScreen.too-small > #too-small { display: block !important; }
    """

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._focused_before: Widget | None = None

    def on_resize(self, event: events.Resize) -> None:
        """Show the one sentence while it is too small; afterwards the focus is where it was."""
        columns, rows = SMALLEST
        small, was_small = event.size.width < columns or event.size.height < rows, self.has_class("too-small")
        if small and not was_small:
            self._focused_before = self.focused
        self.set_class(small, "too-small")
        if was_small and not small and self._focused_before is not None:
            self.call_after_refresh(self._focused_before.focus)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is done to what cannot be seen."""
        return not self.has_class("too-small")

    def too_small_view(self) -> StripView:
        """What every screen composes besides its own: seen alone when the terminal is too small."""
        return StripView(self._too_small, id="too-small")

    def wear(self, look: Look) -> None:
        """Draw with other colours from now on."""
        self.look = look
        self.redraw()

    def own_keys(self) -> list[Key]:
        """The table with the names of the user's own keys."""
        return [key._replace(shown=self._own(key.shown)) for key in self.KEYS]

    def foot_strip(
        self, keys: Iterable[tuple[str, str]], width: int, last: Iterable[tuple[str, str]] = LAST_KEYS
    ) -> Strip:
        """The footer: keys of this screen and what they do, with the names of the user's own ones."""
        own, own_last = ([(self._own(key), does) for key, does in some] for some in (keys, last))
        return key_strip(own, own_last, width, self.look)

    def _own(self, shown: str) -> str:
        return shown_keys(shown, self.KEYS, self.look.keymap) if self.look.keymap else shown

    def redraw(self) -> None:
        """Show what differs in any strip view."""
        for widget in self.query(StripView):
            widget.redraw()

    def _too_small(self, width: int, height: int) -> list[Strip]:
        columns, rows = SMALLEST
        sentence = f"warpviz needs {columns} columns and {rows} rows; this terminal has {width} and {height}."
        lines = flow([(sentence, self.look.palette.text)], width)
        return [strip_of(line, width, self.look) for line in lines]
