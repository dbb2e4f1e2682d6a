"""An expression's tree printed as the user spells it: names, number suffixes and types as they stand in the text."""

from __future__ import annotations

import re

from warpviz.expression import syntax
from warpviz.expression.errors import ExpressionError
from warpviz.expression.literals import integer_constant
from warpviz.expression.printing import Printer
from warpviz.expression.source import Place, Text
from warpviz.expression.syntax import Expression, TypeSyntax
from warpviz.expression.tokens import Token

# Where nodes stand that no text of the user's has.
NOWHERE = Place(Text("expression", ""), 0)

_NUMBER = re.compile(r"[0-9][A-Za-z0-9]*")
_SUFFIXES = {
    "unsigned int": "u",
    "long": "l",
    "unsigned long": "ul",
    "long long": "ll",
    "unsigned long long": "ull",
}


def text_of(node: Expression) -> str:
    """The C of an expression; it parses to an equal tree. Raises ExpressionError for what has no text of its own."""
    return Printer(_OwnWords()).text(node)


def type_text(node: TypeSyntax, declarator: str = "") -> str:
    """A type's name, round a declarator. Raises ExpressionError for a struct, union or enum without a tag."""
    match node:
        case syntax.PointerType(target=target):
            inner = f"*{declarator}"
            return type_text(target, f"({inner})" if isinstance(target, syntax.ArrayType) else inner)
        case syntax.ArrayType(element=element, count=count):
            return type_text(element, f"{declarator}[{'' if count is None else text_of(count)}]")
        case syntax.NamedType(words=words):
            name = " ".join("bool" if word == "_Bool" else word for word in words)
        case syntax.RecordType(kind=kind, tag=tag):
            name = f"{kind} {tag}" if tag else ""
        case syntax.EnumType(tag=tag):
            name = f"enum {tag}" if tag else ""
    if not name:
        raise ExpressionError("a type without a name cannot be written again; give it a tag", node.place)
    return f"{name} {declarator}" if declarator.startswith("(") else f"{name}{declarator}"


class _OwnWords:
    def replaced(self, node: Expression, printer: Printer) -> str | None:
        if isinstance(node, syntax.Unsupported):
            raise ExpressionError(node.sentence, node.place)
        return _number(node) if isinstance(node, syntax.Constant) else None

    def type(self, node: TypeSyntax) -> str:
        return type_text(node)

    def member(self, node: syntax.Select) -> str:
        return node.member


def _number(node: syntax.Constant) -> str:
    """As the text has it (0x1f, 32u) where the constant stands in the text, else in decimal."""
    match = _NUMBER.match(node.place.text.content, node.place.offset)
    if match is not None:
        try:
            if integer_constant(Token("number", match.group(), node.place)) == (node.value, node.type):
                return match.group()
        except ExpressionError:
            pass
    return f"{node.value}{_SUFFIXES.get(node.type.kind, '')}"
