"""The tree printed back as C, with as few brackets as the precedence of its operators asks for."""

from __future__ import annotations

from typing import Protocol

from warpviz.expression import syntax
from warpviz.expression.syntax import Expression, TypeSyntax

_COMMA, _CONDITIONAL, _UNARY, _POSTFIX = 1, 2, 13, 14
_BINARY = {
    operator: level
    for level, operators in enumerate(
        [",", "?", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"], start=_COMMA
    )
    for operator in operators.split()
}
_TIGHT = ("*", "/", "%")
# C binds these in an order that few remember: whatever else stands inside them is put in brackets.
_BRACKETED = {**dict.fromkeys(["|", "^", "&", "<<", ">>"], _BINARY["*"]), "||": _BINARY["|"]}


class Words(Protocol):
    """How the leaves of a tree are spelled."""

    def replaced(self, node: Expression, printer: Printer) -> str | None:
        """A node's text where it is not printed as its operator says. A negative number begins with -."""

    def type(self, node: TypeSyntax) -> str:
        """The type of a cast, of sizeof, of offsetof."""

    def member(self, node: syntax.Select) -> str:
        """The name after . or ->"""


class Printer:
    """Prints expressions with the words it is given."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def text(self, node: Expression, least: int = _COMMA) -> str:
        """least: the precedence that the place asks for; what binds less tightly is put in brackets."""
        replaced = self._words.replaced(node, self)
        if replaced is not None:
            return f"({replaced})" if replaced.startswith("-") and least > _COMMA else replaced
        text, level = self._parts(node)
        return f"({text})" if level < least else text

    def argument(self, node: Expression) -> str:
        """As text, where a comma would end it: an argument, an initial value."""
        return self.text(node, _CONDITIONAL)

    def operand(self, node: Expression) -> str:
        """As text, where a cast or another operator stands next to it."""
        return self.text(node, _UNARY)

    def word(self, node: Expression) -> str:
        """As text, where it stands in the place of a name."""
        return self.text(node, _POSTFIX)

    def _parts(self, node: Expression) -> tuple[str, int]:
        """The text of a node, and how tightly it binds."""
        match node:
            case syntax.Constant(value=value):
                return str(value), _POSTFIX
            case syntax.Name(name=name):
                return name, _POSTFIX
            case syntax.Unary(operator=operator, operand=operand):
                inner = self.text(operand, _UNARY)
                return f"{operator}{' ' if inner.startswith(operator) else ''}{inner}", _UNARY
            case syntax.Binary():
                return self._binary(node)
            case syntax.Conditional(condition=condition, when_true=yes, when_false=no):
                parts = self.text(condition, _CONDITIONAL + 1), self.text(yes), self.text(no, _CONDITIONAL)
                return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CONDITIONAL
            case syntax.Subscript(base=base, index=index):
                return f"{self.text(base, _POSTFIX)}[{self.text(index)}]", _POSTFIX
            case syntax.Select(base=base, arrow=arrow):
                return f"{self.text(base, _POSTFIX)}{'->' if arrow else '.'}{self._words.member(node)}", _POSTFIX
            case syntax.Cast(type=ctype, operand=operand):
                return f"({self._words.type(ctype)}){self.text(operand, _UNARY)}", _UNARY
            case syntax.Call(function=function, arguments=arguments):
                return f"{function}({', '.join(map(self.argument, arguments))})", _POSTFIX
        return self._measured(node), _POSTFIX

    def _binary(self, node: syntax.Binary) -> tuple[str, int]:
        level = _BINARY[node.operator]
        least = _BRACKETED.get(node.operator, level)
        same = isinstance(node.left, syntax.Binary) and node.left.operator == node.operator
        left, right = self.text(node.left, level if same else least), self.text(node.right, max(least, level + 1))
        if node.operator == ",":
            return f"{left}, {right}", level
        space = "" if node.operator in _TIGHT and not right.startswith("*") else " "
        return f"{left}{space}{node.operator}{space}{right}", level

    def _measured(self, node: Expression) -> str:
        match node:
            case syntax.SizeOf(what=what, operand=operand):
                inner = self._words.type(operand) if isinstance(operand, TypeSyntax) else self.text(operand)
                return f"{what}({inner})"
            case syntax.OffsetOf(type=ctype, member=member):
                return f"offsetof({self._words.type(ctype)}, {member})"
        raise AssertionError(f"{type(node).__name__} is never evaluated, so never printed")
