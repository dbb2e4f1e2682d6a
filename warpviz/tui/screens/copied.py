"""Shows the command line that was sent to the clipboard."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip

from warpviz.tui.render.text import Look, Part, flow, printable, strip_of
from warpviz.tui.widgets.strip_view import StripView

_SENT = "sent to the terminal's clipboard (OSC 52); in tmux that takes: set -g set-clipboard on"


class CopiedScreen(ModalScreen[None]):
    """The whole line, at the foot of the screen below, for terminals without a clipboard; any key closes it.

    lacking: what of the view the line does not bring back; empty for nothing.
    """

    DEFAULT_CSS = """
    CopiedScreen { align: left bottom; background: transparent; }
    CopiedScreen StripView { height: auto; }
    """
    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self, line: str, lacking: str, look: Look) -> None:
        super().__init__()
        self._lacking = lacking
        self._line = line
        self._look = look

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: self._strips(width))

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(StripView).styles.height = min(len(self._strips(event.size.width)), event.size.height)

    def on_key(self, event: events.Key) -> None:
        """Close it; a key that means something to the screen below reaches that."""
        event.stop()
        self.dismiss()
        if event.key not in ("escape", "enter"):
            self.app.call_later(self.app.simulate_key, event.key)

    def _strips(self, width: int) -> list[Strip]:
        palette = self._look.palette
        line = printable(self._line.replace("\n", " "))
        said: list[Part] = [(_SENT, palette.good), ("; any key closes", palette.quiet)]
        rule: Part = (self._look.glyphs.row_rule * width, palette.faint)
        if self._lacking:
            said.append((f"; {self._lacking} cannot be in it", palette.bad))
        lines = [*flow(said, width - 2), *flow([(line, palette.strong)], width - 2)]
        indented = [[(" ", palette.text), *one] for one in lines]
        return [strip_of(parts, width, self._look) for parts in ([rule], *indented)]
