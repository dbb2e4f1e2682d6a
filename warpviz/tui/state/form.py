"""The form: everything that is asked about the access on the screen as texts to type over, and the setup they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, get_args

from warpviz.expression import ExpressionError, Launch, Pattern
from warpviz.expression.extent import extent_of, extent_text
from warpviz.expression.rewrite import WIDTH_TYPES, with_width
from warpviz.hardware import DEFAULT_MATRICES, LANES, MATRICES, OPS, SPACES, Op, Space, check_arch
from warpviz.tui.shown import read, show
from warpviz.tui.state.editing import active_mask, condition_of, with_patterns
from warpviz.tui.state.view import View

Field = Literal[
    "expression",
    "declarations",
    "where",
    "op",
    "space",
    "matrices",
    "width",
    "block",
    "block_index",
    "grid",
    "warp",
    "arch",
]
FIELDS: tuple[Field, ...] = get_args(Field)

AUTO_SPACE = "auto"
CHOICES: Mapping[Field, tuple[str, ...]] = {
    "op": OPS,
    "space": (AUTO_SPACE, *SPACES),
    "matrices": tuple(map(str, MATRICES)),
    "width": tuple(map(str, WIDTH_TYPES)),
}

_EVERY_LANE = (1 << LANES) - 1
_PARSES = "lane"  # an expression in order
_PLAIN_ACCESS = "s[lane]"
_SAYING_THE_WIDTH: tuple[Field, ...] = ("expression", "declarations", "op")

Texts = Mapping[Field, str]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Complaint:
    """Why a text cannot be taken, in one sentence; line and column, from 1, where that is at one place of the text."""

    sentence: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class Form:
    """texts: of every field, as typed. view: what they mean; a number or choice that is wrong leaves the last good one
    there. complaints: what is wrong, by field. begun: the view when the form was opened, whose knobs come back with
    their names."""

    begun: View
    view: View
    texts: Texts
    complaints: Mapping[Field, Complaint]

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those that count: an ldmatrix has matrices, every other access a width."""
        idle: Field = "width" if self.view.pattern.op == "ldmatrix" else "matrices"
        return tuple(field for field in FIELDS if field != idle)

    @property
    def mask(self) -> int:
        """The active lanes; bit l is lane l. While the rest cannot be evaluated, what the condition alone makes active,
        with the declarations or without them."""
        view = self.view
        if view.error is not None:
            alone = Pattern(_PLAIN_ACCESS, view.pattern.declarations, view.pattern.where, launch=view.pattern.launch)
            for pattern in (alone, replace(alone, declarations="")):
                with suppress(ExpressionError):
                    names = read(pattern).free_names
                    values = {name: value for name, value in view.values.items() if name in names}
                    return active_mask(read(pattern).evaluate(values).access)
        return _EVERY_LANE if view.shown is None else active_mask(view.shown.access)


def form_of(view: View) -> Form:
    """The form as it opens."""
    return Form(view, view, _texts_of(view), _complaints_about(view))


def typed(form: Form, field: Field, text: str) -> Form:
    """The form with another text in one field. A width rewrites the expression, and an expression says the width."""
    texts = {**form.texts, field: text}
    if field != "width":
        return _read(form, texts, width_follows=field in _SAYING_THE_WIDTH)
    if text == form.texts["width"]:
        return form
    try:
        pattern = with_width(form.view.pattern, int(_choice("width", text)))
    except ValueError as error:
        sentence = error.sentence if isinstance(error, ExpressionError) else str(error)
        return replace(form, texts=texts, complaints={**form.complaints, "width": Complaint(sentence)})
    return _read(form, {**texts, "expression": pattern.expression, "declarations": pattern.declarations})


def masked(form: Form, mask: int) -> Form:
    """The form with these lanes active; bit l is lane l."""
    return typed(form, "where", condition_of(mask))


def first_complaint(form: Form) -> tuple[Field, Complaint] | None:
    """What is wrong in the topmost field that is wrong."""
    return next(((field, form.complaints[field]) for field in FIELDS if field in form.complaints), None)


# From a view to texts


def _texts_of(view: View) -> Texts:
    pattern, launch = view.pattern, view.pattern.launch
    return {
        "expression": pattern.expression,
        "declarations": pattern.declarations,
        "where": pattern.where,
        "op": pattern.op,
        "space": pattern.space or AUTO_SPACE,
        "matrices": str(pattern.matrices or DEFAULT_MATRICES),
        "width": _width_text(view),
        "block": extent_text(launch.block, 1),
        "block_index": extent_text(launch.block_index, 0),
        "grid": "" if launch.grid is None else extent_text(launch.grid, 1),
        "warp": str(launch.warp),
        "arch": view.setup.arch,
    }


def _width_text(view: View) -> str:
    return "" if view.shown is None else str(view.shown.access.width)


# From texts to a view


