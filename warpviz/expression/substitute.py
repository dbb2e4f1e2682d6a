"""An expression with the numbers of one lane in it, step by step: s[k*lane], s[8*10], s[80]."""

from __future__ import annotations

import numpy as np

from warpviz.expression import syntax
from warpviz.expression.errors import ExpressionError
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.layout import Integer, spelled
from warpviz.expression.printing import Printer
from warpviz.expression.syntax import Expression, TypeSyntax
from warpviz.expression.values import LocalObject, LValue, Number
from warpviz.hardware import LANES


def substituted(expression: Expression, evaluator: Evaluator, lane: int) -> tuple[str, ...]:
    """First every name with its number in place of it, then every index worked out; a step that changes nothing is
    left out. Where the lane has no numbers (it is inactive, and in error), the expression alone.
    """
    plain = Printer(PlainWords(evaluator)).text(expression)
    try:
        named = Printer(_NameValues(evaluator, lane)).text(expression)
        reduced = Printer(_Values(evaluator, lane)).text(expression)
    except ExpressionError:
        return (plain,)
    steps = [step for step in dict.fromkeys([named, reduced]) if step != plain]
    return tuple(steps) or (plain,)


class PlainWords:
    """The expression as it is."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def replaced(self, node: Expression, printer: Printer) -> str | None:
        return None

    def type(self, node: TypeSyntax) -> str:
        return spelled(self._evaluator.types.resolve(node))

    def member(self, node: syntax.Select) -> str:
        return node.member


class _NameValues(PlainWords):
    """Names of numbers replaced: k, lane, threadIdx.x."""

    def __init__(self, evaluator: Evaluator, lane: int) -> None:
        super().__init__(evaluator)
        self._lane = lane
        self._mask = np.arange(LANES) == lane

    def replaced(self, node: Expression, printer: Printer) -> str | None:
        if isinstance(node, syntax.Name):
            referred = self._evaluator.entities.get(node.name)
            if isinstance(referred, Expression):
                return printer.word(referred)
        return self._number(node) if isinstance(node, syntax.Name | syntax.Select) else None

    def _number(self, node: Expression) -> str | None:
        """The node's value where it is an integer that does not come from memory."""
        result = self._evaluator.evaluate(node, self._mask)
        if isinstance(result, LValue):
            if not isinstance(result.type, Integer) or not isinstance(result.homes[self._lane], LocalObject):
                return None
            result = self._evaluator.number(node, self._mask)
        return str(int(result.lanes[self._lane])) if isinstance(result, Number) else None


class _Values(_NameValues):
    """Whole integer subexpressions replaced, and ?: by the branch that the lane takes."""

    def replaced(self, node: Expression, printer: Printer) -> str | None:
        number = self._number(node)
        if number is not None:
            return number
        if isinstance(node, syntax.Conditional):
            taken = self._evaluator.condition(node.condition, self._mask)[self._lane]
            return printer.word(node.when_true if taken else node.when_false)
        return super().replaced(node, printer)
