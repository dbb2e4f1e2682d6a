"""The text of a .cu file in pieces: what is aside (comments, the preprocessor), words of the language, the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from warpviz.wording import printable

Meaning = Literal["aside", "keyword", "code"]
CodePiece = tuple[str, Meaning]

_TAB = 4  # columns
_WORDS = """alignas alignof auto bool break case char class const constexpr continue default delete do double else enum
    extern false float for goto if inline int long namespace new nullptr operator private public register return short
    signed sizeof static static_assert static_cast reinterpret_cast struct switch template this true typedef typename
    union unsigned using virtual void volatile while __global__ __device__ __host__ __shared__ __constant__ __managed__
    __restrict__ __launch_bounds__ __forceinline__ __noinline__ __grid_constant__""".split()
_PIECE = re.compile(
    rf"""(?P<aside>//[^\n]*|/\*.*?(?:\*/|\Z)|^[ ]*\#[^\n]*)
    |(?P<keyword>\b(?:{"|".join(_WORDS)})\b)
    |"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\w+|[^\w/"'\n]+|.""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def code_lines(text: str) -> tuple[tuple[CodePiece, ...], ...]:
    """The lines of C++, each in its pieces, tabs as blanks. What the preprocessor reads is aside, too.

    >>> code_lines("int n; // how many")
    ((('int', 'keyword'), (' n; ', 'code'), ('// how many', 'aside')),)
    """
    lines: list[list[CodePiece]] = [[]]
    for piece, meaning in _pieces(text.expandtabs(_TAB)):
        first, *others = piece.split("\n")
        _append(lines[-1], first, meaning)
        for other in others:
            lines.append([])
            _append(lines[-1], other, meaning)
    return tuple(map(tuple, lines))


def _pieces(text: str) -> Iterator[CodePiece]:
    for match in _PIECE.finditer(text):
        yield match[0], "aside" if match["aside"] else "keyword" if match["keyword"] else "code"


def _append(line: list[CodePiece], text: str, meaning: Meaning) -> None:
    """One piece more at the end of a line, joined to the one before when it means the same."""
    if not text:
        return
    if line and line[-1][1] == meaning:
        line[-1] = (line[-1][0] + printable(text), meaning)
    else:
        line.append((printable(text), meaning))
