"""The preprocessor: #define and #undef lines, and the expansion of what they define, places kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpviz.expression.errors import ExpressionError
from warpviz.expression.source import Place, clipped
from warpviz.expression.tokens import MAX_TOKENS, Token


@dataclass(frozen=True, slots=True)
class Macro:
    """parameters: None for a macro without a parameter list."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


class Preprocessor:
    """Reads texts one after the other; a macro is known from its line on, in later texts too.

    An expanded token that comes from an argument keeps its own place; one from a macro's body has the place
    where the macro is used.
    """

    def __init__(self) -> None:
        self.macros: dict[str, Macro] = {}
        self._produced = 0

    def run(self, tokens: list[Token]) -> list[Token]:
        """The tokens without directives, every macro expanded. Raises ExpressionError."""
        expanded: list[Token] = []
        ordinary: list[Token] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.starts_line and token.spelling == "#":
                end = next((i for i in range(index + 1, len(tokens)) if tokens[i].starts_line), len(tokens))
                expanded += self._expand(ordinary)
                ordinary = []
                self._direct(token.place, tokens[index + 1 : end])
                index = end
            else:
                ordinary.append(token)
                index += 1
        return expanded + self._expand(ordinary)

    def _direct(self, place: Place, line: list[Token]) -> None:
        word = line[0].spelling if line else ""
        if place.source != "declarations":
            raise ExpressionError(f"#{clipped(word)} belongs in the declarations", place)
        if word == "define":
            macro = _macro(place, line[1:])
            self.macros[macro.name] = macro
        elif word == "undef" and len(line) == 2:
            self.macros.pop(line[1].spelling, None)
        elif word == "include":
            raise ExpressionError("#include is not followed; give the declarations that the access needs", place)
        elif word == "pragma" and len(line) > 1 and line[1].spelling == "pack":
            raise ExpressionError("#pragma pack is not modelled; write the layout out with char members", place)
        elif word not in ("pragma", ""):
            raise ExpressionError(f"#{clipped(word)} is not known here; #define and #undef are", place)

    def _expand(self, tokens: list[Token]) -> list[Token]:
        pending = tokens[::-1]
        expanded: list[Token] = []
        while pending:
            token = pending.pop()
            macro = self.macros.get(token.spelling) if token.kind == "name" else None
            if macro is None or macro.name in token.hidden:
                expanded.append(token)
            elif macro.parameters is None:
                pending += self._replaced(macro, token, {}, token.hidden | {macro.name})[::-1]
            elif pending and pending[-1].spelling == "(":
                arguments, last = _arguments(macro, token, pending)
                hidden = (token.hidden & last.hidden) | {macro.name}
                pending += self._replaced(macro, token, arguments, hidden)[::-1]
            else:
                expanded.append(token)
        return expanded

    def _replaced(
        self, macro: Macro, use: Token, arguments: dict[str, list[Token]], hidden: frozenset[str]
    ) -> list[Token]:
        """The macro's body with the arguments, themselves expanded, in place of the parameters."""
        full = {name: self._expand(argument) for name, argument in arguments.items()}
        result: list[Token] = []
        for token in macro.body:
            if token.spelling in full:
                result += [replace(t, hidden=t.hidden | hidden, starts_line=False) for t in full[token.spelling]]
            else:
                result.append(replace(token, place=use.place, hidden=token.hidden | hidden, starts_line=False))
        self._produced += len(result) + 1
        if self._produced > 2 * MAX_TOKENS:
            raise ExpressionError(f"the macro {clipped(macro.name)} expands to too many tokens", use.place)
        return result


def _macro(place: Place, line: list[Token]) -> Macro:
    if not line or line[0].kind != "name":
        raise ExpressionError("#define needs a name: #define NAME VALUE", place)
    name, rest = line[0], line[1:]
    parameters = None
    if rest and rest[0].spelling == "(" and rest[0].place.offset == name.place.offset + len(name.spelling):
        close = next((i for i, token in enumerate(rest) if token.spelling == ")"), None)
        if close is None:
            raise ExpressionError(f"the parameters of {clipped(name.spelling)} are never closed; add )", rest[0].place)
        parameters = _parameters(rest[1:close])
        rest = rest[close + 1 :]
    for token in rest:
        if token.spelling in ("#", "##"):
            raise ExpressionError(f"{token.spelling} in a macro is not known here; write the name out", token.place)
    return Macro(name.spelling, parameters, tuple(rest))


def _parameters(tokens: list[Token]) -> tuple[str, ...]:
    for index, token in enumerate(tokens):
        fits = token.kind == "name" if index % 2 == 0 else token.spelling == ","
        if not fits:
            raise ExpressionError(
                f"{clipped(token.spelling)} is not a macro parameter; they are names with commas", token.place
            )
    if tokens and len(tokens) % 2 == 0:
        raise ExpressionError("a parameter is missing after the comma", tokens[-1].place)
    return tuple(token.spelling for token in tokens[::2])


def _arguments(macro: Macro, use: Token, pending: list[Token]) -> tuple[dict[str, list[Token]], Token]:
    """Take `( argument, ... )` off pending, whose end is the next token; also the closing bracket's token."""
    arguments: list[list[Token]] = [[]]
    depth = 0
    while pending:
        token = pending.pop()
        if token.spelling in ("(", "[", "{"):
            depth += 1
        elif token.spelling in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return _bound(macro, use, arguments), token
        if depth == 1 and token.spelling == ",":
            arguments.append([])
        elif depth > 1 or token.spelling != "(":
            arguments[-1].append(token)
    raise ExpressionError(f"the arguments of {clipped(macro.name)} are never closed; add )", use.place)


def _bound(macro: Macro, use: Token, arguments: list[list[Token]]) -> dict[str, list[Token]]:
    parameters = macro.parameters or ()
    if not parameters and arguments == [[]]:
        return {}
    if len(arguments) != len(parameters):
        raise ExpressionError(
            f"the macro {clipped(macro.name)} takes {len(parameters)} arguments, not {len(arguments)}", use.place
        )
    return dict(zip(parameters, arguments, strict=True))
