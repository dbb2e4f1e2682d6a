"""Texts -> tree: the preprocessor, the CUDA dialect, then pycparser, with every place kept.

pycparser reads one token a line, so that the line number of whatever it reports is the number of a token, and the
token knows its place in the user's text, through macros too.
"""

from __future__ import annotations

import re
from typing import Any

from pycparser.c_ast import FileAST
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser, ParseError

from warpviz.expression.dialect import casts, plain_words, record_alignments, references, type_names, typedefs
from warpviz.expression.errors import ExpressionError
from warpviz.expression.literals import is_floating
from warpviz.expression.macros import Preprocessor
from warpviz.expression.pattern import Pattern
from warpviz.expression.source import Place, Source, Text, clipped
from warpviz.expression.syntax import Unit
from warpviz.expression.tokens import MAX_TOKENS, Token, check_brackets, tokenize
from warpviz.expression.tree import TreeBuilder

TOO_DEEP = "the text is nested too deeply; name parts of it with initialised locals"

# Names that no user's text can have, since $ is no character of C.
_EXPRESSION_NAME = "$lvalue"
_WHERE_NAME = "$where"
_FIRST_TOKEN_LINE = 2
_TEXT_NAMES: dict[Source, str] = {
    "expression": "the expression",
    "declarations": "the last declaration",
    "where": "the condition",
}


def parse_texts(pattern: Pattern) -> tuple[Unit, frozenset[str]]:
    """The tree of a pattern's texts, and the names of its macros. Raises ExpressionError."""
    expression = Text("expression", pattern.expression)
    try:
        return _parse(expression, Text("declarations", pattern.declarations), Text("where", pattern.where))
    except RecursionError:
        raise ExpressionError(TOO_DEEP, Place(expression, 0)) from None


def _parse(expression: Text, declarations: Text, where: Text) -> tuple[Unit, frozenset[str]]:
    preprocessor = Preprocessor()
    declared = typedefs(record_alignments(plain_words(_expanded(preprocessor, declarations))))
    condition = plain_words(_expanded(preprocessor, where))
    lvalue = plain_words(_expanded(preprocessor, expression))
    while lvalue and lvalue[-1].spelling == ";":
        lvalue.pop()
    if not lvalue:
        raise ExpressionError("the expression is empty; give an access such as s[lane]", Place(expression, 0))
    _check_single(lvalue)
    _check_single(condition)
    types = type_names(declared)
    unit = _Unit(types)
    unit.add(references(casts(declared, types)), Place(declarations, len(declarations.content)))
    if condition:
        unit.add_value(_WHERE_NAME, casts(condition, types), Place(where, len(where.content)))
    unit.add_value(_EXPRESSION_NAME, casts(lvalue, types), Place(expression, len(expression.content)))
    builder = TreeBuilder(unit.tokens, _FIRST_TOKEN_LINE)
    return builder.unit(unit.parse(), _WHERE_NAME, _EXPRESSION_NAME), frozenset(preprocessor.macros)


def _expanded(preprocessor: Preprocessor, text: Text) -> list[Token]:
    tokens = preprocessor.run(tokenize(text))
    check_brackets(tokens)
    for token in tokens:
        if token.spelling in ("#", "##", "..."):
            raise ExpressionError(
                f"{token.spelling} has no meaning here; a #define stands on a line of its own", token.place
            )
        if token.kind == "string":
            raise ExpressionError("a string has no meaning here; remove it", token.place)
    return tokens


def _check_single(tokens: list[Token]) -> None:
    for token in tokens:
        if token.spelling in (";", "{", "}"):
            source = token.place.source
            raise ExpressionError(f"{token.spelling} ends the {source}; it is one C expression", token.place)


class _Lexer(CLexer):  # type: ignore[misc]  # pycparser has no types
    """Remembers the last token that the parser looked at: where it stopped when it gives no place."""

    last_line = 0

    def token(self) -> Any:
        token = super().token()
        if token is not None:
            self.last_line = token.lineno
        return token


class _Unit:
    """The translation unit that pycparser reads. Line 1 is the prelude; token i is on line i + 2."""

    def __init__(self, types: frozenset[str]) -> None:
        self._types = types
        self.tokens: list[Token] = []

    def add(self, tokens: list[Token], end: Place) -> None:
        """Declarations. end: where something missing at their end is missing."""
        self.tokens += tokens
        if tokens and tokens[-1].spelling not in (";", "}"):
            raise ExpressionError("the declarations end without ;", end)
        if tokens and tokens[-1].spelling == "}":
            self.tokens.append(Token("operator", ";", end))

    def add_value(self, name: str, tokens: list[Token], end: Place) -> None:
        """One expression, as the initializer of an object of this name."""
        start = tokens[0].place
        words = [Token("name", "int", start), Token("name", name, start), Token("operator", "=", start)]
        self.tokens += [*words, Token("operator", "(", start), *tokens]
        self.tokens += [Token("operator", ")", end), Token("operator", ";", end)]

    def parse(self) -> FileAST:
        """Raises ExpressionError where the C parser stops."""
        if len(self.tokens) > 2 * MAX_TOKENS:
            raise ExpressionError("the texts are too long; keep what the access needs", self.tokens[-1].place)
        used = sorted({token.spelling for token in self.tokens} & self._types)
        prelude = " ".join(f"typedef int {name};" for name in used)
        parser = CParser(lexer=_Lexer)
        try:
            return parser.parse("\n".join([prelude, *map(_spelling, self.tokens)]))
        except ParseError as error:
            raise self._syntax_error(str(error), parser.clex.last_line) from None

    def _syntax_error(self, message: str, last_line: int) -> ExpressionError:
        line = re.match(r":(\d+):", message)
        number = int(line[1]) if line else last_line
        token = self.tokens[min(max(number - _FIRST_TOKEN_LINE, 0), len(self.tokens) - 1)]
        if token.place.offset >= len(token.place.text.content):
            what = _TEXT_NAMES[token.place.source]
            return ExpressionError(f"{what} ends too early; something is missing", token.place)
        hint = "; it is the name of a type, so rename what it stands for" if token.spelling in self._types else ""
        if token.spelling.startswith(("$", "_Alignas")):
            return ExpressionError("a C++ or CUDA word stands where C has none; remove it", token.place)
        return ExpressionError(f"{clipped(token.spelling)} is not expected here{hint}", token.place)


def _spelling(token: Token) -> str:
    """What the C parser reads for a token: every constant is the same to it, since the tree takes its own value."""
    if token.kind == "number":
        return "0.0" if is_floating(token) else "0"
    if token.kind == "character":
        return "0"
    return "*" if token.kind == "reference" else token.spelling
