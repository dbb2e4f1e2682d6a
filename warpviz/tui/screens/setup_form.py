"""The form: everything that is asked about an access, a field a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, TextArea

from warpviz.tui.glyphs import ASCII
from warpviz.tui.render.form import (
    NAME_WIDTH,
    complaint_strips,
    cost_strip,
    field_name,
    hint_strip,
    name_strip,
    picture_strips,
    title_strip,
)
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look, printable
from warpviz.tui.screens.base import LookScreen
from warpviz.tui.state import View
from warpviz.tui.state.form import CHOICES, FIELDS, Field, first_complaint, form_of, masked, typed
from warpviz.tui.widgets.choice_field import ChoiceField
from warpviz.tui.widgets.mask_row import MaskRow
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.tall_view import TallView
from warpviz.tui.widgets.text_field import TextField
from warpviz.tui.widgets.text_lines import TextLines, printable_lines

_LONG: tuple[Field, ...] = ("expression", "declarations", "where")  # as wide as the screen, without a hint
_ROOMY = 34  # rows from which the picture is shown, too
_LANES = "lanes"  # the row of the mask, which writes the condition


class SetupForm(LookScreen):
    """Each text that is typed turns one Form into the next. kept: the view that the user kept; None when it was taken
    back, or not kept yet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", show=False),
        Binding("enter,ctrl+s", "keep", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]
    DEFAULT_CSS = f"""
    SetupForm #fields {{ height: 1fr; scrollbar-size-vertical: 1; scrollbar-background: $background; }}
    SetupForm.roomy #fields {{ height: auto; max-height: 70%; margin-bottom: 1; }}
    SetupForm #picture {{ display: none; height: 1fr; }}
    SetupForm.roomy #picture {{ display: block; }}
    SetupForm.ascii #fields {{ scrollbar-size-vertical: 0; }}
    SetupForm .row, SetupForm .row > Horizontal {{ height: auto; }}
    SetupForm .name {{ width: {NAME_WIDTH}; }}
    SetupForm .hint {{ width: 1fr; }}
    SetupForm .complaint {{ margin-left: {NAME_WIDTH}; }}
    SetupForm MaskRow {{ width: 1fr; }}
    SetupForm TextField {{ display: block; width: 14; }}
    SetupForm .long TextField {{ width: 1fr; }}
    SetupForm TextLines {{ max-height: 8; }}
    """

    def __init__(self, view: View, look: Look) -> None:
        super().__init__(look)
        self.form = form_of(view)
        self.kept: View | None = None

    def compose(self) -> ComposeResult:
        yield StripView(lambda width, height: [title_strip(self.form, width, self.look)], id="title")
        with VerticalScroll(id="fields", can_focus=False):
            for field in FIELDS:
                yield from self._row(field)
                if field == "where":
                    yield Vertical(self._line(_LANES, MaskRow(lambda: self.look, id=_LANES)), classes="row")
        yield StripView(lambda width, height: picture_strips(self.form, width, height, self.look), id="picture")
        yield StripView(lambda width, height: [cost_strip(self.form, width, self.look)], id="cost")
        yield StripView(lambda width, height: [self._key_strip(width)], id="keys")
        yield self.too_small_view()

    def _row(self, field: Field) -> Iterator[Widget]:
        """A field, with its name, what it takes, and what is wrong with it."""
        editor: Widget = TextField(id=field)
        if field == "declarations":
            editor = TextLines(id=field)
        elif field in CHOICES:
            editor = ChoiceField(CHOICES[field], id=field)
        line = self._line(field, editor)
        complaint = TallView(partial(self._complaint_strips, field), classes="complaint")
        yield Vertical(line, complaint, id=f"row-{field}", classes="row long" if field in _LONG else "row")

    def _line(self, name: str, editor: Widget) -> Horizontal:
        field = cast(Field, name)

        def draw_name(width: int, height: int) -> list[Strip]:
            return [name_strip(field_name(field), editor.has_focus, width, self.look)]

        def draw_hint(width: int, height: int) -> list[Strip]:
            return [hint_strip(field, self.form.texts[field], width, self.look)]

        hints = [] if name in (*_LONG, _LANES) else [StripView(draw_hint, classes="hint")]
        return Horizontal(StripView(draw_name, classes="name"), editor, *hints)

    def on_mount(self) -> None:
        self.set_class(self.look.glyphs is ASCII, "ascii")
        self._fill(except_for="")
        self.query_one("#expression").focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.set_class(event.size.height >= _ROOMY, "roomy")

    # What is typed

    @on(Input.Changed)
    def follow_field(self, event: Input.Changed) -> None:
        """The form follows the text that stands in a field now."""
        self._type(cast(Field, event.input.id), event.input.value)

    @on(TextArea.Changed)
    def follow_declarations(self, event: TextArea.Changed) -> None:
        """The form follows the declarations that stand there now."""
        self._type("declarations", event.text_area.text)

    @on(MaskRow.Wished)
    def follow_mask(self, event: MaskRow.Wished) -> None:
        """The condition becomes one of the lanes that are wished for."""
        self.form = masked(self.form, event.mask)
        self._fill(except_for="")

    def _type(self, field: Field, text: str) -> None:
        if text == _in_field(field, self.form.texts[field]):
            return
        self.form = typed(self.form, field, text)
        self._fill(except_for=field)

    def _fill(self, except_for: str) -> None:
        """Every field but one with its text, the rows that count, and all that stands around them."""
        for field in FIELDS:
            self.query_one(f"#row-{field}").display = field in self.form.fields
            if field != except_for:
                self._put(field, _in_field(field, self.form.texts[field]))
        self.query_one(MaskRow).fill(self.form.mask)
        self.redraw()

    def _put(self, field: Field, text: str) -> None:
        editor = self.query_one(f"#{field}")
        if isinstance(editor, Input) and editor.value != text:
            with editor.prevent(Input.Changed):
                editor.value = text
        elif isinstance(editor, TextLines) and editor.text != text:
            with editor.prevent(TextArea.Changed):
                editor.fill(text)

    # Keeping it

    @on(Input.Submitted)
    def keep_field(self) -> None:
        """Enter in a field keeps the whole form."""
        self.action_keep()

    def action_keep(self) -> None:
        """Close the form with what it holds; go to the first field that is wrong when there is one."""
        wrong = first_complaint(self.form)
        if wrong is None:
            self.kept = self.form.view
            self.dismiss()
        else:
            self.query_one(f"#{wrong[0]}").focus()

    # What stands around the fields

    def on_descendant_focus(self) -> None:
        self.redraw()

    def _complaint_strips(self, field: Field, width: int, height: int) -> list[Strip]:
        return complaint_strips(self.form.complaints.get(field), self.form.texts[field], width, self.look)

    def _key_strip(self, width: int) -> Strip:
        keep = "ctrl+s" if isinstance(self.focused, TextArea) else "enter"
        keys = [(keep, "keep"), ("esc", "take back"), ("tab ↑ ↓", "next field")]
        if isinstance(self.focused, ChoiceField | MaskRow):
            keys.insert(2, ("← →", "choose"))
        if isinstance(self.focused, MaskRow):
            keys.insert(3, ("space", "on, off"))
        return key_strip(keys, (), width, self.look)


def _in_field(field: Field, text: str) -> str:
    """A text as its field holds it: what cannot be printed is a blank there."""
    return printable_lines(text) if field == "declarations" else printable(text)
