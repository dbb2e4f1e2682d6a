"""The characters that the screen draws with: a Unicode set and an ASCII set of the same meanings."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple


class Glyphs(NamedTuple):
    """One character of one column for each meaning; `celsius`, `spread` and `gives` may be longer."""

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
    celsius: str
    spread: str  # before how far repeated measurements lie apart
    place: str  # under the place of an error
    levels: str  # of a column in a chart, from hardly anything to a whole cell
    measured: str  # a dot in a chart
    corner: str  # where a chart's axes meet
    tick: str  # on the upright axis, beside its number
    fresh: str  # a word that is written, and that nobody has read yet
    kept: str  # a word that is read, and will be read again


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
    celsius="°C",
    spread="±",
    place="▲",
    levels="▁▂▃▄▅▆▇█",
    measured="●",
    corner="└",
    tick="┤",
    fresh="■",
    kept="□",
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
    gives="->",
    ellipsis="~",
    equal="=",
    unequal="!",
    play=">",
    pause='"',
    celsius="C",
    spread="+-",
    place="^",
    levels=".#",
    measured="o",
    corner="+",
    tick="+",
    fresh="#",
    kept="o",
)


_ARROW_WORDS = str.maketrans({"←": "left", "→": "right", "↑": "up", "↓": "down"})


def key_name(shown: str, glyphs: Glyphs) -> str:
    """How a key is written: its arrows as words where only ASCII is carried.

    >>> key_name("← →", ASCII)
    'left right'
    """
    return shown.translate(_ARROW_WORDS) if glyphs is ASCII else shown


def choose_glyphs(
    environ: Mapping[str, str] | None = None, encoding: str | None = None, ascii_wished: bool | None = None
) -> Glyphs:
    """ASCII when the output cannot carry Unicode; else as WARPVIZ_ASCII says (0: Unicode, another value: ASCII), else
    as is wished, else ASCII on a terminal whose locale names another character set than UTF-8.

    encoding: the output's, when it is no terminal.
    """
    environ = os.environ if environ is None else environ
    other_locale = encoding is None and _other_locale(environ)
    if encoding is None:
        encoding = sys.__stdout__.encoding if sys.__stdout__ else "ascii"
    if not encoding.lower().startswith("utf"):
        return ASCII
    if said := environ.get("WARPVIZ_ASCII"):
        return UNICODE if said == "0" else ASCII
    return ASCII if (other_locale if ascii_wished is None else ascii_wished) else UNICODE


def _other_locale(environ: Mapping[str, str]) -> bool:
    """Whether the locale that the user names is not one of UTF-8. Without any name it is taken to be.

    Python itself writes UTF-8 in the locales C and POSIX, and where LANG names one of them it sets LC_CTYPE=C.UTF-8.
    """
    plain = environ.get("LANG") in ("C", "POSIX") and environ.get("LC_CTYPE") == "C.UTF-8"
    names = ("LC_ALL", "LANG") if plain else ("LC_ALL", "LC_CTYPE", "LANG")
    named = next((environ[name] for name in names if environ.get(name)), "UTF-8")
    return "utf8" not in named.lower().replace("-", "")
