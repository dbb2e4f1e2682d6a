"""The form: everything that is asked about the access on the screen as texts to type over, and the setup they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from warpviz.expression import ExpressionError, Launch, Pattern
from warpviz.expression.extent import extent_of, extent_text
from warpviz.expression.rewrite import WIDTH_TYPES, with_width
from warpviz.hardware import DEFAULT_MATRICES, LANES, MATRICES, OPS, SPACES, Op, Space, check_arch
from warpviz.tui.shown import read
from warpviz.tui.state.complaints import FIELDS, Complaint, Field, complaints_about
from warpviz.tui.state.editing import active_mask, condition_of, with_patterns
from warpviz.tui.state.view import View

AUTO_SPACE = "auto"
CHOICES: Mapping[Field, tuple[str, ...]] = {
    "op": OPS,
    "space": (AUTO_SPACE, *SPACES),
    "matrices": tuple(map(str, MATRICES)),
    "width": tuple(map(str, WIDTH_TYPES)),
}

_EVERY_LANE = (1 << LANES) - 1
_PLAIN_ACCESS = "s[lane]"
_OF_THE_MEMORY: tuple[Field, ...] = ("op", "space")  # which of the two is wrong depends on which is meant
_SAYING_THE_WIDTH: tuple[Field, ...] = ("expression", "declarations", "op")

_UNKNOWN_LANES = Complaint("its lanes are not known until the other texts are right")

Texts = Mapping[Field, str]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Form:
    """texts: of every field, as typed. view: what they mean; a number or choice that is wrong leaves the last good one
    there. complaints: what is wrong, by field. begun: the view when the form was opened, whose knobs come back with
    their names. declared: the declarations that were right last, by which the other texts are judged while those that
    are typed are wrong. chosen_last: of op and space, the one that was changed last."""

    begun: View
    view: View
    texts: Texts
    complaints: Mapping[Field, Complaint]
    declared: str
    chosen_last: Field = "op"

    @property
    def fields(self) -> tuple[Field, ...]:
        """Those that count: an ldmatrix has matrices, every other access a width."""
        idle: Field = "width" if self.view.pattern.op == "ldmatrix" else "matrices"
        return tuple(field for field in FIELDS if field != idle)

    @property
    def changed(self) -> bool:
        """Whether anything differs from the form as it opened."""
        return self.texts != _texts_of(self.begun)

    @property
    def mask(self) -> int:
        """The active lanes; bit l is lane l. All of them while the condition does not tell."""
        mask = self.known_mask
        return _EVERY_LANE if mask is None else mask

    @property
    def known_mask(self) -> int | None:
        """The lanes that the condition makes active; None when it does not tell. While the rest cannot be evaluated,
        what the condition alone tells, with the declarations or without them."""
        view = self.view
        if view.error is None and view.shown is not None:
            return active_mask(view.shown.access)
        for declarations in (view.pattern.declarations, self.declared, ""):
            alone = Pattern(_PLAIN_ACCESS, declarations, view.pattern.where, launch=view.pattern.launch)
            with suppress(ExpressionError):
                names = read(alone).free_names
                values = {name: value for name, value in view.values.items() if name in names}
                return active_mask(read(alone).evaluate(values).access)
        return None


def form_of(view: View) -> Form:
    """The form as it opens."""
    complaints = complaints_about(view, declared="")
    return Form(view, view, _texts_of(view), complaints, _right_declarations(view, complaints, before=""))


def typed(form: Form, field: Field, text: str) -> Form:
    """The form with another text in one field. A width rewrites the expression, and an expression says the width."""
    texts = {**form.texts, field: text}
    if field in _OF_THE_MEMORY and text != form.texts[field]:
        form = replace(form, chosen_last=field)
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
    """The form with these lanes active; bit l is lane l. A condition that does not tell its own lanes stays as it was
    typed, with a complaint: it would be lost."""
    if form.known_mask is not None:
        return typed(form, "where", condition_of(mask))
    wrong = complaints_about(form.view, form.declared).get("where", _UNKNOWN_LANES)
    refused = replace(wrong, sentence=f"{wrong.sentence}; no lane is switched as long as this stands here")
    return replace(form, complaints={**form.complaints, "where": refused})


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
    complaints = {**complaints_about(view, form.declared, form.chosen_last), **reader.complaints}
    if width_follows and view.error is None:
        texts = {**texts, "width": _width_text(view)}
    elif not width_follows and "width" in form.complaints and texts["width"] == form.texts["width"]:
        complaints["width"] = form.complaints["width"]
    declared = _right_declarations(view, complaints, before=form.declared)
    return Form(form.begun, view, texts, complaints, declared, form.chosen_last)


def _right_declarations(view: View, complaints: Mapping[Field, Complaint], before: str) -> str:
    """The view's declarations, or as long as they are wrong those `before`."""
    return before if "declarations" in complaints else view.pattern.declarations


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
