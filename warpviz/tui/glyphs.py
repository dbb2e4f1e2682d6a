"""The characters that the screen draws with: a Unicode set and an ASCII set of the same meanings."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Glyphs:
    """One character of one column for each meaning; `spread` may be longer."""

    waiting: str
    now: str
    served: str
    inactive: str
    several: str  # more lanes than the one that is named share this word
    waste: str  # bytes that are moved and that no lane asks for
    column_rule: str
    row_rule: str
    left: str
    right: str
    bar_full: str
    bar_empty: str
    skipped: str
    dot: str  # between two facts of one line
    gives: str
    ellipsis: str
    equal: str
    unequal: str
    play: str
    pause: str
    spread: str  # before how far repeated measurements lie apart
    place: str  # under the place of an error


UNICODE = Glyphs(
    waiting="·",
    now="●",
    served="✓",
    inactive=" ",
    several="+",
    waste="░",
    column_rule="│",
    row_rule="─",
    left="◂",
    right="▸",
    bar_full="█",
    bar_empty="░",
    skipped="⋮",
    dot="·",
    gives="→",
    ellipsis="…",
    equal="✓",
    unequal="✗",
    play="▶",
    pause="‖",
    spread="±",
    place="▲",
)
ASCII = Glyphs(
    waiting=".",
    now="@",
    served="v",
    inactive=" ",
    several="+",
    waste="%",
    column_rule="|",
    row_rule="-",
    left="<",
    right=">",
    bar_full="#",
    bar_empty=".",
    skipped=":",
    dot="-",
    gives="=",
    ellipsis="~",
    equal="=",
    unequal="!",
    play=">",
    pause="=",
    spread="+-",
    place="^",
)


_ARROW_WORDS = str.maketrans({"←": "left", "→": "right", "↑": "up", "↓": "down"})


def key_name(shown: str, glyphs: Glyphs) -> str:
    """How a key is written: its arrows as words where only ASCII is carried.

    >>> key_name("← →", ASCII)
    'left right'
    """
    return shown.translate(_ARROW_WORDS) if glyphs is ASCII else shown


def choose_glyphs(environ: Mapping[str, str] | None = None, encoding: str | None = None) -> Glyphs:
    """ASCII when WARPVIZ_ASCII is set to anything but 0, or when the output cannot carry Unicode; else Unicode."""
    environ = os.environ if environ is None else environ
    if encoding is None:
        encoding = sys.__stdout__.encoding if sys.__stdout__ else "ascii"
    carries = encoding.lower().startswith("utf")
    return UNICODE if carries and environ.get("WARPVIZ_ASCII", "0") in ("", "0") else ASCII
