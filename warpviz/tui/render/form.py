"""What stands around the fields of the form: their names, what they take, what is wrong, and the cost."""

from __future__ import annotations

from textual.strip import Strip

from warpviz.tui.render.facts import joined, predicted
from warpviz.tui.render.frame import moment_of
from warpviz.tui.render.heading import title_parts
from warpviz.tui.render.lines import fact_strip
from warpviz.tui.render.memory import memory_strips
from warpviz.tui.render.text import Look, Part, between, cut, flow, length, printable, strip_of
from warpviz.tui.state import last
from warpviz.tui.state.complaints import Complaint, Field
from warpviz.tui.state.form import CHOICES, Form, first_complaint

NAME_WIDTH = 14  # columns before every field

_NAMES: dict[Field, str] = {"block_index": "block index", "arch": "architecture"}
_OPERATIONS = {  # what an op is, and what more there is to say where it fits
    "ld": ("load", ""),
    "st": ("store", ""),
    "atom": ("atomic", " whose old value is used"),
    "red": ("reduction", ", an atomic without its old value"),
    "ldmatrix": ("matrices", ", loaded 8x8 each"),
}
_HINTS: dict[Field, str] = {
    "space": "of undeclared arrays",
    "matrices": "in one load",
    "width": "bytes a lane",
    "block": "threads along x,y,z; or 16x16",
    "block_index": "which block, x,y,z",
    "grid": "x,y,z; empty: just enough",
    "warp": "which 32 threads, from 0",
    "arch": "such as sm_75, sm_90, sm_120",
}
_MOST_LINES = 4  # of one complaint


def title_strip(form: Form, width: int, look: Look) -> Strip:
    """The scene, and which of its accesses the form is about."""
    bar = look.palette.bar
    parts = between(title_parts(form.view, look), [(" setup ", bar)], width, look)
    return strip_of([(text, style + bar) for text, style in parts], width, look, bar)


def field_name(field: Field) -> str:
    """What a field is called on the screen."""
    return _NAMES.get(field, field)


def name_strip(name: str, focused: bool, width: int, look: Look) -> Strip:
    """The name before a field, marked when the keys go there."""
    palette = look.palette
    mark = look.glyphs.right if focused else " "
    style = palette.strong if focused else palette.quiet
    return strip_of([(f"{mark}{name}", style)], width, look)


def hint_strip(field: Field, text: str, width: int, look: Look) -> Strip:
    """What a field takes: the choices, with the one that its text names, and in words what that is."""
    palette = look.palette
    choices: list[Part] = [(" ", palette.text)]
    for choice in CHOICES.get(field, ()):
        choices += [(choice, palette.strong if choice == text.strip() else palette.quiet), (" ", palette.text)]
    brief, more = _OPERATIONS.get(text.strip(), ("", "")) if field == "op" else (_HINTS.get(field, ""), "")
    gap, style = "  " if field in CHOICES else "", palette.text if field == "op" else palette.quiet
    tries = ([*choices, (said, style)] for said in (gap + brief + more, gap + brief, brief))
    parts = next((parts for parts in tries if length(parts) <= width), choices)
    return strip_of(cut(parts, width, look), width, look)


def complaint_strips(complaint: Complaint | None, text: str, width: int, look: Look) -> list[Strip]:
    """What is wrong with a field's text: under its place where it fits there, else with the place in words."""
    if complaint is None:
        return []
    bad = look.palette.bad
    sentence = printable(complaint.sentence)
    lines = text.split("\n")
    if complaint.column is not None and complaint.line == len(lines):
        at = complaint.column - 1
        if at + 2 + len(sentence) <= width and len(lines[-1]) < width:
            return [strip_of([(f"{' ' * at}{look.glyphs.place} {sentence}", bad)], width, look)]
    flowed = flow([(_place(complaint, len(lines)) + sentence, bad)], width)
    if len(flowed) > _MOST_LINES:
        last = cut([*flowed[_MOST_LINES - 1], (look.glyphs.ellipsis, bad)], width, look)
        flowed = [*flowed[: _MOST_LINES - 1], last]
    return [strip_of(line, width, look) for line in flowed]


def leaving_strip(form: Form, keep: str, width: int, look: Look) -> Strip:
    """What becomes of the changes. keep: the key that keeps them."""
    kept = f"{keep} keeps them" if first_complaint(form) is None else "mend what is wrong to keep them"
    return strip_of(cut([(f" esc again drops the changes; {kept}", look.palette.bad)], width, look), width, look)


def cost_strip(form: Form, width: int, look: Look) -> Strip:
    """What is predicted of the access as it is asked now, or the first thing that is wrong with it."""
    wrong = first_complaint(form)
    if wrong is not None:
        field, complaint = wrong
        parts: list[Part] = [
            (f" {field_name(field):<{NAME_WIDTH - 1}}", look.palette.quiet),
            (printable(complaint.sentence), look.palette.bad),
        ]
        return strip_of(cut(parts, width, look), width, look)
    shown = form.view.shown
    if shown is None:
        return strip_of([], width, look)
    return fact_strip(joined(predicted(shown, look.glyphs)), width, look)


def picture_strips(form: Form, width: int, height: int, look: Look) -> list[Strip]:
    """The last access that could be evaluated, with everything served."""
    moment = moment_of(last(form.view))
    return [] if moment is None else memory_strips(moment, width, height, look)


def _place(complaint: Complaint, lines: int) -> str:
    """Where in a text of so many lines."""
    if complaint.column is None:
        return ""
    column = f"column {complaint.column}: "
    return f"line {complaint.line}, {column}" if lines > 1 else column
