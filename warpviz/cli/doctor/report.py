"""The checks as text and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import click

from warpviz.cli.doctor.check import Check, Status
from warpviz.tui.glyphs import ASCII, Glyphs
from warpviz.wording import counted, printable

_COLOURS: dict[Status, str] = {"ok": "green", "degraded": "yellow", "missing": "red"}
_NAME_COLUMNS = 18
_IN_ASCII = str.maketrans({"°": " ", "±": "~", "…": "~"})


class Style(NamedTuple):
    """columns: of a line, where its words let it be broken."""

    glyphs: Glyphs
    columns: int


def lines(check: Check, style: Style) -> Iterator[str]:
    """A check: one line, or more where that is not wide enough; and under it what mends it."""
    start = f"  {_mark(check.status, style.glyphs)} {check.status:8}"
    name = _carried(check.name, style.glyphs)
    head = f"{start}  {name:{_NAME_COLUMNS}} "
    indent = " " * (len(start) + _NAME_COLUMNS + 3)
    first, *more = _wrapped(check.value, head, indent, style) or [head.rstrip()]
    yield click.style(start, fg=_COLOURS[check.status], bold=check.status != "ok") + first[len(start) :]
    yield from more
    if check.mend:
        yield from _wrapped(check.mend, f"{indent}{style.glyphs.gives} ", f"{indent}  ", style)


def summary(checks: Iterable[Check]) -> str:
    """How many are not well."""
    listed = list(checks)
    found = {status: sum(check.status == status for check in listed) for status in ("degraded", "missing")}
    if not any(found.values()):
        return f"all {counted(len(listed), 'check')} are ok"
    wrong = ", ".join(f"{number} {status}" for status, number in found.items() if number)
    return f"of {counted(len(listed), 'check')}: {wrong}; what mends it stands under each"


def as_json(groups: Iterable[tuple[str, Check]]) -> str:
    """groups: each check with the name of its group."""
    checks = [
        {
            "group": group,
            "name": check.name,
            "status": check.status,
            "value": check.value,
            "mend": check.mend or None,
        }
        for group, check in groups
    ]
    return json.dumps({"checks": checks, "ok": all(check["status"] == "ok" for check in checks)})


def _mark(status: Status, glyphs: Glyphs) -> str:
    return {"ok": glyphs.equal, "degraded": "!", "missing": "x" if glyphs is ASCII else glyphs.unequal}[status]


def _wrapped(text: str, head: str, indent: str, style: Style) -> list[str]:
    """The text after `head`, and its further lines after `indent`. A word that is too long stays whole."""
    return textwrap.wrap(
        _carried(text, style.glyphs),
        style.columns,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _carried(text: str, glyphs: Glyphs) -> str:
    """The text as the output can carry it, without what a terminal would obey."""
    text = printable(text)
    return text.translate(_IN_ASCII).encode("ascii", "replace").decode() if glyphs is ASCII else text
