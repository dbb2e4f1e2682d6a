"""Asks for the name of a file to save the view in."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input

from warpviz.tui.render.text import Look, Part, cut, printable, strip_of
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.text_field import TextField

_HINT = "the ending says how: .svg .txt .json .csv, or .cast for the animation"


class SaveScreen(ModalScreen[Path | None]):
    """A field at the foot of the screen below. Gives the path, or None when the user leaves it.

    A file that is there already is named once before it is written over.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    DEFAULT_CSS = """
    SaveScreen { align: left bottom; background: transparent; }
    SaveScreen Vertical { height: 2; }
    SaveScreen StripView { height: 1; }
    SaveScreen TextField { display: block; }
    """

    def __init__(self, suggested: str, look: Look) -> None:
        super().__init__()
        self._suggested = suggested
        self._look = look
        self._warned_of: Path | None = None
        self._said = ""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield StripView(lambda width, height: [self._line(width)], id="said")
            yield TextField(id="path")

    def on_mount(self) -> None:
        field = self.query_one(TextField)
        field.value = self._suggested
        field.focus()

    @on(Input.Submitted)
    def take(self, event: Input.Submitted) -> None:
        """The path is given; once more when there is a file already."""
        path = Path(event.value.strip()).expanduser()
        if not event.value.strip():
            self._say("give the file a name")
        elif path.exists() and path != self._warned_of:
            self._warned_of = path
            self._say(f"{path} is there already: enter writes over it")
        else:
            self.dismiss(path)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _say(self, sentence: str) -> None:
        self._said = sentence
        self.query_one("#said", StripView).redraw()

    def _line(self, width: int) -> Strip:
        palette = self._look.palette
        said: Part = (printable(self._said), palette.bad) if self._said else (_HINT, palette.quiet)
        parts: list[Part] = [(" save as  ", palette.strong), said]
        return strip_of(cut(parts, width, self._look), width, self._look)
