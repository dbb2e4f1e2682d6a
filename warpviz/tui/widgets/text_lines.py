"""TextLines: several lines of text to edit, in a column of fields."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult


class TextLines(TextArea):
    """A TextArea whose cursor stands still, and at the end of a line when the keys come; that the up and down keys
    leave at its first and last line; and whose text holds no control character but the ends of its lines."""

    DEFAULT_CSS = """
    TextLines { height: auto; min-height: 1; padding: 0; scrollbar-size: 0 0; }
    TextLines .text-area--cursor-line { background: transparent; }
    TextLines:nocolor .text-area--cursor, TextLines:nocolor .text-area--selection { text-style: reverse; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, compact=True)
        self.cursor_blink = False

    def on_focus(self, event: events.Focus) -> None:
        if not event.from_app_focus:
            self.move_cursor(self.get_cursor_line_end_location())

    def fill(self, text: str) -> None:
        """Another text; the cursor stays where it was as far as there is such a place."""
        cursor = self.cursor_location
        self.load_text(printable_lines(text))
        self.move_cursor(cursor)

    def edit(self, edit: Edit) -> EditResult:
        edit.text = printable_lines(edit.text)
        return super().edit(edit)

    def action_cursor_up(self, select: bool = False) -> None:
        at_top = self.cursor_at_first_line and self.navigator.is_first_wrapped_line(self.cursor_location)
        if at_top and not select:
            self.screen.focus_previous()
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        at_bottom = self.cursor_at_last_line and self.navigator.is_last_wrapped_line(self.cursor_location)
        if at_bottom and not select:
            self.screen.focus_next()
        else:
            super().action_cursor_down(select)


def printable_lines(text: str) -> str:
    """The text with a blank for every character that cannot be printed; ends of lines and tabs stay.

    >>> printable_lines("int a;\\x1b\\n")
    'int a; \\n'
    """
    return "".join(char if char.isprintable() or char in "\n\t" else " " for char in text.replace("\r\n", "\n"))
