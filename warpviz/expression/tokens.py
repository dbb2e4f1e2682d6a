"""Text -> C tokens, each with its place. Comments and spliced lines are gone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from warpviz.expression.errors import ExpressionError
from warpviz.expression.source import Place, Text

# A reference is the & of a C++ reference's declaration: `float& r = t[lane];`.
Kind = Literal["name", "number", "character", "string", "operator", "reference"]

MAX_TOKENS = 10_000
MAX_BRACKET_DEPTH = 60

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
    |(?P<newline>\n)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<open_comment>/\*)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|'?[A-Za-z0-9_.])*)
    |(?P<character>'(?:[^'\\\n]|\\.)*')
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<operator>\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[<>=!*/%+&|^-]=|::|\#\#|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)

_KINDS: dict[str | None, Kind] = {
    "name": "name",
    "number": "number",
    "character": "character",
    "string": "string",
    "operator": "operator",
}
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Token:
    """starts_line: nothing but space stands before it on its line. hidden: macros that it does not expand again."""

    kind: Kind
    spelling: str
    place: Place
    starts_line: bool = False
    hidden: frozenset[str] = frozenset()


def tokenize(text: Text) -> list[Token]:
    """The text's tokens. Raises ExpressionError for what is no C token and for an unfinished comment or literal."""
    tokens: list[Token] = []
    position, starts_line = 0, True
    content = text.content
    while position < len(content):
        match = _TOKEN.match(content, position)
        place = Place(text, position)
        if match is None:
            raise ExpressionError(_stray(content[position]), place)
        kind = match.lastgroup
        position = match.end()
        if kind == "newline":
            starts_line = True
        elif kind == "open_comment":
            raise ExpressionError("a comment begins here and never ends; close it with */", place)
        elif kind in _KINDS:
            tokens.append(Token(_KINDS[kind], match.group(), place, starts_line))
            starts_line = False
            if len(tokens) > MAX_TOKENS:
                raise ExpressionError(f"the text has more than {MAX_TOKENS} tokens; keep what the access needs", place)
    return tokens


def check_brackets(tokens: list[Token]) -> None:
    """Raises ExpressionError at the first bracket that has no partner, or that is nested too deeply."""
    opened: list[Token] = []
    for token in tokens:
        if token.kind != "operator":
            continue
        if token.spelling in _CLOSERS:
            opened.append(token)
            if len(opened) > MAX_BRACKET_DEPTH:
                raise ExpressionError(
                    f"brackets are nested more than {MAX_BRACKET_DEPTH} deep; name parts of it", token.place
                )
        elif token.spelling in _CLOSERS.values():
            if not opened:
                raise ExpressionError(f"{token.spelling} closes nothing; remove it or open it before", token.place)
            partner = opened.pop()
            if _CLOSERS[partner.spelling] != token.spelling:
                raise ExpressionError(
                    f"{token.spelling} stands where {_CLOSERS[partner.spelling]} closes the {partner.spelling}",
                    token.place,
                )
    if opened:
        raise ExpressionError(
            f"{opened[-1].spelling} is never closed; add {_CLOSERS[opened[-1].spelling]}", opened[-1].place
        )


def closing(tokens: list[Token], start: int) -> int:
    """The index of the bracket that closes the one at start. The brackets are known to be balanced."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index].kind != "operator":
            continue
        if tokens[index].spelling in _CLOSERS:
            depth += 1
        elif tokens[index].spelling in _CLOSERS.values():
            depth -= 1
            if depth == 0:
                return index
    raise AssertionError("brackets are checked before")


def _stray(character: str) -> str:
    if character in "'\"":
        return f"a {character} opens a literal that its line does not close"
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return f"{shown} is not a character of C; replace or remove it"
