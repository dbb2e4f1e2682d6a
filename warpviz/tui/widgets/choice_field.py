"""ChoiceField: a line of text that is always one of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from warpviz.tui.widgets.text_field import TextField


class ChoiceField(TextField):
    """The left and right keys go through the choices, round and round. What is typed picks the choice that begins with
    it; the same letter again picks the next one. What begins no choice is of no account, and nothing can be deleted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(-1)", show=False),
        Binding("right", "choose(1)", show=False),
    ]

    def __init__(self, choices: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self._choices = choices
        self._typed = ""  # how the choice begins, as far as it was typed
        self.select_on_focus = True

    def on_focus(self, event: events.Focus) -> None:
        self._typed = ""

    def action_choose(self, by: int) -> None:
        """The next choice, or the one before; the first one when there is none yet."""
        self._typed = ""
        at = self._choices.index(self.value) + by if self.value in self._choices else 0
        self._show(self._choices[at % len(self._choices)])

    def replace(self, text: str, start: int, end: int) -> None:
        text = text.strip().lower()
        longer, anew = self._beginning_with(self._typed + text), self._beginning_with(text)
        if not text or not (anew or longer):
            return
        again = not longer and text == self._typed and self.value in anew
        self._typed = self._typed + text if longer else text
        self._show((longer or anew)[(anew.index(self.value) + 1) % len(anew) if again else 0])

    def _beginning_with(self, text: str) -> list[str]:
        return [choice for choice in self._choices if choice.startswith(text)]

    def _show(self, choice: str) -> None:
        self.value = choice
        self.action_select_all()
