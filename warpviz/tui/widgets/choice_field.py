"""ChoiceField: a line of text that is one of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from warpviz.tui.widgets.text_field import TextField


class ChoiceField(TextField):
    """The left and right keys go through the choices, round and round; what is typed takes the place of the choice."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(-1)", show=False),
        Binding("right", "choose(1)", show=False),
    ]

    def __init__(self, choices: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self._choices = choices
        self.select_on_focus = True

    def action_choose(self, by: int) -> None:
        """The next choice, or the one before; the first one after a text that is none."""
        at = self._choices.index(self.value) + by if self.value in self._choices else 0
        self.value = self._choices[at % len(self._choices)]
        self.action_select_all()
