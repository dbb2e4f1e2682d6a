"""TextField: a line of text to edit, for a terminal that must not be written to without need."""

from __future__ import annotations

from textual.widgets import Input


class TextField(Input):
    """An Input whose cursor stands still and whose text never holds a control character, pasted or typed."""

    DEFAULT_CSS = """
    TextField { display: none; height: 1; border: none; padding: 0 1; background: $surface; }
    TextField:nocolor .input--cursor, TextField:nocolor .input--selection { text-style: reverse; }
    """

    def __init__(self, *, id: str, placeholder: str = "") -> None:
        super().__init__(id=id, placeholder=placeholder, compact=True, select_on_focus=False)
        self.cursor_blink = False

    def replace(self, text: str, start: int, end: int) -> None:
        super().replace("".join(char if char.isprintable() else " " for char in text), start, end)
