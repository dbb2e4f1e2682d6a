"""C's integer and character constants: their values and types."""

from __future__ import annotations

import re

from warpviz.expression import layout
from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import Integer
from warpviz.expression.source import clipped
from warpviz.expression.tokens import Token

_INTEGER = re.compile(
    r"(?P<digits>0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)(?P<suffix>[uU](?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU]?|[zZ][uU]?|)"
)
_FLOATING = re.compile(
    r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?[fFlL]?|0[xX][0-9a-fA-F.]+[pP][+-]?[0-9]+[fFlL]?"
)
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
_CHARACTER = re.compile(r"'(?:\\x(?P<hex>[0-9a-fA-F]{1,2})|\\(?P<octal>[0-7]{1,3})|\\(?P<escape>.)|(?P<plain>[^\\]))'")
_BASES = {"0x": 16, "0X": 16, "0b": 2, "0B": 2}


def is_floating(token: Token) -> bool:
    """Whether a number token is a floating-point constant."""
    return _FLOATING.fullmatch(token.spelling) is not None


def integer_constant(token: Token) -> tuple[int, Integer]:
    """The value and type of an integer or character constant (C17 6.4.4.1, 6.4.4.4; a character is an int).

    Raises ExpressionError for what is no such constant or does not fit 64 bits.
    """
    if token.kind == "character":
        return _character(token), layout.INT
    match = _INTEGER.fullmatch(token.spelling.replace("'", ""))
    if match is None:
        raise ExpressionError(f"{clipped(token.spelling)} is not a number that C knows", token.place)
    digits, suffix = match["digits"], match["suffix"].lower()
    base = _BASES.get(digits[:2], 8 if digits[0] == "0" else 10)
    if len(digits) > 2 + 64:
        raise _too_large(token)
    value = int(digits[2:] if digits[:2] in _BASES else digits, base)
    for candidate in _candidates(suffix, decimal=base == 10):
        if value < 1 << (candidate.bits - candidate.signed):
            return value, candidate
    raise _too_large(token)


def _candidates(suffix: str, *, decimal: bool) -> list[Integer]:
    """The types that the constant may have, the first that holds it wins."""
    unsigned = "u" in suffix
    if "ll" in suffix:
        pairs = [(layout.LONG_LONG, layout.UNSIGNED_LONG_LONG)]
    elif "l" in suffix or "z" in suffix:
        pairs = [(layout.LONG, layout.UNSIGNED_LONG)]
    else:
        pairs = [(layout.INT, layout.UNSIGNED_INT), (layout.LONG, layout.UNSIGNED_LONG)]
    if unsigned:
        return [pair[1] for pair in pairs]
    return [pair[0] for pair in pairs] if decimal else [ctype for pair in pairs for ctype in pair]


def _character(token: Token) -> int:
    match = _CHARACTER.fullmatch(token.spelling)
    if match is None:
        raise ExpressionError(f"{clipped(token.spelling)} is not one character", token.place)
    if match["plain"] is not None:
        code = ord(match["plain"])
    elif match["escape"] is not None:
        code = _ESCAPES.get(match["escape"], -1)
    else:
        code = int(match["hex"], 16) if match["hex"] else int(match["octal"], 8)
    if not 0 <= code < 256 or (match["plain"] is not None and code > 127):
        raise ExpressionError(f"{clipped(token.spelling)} is not a character of one byte", token.place)
    return code - 256 if code > 127 else code


def _too_large(token: Token) -> ExpressionError:
    return ExpressionError(f"{clipped(token.spelling)} does not fit 64 bits", token.place)


def literal_type(value: int) -> Integer:
    """The type of a decimal constant of this value: int, or long where int does not hold it."""
    return layout.INT if -(1 << 31) <= value < 1 << 31 else layout.LONG