def _read(form: Form, texts: Texts, width_follows: bool = False) -> Form:
    """The form with all of these texts. width_follows: that of the width becomes what the expression says."""
    reader = _Reader(texts)
    before = form.view.pattern
    op: Op = reader.read("op", _op, before.op)
    pattern = replace(
        before,
        expression=texts["expression"],
        declarations=texts["declarations"],
        where=texts["where"],
        op=op,
        space=reader.read("space", _space, before.space),
        matrices=_matrices(reader, before) if op == "ldmatrix" else None,
        launch=reader.launch(before.launch),
    )
    setup = replace(form.view.setup, knobs=form.begun.knobs, arch=reader.read("arch", _arch, form.view.setup.arch))
    view = with_patterns(replace(form.view, setup=setup, knob=form.begun.knob), _shared(form.view, pattern))
    complaints = {**_complaints_about(view), **reader.complaints}
    if width_follows and view.error is None:
        texts = {**texts, "width": _width_text(view)}
    elif not width_follows and "width" in form.complaints and texts["width"] == form.texts["width"]:
        complaints["width"] = form.complaints["width"]
    return Form(form.begun, view, texts, complaints)


class _Reader:
    """Reads one field after the other, and notes what it cannot read."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.complaints: dict[Field, Complaint] = {}

    def read(self, field: Field, reading: Callable[[str], Value], last_good: Value) -> Value:
        """What the field's text means; `last_good` when it means nothing."""
        try:
            return reading(self._texts[field].strip())
        except ValueError as error:
            self.complaints[field] = Complaint(str(error))
            return last_good

    def launch(self, last_good: Launch) -> Launch:
        """The launch that four fields describe together. It is made up field by field, so that what is wrong stands
        under the first one that makes it so."""
        given: dict[Field, Any] = {
            "block": self.read("block", lambda text: extent_of(text, 1), last_good.block),
            "grid": self.read("grid", lambda text: extent_of(text, 1) if text else None, last_good.grid),
            "block_index": self.read("block_index", lambda text: extent_of(text, 0), last_good.block_index),
            "warp": self.read("warp", _warp, last_good.warp),
        }
        if self.complaints.keys() & given.keys():
            return last_good
        launch = Launch()
        for field, value in given.items():
            try:
                launch = replace(launch, **{field: value})
            except ValueError as error:
                self.complaints[field] = Complaint(str(error))
                return last_good
        return launch


def _choice(field: Field, text: str) -> str:
    if text.strip() not in CHOICES[field]:
        raise ValueError(f"{field} is {text!r}; it is one of {', '.join(CHOICES[field])}")
    return text.strip()


def _op(text: str) -> Op:
    return next(op for op in OPS if op == _choice("op", text))


def _space(text: str) -> Space | None:
    chosen = _choice("space", text or AUTO_SPACE)
    return next((space for space in SPACES if space == chosen), None)


def _matrices(reader: _Reader, before: Pattern) -> int | None:
    """How many an ldmatrix loads; left out as long as it is the number that is meant then."""
    last_good = before.matrices or DEFAULT_MATRICES
    number = reader.read("matrices", lambda text: int(_choice("matrices", text)), last_good)
    return before.matrices if number == last_good else number


def _warp(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"warp is {text!r}; it is a whole number, from 0") from None


def _arch(text: str) -> str:
    check_arch(text)
    return text


def _shared(view: View, pattern: Pattern) -> tuple[Pattern, ...]:
    """Every access of the scene: this pattern for the one on the screen, its declarations and launch for all."""
    before = view.pattern
    changed = {
        name: getattr(pattern, name)
        for name in ("declarations", "launch")
        if getattr(pattern, name) != getattr(before, name)
    }
    return tuple(
        pattern if index == view.access else replace(other, **changed)
        for index, other in enumerate(view.setup.patterns)
    )


# What is wrong with the texts that are C


def _complaints_about(view: View) -> dict[Field, Complaint]:
    """The view's error, and those behind it that another text hides, each under the field that it belongs to."""
    error, pattern = view.error, view.pattern
    if error is None:
        return {}
    lane = "" if error.lane is None else f"lane {error.lane}: "
    if error.source == "set":
        return {"expression": Complaint(lane + error.sentence)}
    if error.place.text.content != getattr(pattern, error.source):
        return {"declarations": Complaint(f"{_of_another_access(view, error)}: {lane}{error.sentence}")}
    if error.source == "expression" and pattern.op != "ld" and _loads(view):
        return {"op": Complaint(lane + error.sentence)}
    return _unparsed(pattern) | {error.source: Complaint(lane + error.sentence, error.line, error.column)}


def _unparsed(pattern: Pattern) -> dict[Field, Complaint]:
    """The texts that do not parse: each is met when those that are read before it are in order."""
    found: dict[Field, Complaint] = {}
    in_order = replace(pattern, expression=_PARSES)
    for part in (in_order, replace(in_order, where=""), replace(pattern, where="")):
        try:
            read(part)
        except ExpressionError as error:
            if error.source != "set" and error.place.text.content == getattr(pattern, error.source):
                found[error.source] = Complaint(error.sentence, error.line, error.column)
    return found


def _of_another_access(view: View, error: ExpressionError) -> str:
    """Which access of the scene has the text in error."""
    named = zip(view.scene.accesses, view.setup.patterns, strict=True)
    texts: Iterable[tuple[str, str]] = ((access.name, getattr(pattern, error.source)) for access, pattern in named)
    name = next((name for name, text in texts if text == error.place.text.content), "")
    return f"in {name or 'another access'}"


def _loads(view: View) -> bool:
    """Whether a load would do where this operation does not: then it is the operation that is wrong."""
    try:
        show(replace(view.pattern, op="ld", matrices=None), view.values, view.setup.arch)
    except ExpressionError:
        return False
    return True
