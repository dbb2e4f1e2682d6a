"""Asks how a kernel is launched: its grid, its blocks, and each argument by name and type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from warpviz.tui.kernel_launch import AskedKernel
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.render.form import complaint_strips, name_strip
from warpviz.tui.render.kernel_form import sum_strip, title_strip, type_strip
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look, printable
from warpviz.tui.screens.form import FormScreen
from warpviz.tui.state.kernel_form import example, field_name, fields, launch_form, typed
from warpviz.tui.widgets.form_field import FormField
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.tall_view import TallView

_NAME_WIDTH = 16  # columns before every field
_KEYS = (("enter", "run"), ("esc", "take back"), ("↑ ↓", "field"), ("ctrl+u", "clear"))


class ArgumentsForm(FormScreen):
    """Each text that is typed turns one LaunchForm into the next. kept: the launch that the user wants; None when it
    was taken back, or not kept yet."""

    DEFAULT_CSS = f"""
    ArgumentsForm #fields {{ margin-top: 1; }}
    ArgumentsForm .name {{ width: {_NAME_WIDTH}; }}
    ArgumentsForm .type {{ width: 2fr; }}
    ArgumentsForm .complaint {{ margin-left: {_NAME_WIDTH}; }}
    ArgumentsForm TextField {{ width: 3fr; }}
    """

    def __init__(self, found: AskedKernel, asked: KernelToOpen, look: Look) -> None:
        super().__init__(look)
        self.form = launch_form(found, asked)
        self.kept: KernelToOpen | None = None
        self._fields = {f"field-{place}": field for place, field in enumerate(fields(found))}

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: [title_strip(self.form, width, self.look)], id="title")
        with VerticalScroll(id="fields", can_focus=False):
            for id, field in self._fields.items():
                yield Vertical(*self._row(id, field), classes="row")
        yield StripView(lambda width, height: [sum_strip(self.form, self.warned, width, self.look)], id="sum")
        yield StripView(lambda width, height: [key_strip(_KEYS, (), width, self.look)], id="keys")
        yield self.too_small_view()

    def _row(self, id: str, field: str) -> Iterator[Widget]:
        """A field, with its name, its type, and what is wrong with it."""
        editor = FormField(id=id, placeholder=example(self.form.found, field))

        def draw_name(width: int, height: int) -> list[Strip]:
            return [name_strip(printable(field_name(field)), editor.has_focus, width, self.look)]

        def draw_type(width: int, height: int) -> list[Strip]:
            return [type_strip(self.form, field, width, self.look)]

        yield Horizontal(StripView(draw_name, classes="name"), editor, StripView(draw_type, classes="type"))
        yield TallView(partial(self._complaint_strips, field), classes="complaint")

    def on_mount(self) -> None:
        for id, field in self._fields.items():
            editor = self.query_one(f"#{id}", Input)
            with editor.prevent(Input.Changed):
                editor.value = printable(self.form.texts[field])
        self._focus(self._wanting())

    @on(Input.Changed)
    def follow_field(self, event: Input.Changed) -> None:
        """The form follows the text that stands in a field now."""
        self.form = typed(self.form, self._fields[str(event.input.id)], event.value)
        self.warned = False
        self.redraw()

    @property
    def changed(self) -> bool:
        return self.form.changed

    def action_keep(self) -> None:
        """Close the form with what it holds; go to the first field that is wrong or empty when there is one."""
        if self.form.launch is None:
            self._focus(self._wanting())
        else:
            self.kept = self.form.kept
            self.dismiss()

    def _wanting(self) -> str:
        """The first field that is wrong or empty; the first of all when none is."""
        wanting = [*self.form.complaints, *self.form.missing]
        return next((id for id, field in self._fields.items() if field in wanting), next(iter(self._fields)))

    def _focus(self, id: str) -> None:
        self.query_one(f"#{id}").focus()

    def _complaint_strips(self, field: str, width: int, height: int) -> list[Strip]:
        return complaint_strips(self.form.complaints.get(field), self.form.texts[field], width, self.look)
