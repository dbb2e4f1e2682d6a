"""FormField: a line of text to edit, in a column of fields."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from warpviz.tui.widgets.text_field import TextField


class FormField(TextField):
    """A TextField whose cursor is at the end of its text when the keys come, and whose clearing key clears it all."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+u", "clear", show=False)]

    def on_focus(self, event: events.Focus) -> None:
        if not event.from_app_focus:
            self.cursor_position = len(self.value)

    def action_clear(self) -> None:
        self.clear()
