"""What every screen of the program has: a look, worn by all its strip views, and a least size."""

from __future__ import annotations

from textual import events
from textual.screen import Screen
from textual.strip import Strip

from warpviz.tui.render.geometry import SMALLEST
from warpviz.tui.render.text import Look, flow, strip_of
from warpviz.tui.widgets.strip_view import StripView


class LookScreen(Screen[None]):
    """A screen made of strip views that draw with `look`. Where it does not fit, one sentence says so instead."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    LookScreen StripView { height: 1; }
    LookScreen #too-small { display: none; height: 1fr; }
    LookScreen.too-small > * { display: none !important; }
    LookScreen.too-small > #too-small { display: block !important; }
    """

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def on_resize(self, event: events.Resize) -> None:
        columns, rows = SMALLEST
        self.set_class(event.size.width < columns or event.size.height < rows, "too-small")

    def too_small_view(self) -> StripView:
        """What every screen composes besides its own: seen alone when the terminal is too small."""
        return StripView(self._too_small, id="too-small")

    def wear(self, look: Look) -> None:
        """Draw with other colours from now on."""
        self.look = look
        self.redraw()

    def redraw(self) -> None:
        """Show what differs in any strip view."""
        for widget in self.query(StripView):
            widget.redraw()

    def _too_small(self, width: int, height: int) -> list[Strip]:
        columns, rows = SMALLEST
        sentence = f"warpviz needs {columns} columns and {rows} rows; this terminal has {width} and {height}."
        lines = flow([(sentence, self.look.palette.text)], width)
        return [strip_of(line, width, self.look.palette.blank) for line in lines]
