"""The form: everything that is asked about an access, a field a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, TextArea

from warpviz.tui.render.form import (
    NAME_WIDTH,
    complaint_strips,
    cost_strip,
    field_name,
    hint_strip,
    leaving_strip,
    name_strip,
    picture_strips,
    title_strip,
)
from warpviz.tui.render.keys import key_strip
from warpviz.tui.render.text import Look, printable
from warpviz.tui.screens.form import FormScreen
from warpviz.tui.state import View
from warpviz.tui.state.complaints import FIELDS, Field
from warpviz.tui.state.form import CHOICES, first_complaint, form_of, masked, typed
from warpviz.tui.widgets.choice_field import ChoiceField
from warpviz.tui.widgets.form_field import FormField
from warpviz.tui.widgets.mask_row import MaskRow
from warpviz.tui.widgets.strip_view import StripView
from warpviz.tui.widgets.tall_view import TallView
from warpviz.tui.widgets.text_lines import TextLines, printable_lines

_LONG: tuple[Field, ...] = ("expression", "declarations", "where")  # as wide as the screen, without a hint
_ROOMY = 34  # rows from which the picture is shown, too
_LANES = "lanes"  # the row of the mask, which writes the condition
_NEXT_FIELD = ("↑ ↓", "field")


class SetupForm(FormScreen):
    """Each text that is typed turns one Form into the next. kept: the view that the user kept; None when it was taken
    back, or not kept yet."""

    DEFAULT_CSS = f"""
    SetupForm.roomy #fields {{ height: auto; max-height: 70%; margin-bottom: 1; }}
    SetupForm #picture {{ display: none; height: 1fr; }}
    SetupForm.roomy #picture {{ display: block; }}
    SetupForm .name {{ width: {NAME_WIDTH}; }}
    SetupForm .hint {{ width: 1fr; }}
    SetupForm .complaint {{ margin-left: {NAME_WIDTH}; }}
    SetupForm MaskRow {{ width: 1fr; }}
    SetupForm TextField {{ width: 12; }}
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
        yield StripView(lambda width, height: [self._cost_strip(width)], id="cost")
        yield StripView(lambda width, height: [self._key_strip(width)], id="keys")
        yield self.too_small_view()

    def _row(self, field: Field) -> Iterator[Widget]:
        """A field, with its name, what it takes, and what is wrong with it."""
        editor: Widget = FormField(id=field)
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
        self.warned = False
        self.redraw()

    def _put(self, field: Field, text: str) -> None:
        editor = self.query_one(f"#{field}")
        if isinstance(editor, Input) and editor.value != text:
            with editor.prevent(Input.Changed):
                editor.value = text
        elif isinstance(editor, TextLines) and editor.text != text:
            with editor.prevent(TextArea.Changed):
                editor.fill(text)

    # Out of it

    @property
    def changed(self) -> bool:
        return self.form.changed

    def action_keep(self) -> None:
        """Close the form with what it holds; go to the first field that is wrong when there is one."""
        wrong = first_complaint(self.form)
        if wrong is None:
            self.kept = self.form.view
            self.dismiss()
        else:
            self.query_one(f"#{wrong[0]}").focus()

    # What stands around the fields

    def _cost_strip(self, width: int) -> Strip:
        if self.warned:
            return leaving_strip(self.form, self._keep_key, width, self.look)
        return cost_strip(self.form, width, self.look)

    def _complaint_strips(self, field: Field, width: int, height: int) -> list[Strip]:
        return complaint_strips(self.form.complaints.get(field), self.form.texts[field], width, self.look)

    @property
    def _keep_key(self) -> str:
        return "ctrl+s" if isinstance(self.focused, TextArea) else "enter"

    def _key_strip(self, width: int) -> Strip:
        keys = [(self._keep_key, "keep"), ("esc", "take back"), *_keys_of(self.focused), _NEXT_FIELD]
        return key_strip(keys, (), width, self.look)


def _keys_of(field: Widget | None) -> list[tuple[str, str]]:
    """What the keys do in a field of this kind alone."""
    match field:
        case ChoiceField():
            return [("← →", "choose, or type it")]
        case MaskRow():
            return [("← →", "lane"), ("space", "on, off")]
        case TextLines():
            return [("enter", "new line")]
        case _:
            return [("ctrl+u", "clear")]


def _in_field(field: Field, text: str) -> str:
    """A text as its field holds it: what cannot be printed is a blank there."""
    return printable_lines(text) if field == "declarations" else printable(text)
