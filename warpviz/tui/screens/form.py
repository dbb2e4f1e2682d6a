"""What every form has: fields one under the other, and two ways out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Input

from warpviz.tui.glyphs import ASCII
from warpviz.tui.render.text import Look
from warpviz.tui.screens.base import LookScreen


class FormScreen(LookScreen):
    """The arrows go from field to field, enter keeps the form, escape takes it back: at the second time when there is
    anything to lose.

    warned: that leaving drops the changes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("enter,ctrl+s", "keep", show=False),
        Binding("up", "go(-1)", show=False),
        Binding("down", "go(1)", show=False),
    ]
    DEFAULT_CSS = """
    FormScreen #fields { height: 1fr; scrollbar-size-vertical: 1; scrollbar-background: $background; }
    FormScreen.ascii #fields { scrollbar-size-vertical: 0; }
    FormScreen .row, FormScreen .row > Horizontal { height: auto; }
    FormScreen TextField { display: block; }
    """

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.warned = False
        self.set_class(look.glyphs is ASCII, "ascii")

    @property
    @abstractmethod
    def changed(self) -> bool:
        """Whether anything differs from the form as it opened."""

    @abstractmethod
    def action_keep(self) -> None:
        """Close the form with what it holds, if it can be kept."""

    def action_go(self, by: int) -> None:
        """The next field, or the one before; none after the last or before the first."""
        fields = self.focus_chain
        at = fields.index(self.focused) + by if self.focused in fields else 0
        if 0 <= at < len(fields):
            fields[at].focus()

    def action_leave(self) -> None:
        """Close the form without its changes; when there are any, at the second time."""
        if self.warned or not self.changed:
            self.dismiss()
        self.warned = True
        self.redraw()

    @on(Input.Submitted)
    def keep_field(self) -> None:
        """Enter in a field keeps the whole form."""
        self.action_keep()

    def on_descendant_focus(self) -> None:
        self.warned = False
        self.redraw()
