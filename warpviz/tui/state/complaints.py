"""What is wrong with the texts of the form that are C, and under which field that stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from warpviz.expression import ExpressionError, Pattern
from warpviz.tui.shown import read, show
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

_PARSES = "lane"  # an expression in order


@dataclass(frozen=True)
class Complaint:
    """Why a text cannot be taken, in one sentence; line and column, from 1, where that is at one place of the text."""

    sentence: str
    line: int | None = None
    column: int | None = None


def complaints_about(view: View, declared: str, chosen_last: Field = "op") -> dict[Field, Complaint]:
    """The view's error, and those behind it that another text hides, each under the field that it belongs to."""
    error, pattern = view.error, view.pattern
    if error is None:
        return {}
    lane = "" if error.lane is None else f"lane {error.lane}: "
    if error.source == "set":
        return {"expression": Complaint(lane + error.sentence)}
    if error.place.text.content != getattr(pattern, error.source):
        elsewhere = Complaint(f"{_of_another_access(view, error)}: {lane}{error.sentence}")
        return _unparsed(pattern, declared) | {"declarations": elsewhere}
    if error.source == "expression" and pattern.op != "ld" and _loads(view):
        blamed: Field = "op" if pattern.space is None else chosen_last
        return {blamed: Complaint(lane + error.sentence)}
    return _unparsed(pattern, declared) | {error.source: Complaint(lane + error.sentence, error.line, error.column)}


def _unparsed(pattern: Pattern, declared: str) -> dict[Field, Complaint]:
    """The texts that do not parse, each read without the others. declared: the declarations that the expression and the
    condition are read with while the pattern's own ones do not parse."""
    found = _parse_complaint(pattern, replace(pattern, expression=_PARSES, where=""))
    known = replace(pattern, declarations=declared) if found else pattern
    for part in (replace(known, where=""), replace(known, expression=_PARSES)):
        found |= _parse_complaint(pattern, part)
    return found


def _parse_complaint(pattern: Pattern, part: Pattern) -> dict[Field, Complaint]:
    """What stops `part` from being parsed, when it is a text of the pattern; by its field."""
    try:
        read(part)
    except ExpressionError as error:
        if error.source != "set" and error.place.text.content == getattr(pattern, error.source):
            return {error.source: Complaint(error.sentence, error.line, error.column)}
    return {}


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
