"""Asks for the name of a file to save the view in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input

from warpviz.tui.render.text import Look, Part, cut, length, printable, strip_of
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.text_field import TextField

_HINTS = (
    "the ending says how: .svg .txt .json .csv, or .cast for the animation",
    ".svg .txt .json .csv .cast",
)


class SaveScreen(ModalScreen[Path | None]):
    """A field at the foot of the screen below. Gives the path once `save` has written it, or None when the user leaves.

    A file that is there already is named once before it is written over. What goes wrong is said above the field, and
    the field keeps its text. save: raises ValueError or OSError.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    DEFAULT_CSS = """
    SaveScreen { align: left bottom; background: transparent; }
    SaveScreen Vertical { height: 2; }
    SaveScreen StripView { height: 1; }
    SaveScreen TextField { display: block; }
    """

    def __init__(self, suggested: str, save: Callable[[Path], None], look: Look) -> None:
        super().__init__()
        self._suggested = suggested
        self._save = save
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
        field.select_all()

    @on(Input.Submitted)
    def take(self, event: Input.Submitted) -> None:
        """The path is given; once more when there is a file already."""
        path = Path(event.value.strip()).expanduser()
        if not event.value.strip():
            self._say("give the file a name")
        elif path.is_file() and path != self._warned_of:
            self._warned_of = path
            self._say(f"{path.name} is there already: enter writes over it")
        else:
            self._try_to_save(path)

    def _try_to_save(self, path: Path) -> None:
        try:
            self._save(path)
        except ValueError as error:
            self._say(str(error))
        except FileNotFoundError:
            self._say(f"there is no folder {path.parent}")
        except OSError as error:
            self._say(f"{path.name} cannot be written: {error.strerror or error}")
        else:
            self.dismiss(path)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _say(self, sentence: str) -> None:
        self._said = sentence
        self.query_one("#said", StripView).redraw()

    def _line(self, width: int) -> Strip:
        palette = self._look.palette
        lead: Part = (" save as  ", palette.strong)
        hint = next((hint for hint in _HINTS if length([lead]) + len(hint) <= width), _HINTS[-1])
        said: Part = (printable(self._said), palette.bad) if self._said else (hint, palette.quiet)
        return strip_of(cut([lead, said], width, self._look), width, self._look)
