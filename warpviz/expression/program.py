"""A parsed pattern, ready to be evaluated again and again as its knobs turn."""

from __future__ import annotations

from collections.abc import Mapping

from warpviz.expression.declare import Declarations
from warpviz.expression.errors import ExpressionError
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.evaluation import Evaluation, evaluation_of
from warpviz.expression.pattern import Pattern
from warpviz.expression.scope import BUILTIN_NAMES, Names, find_names
from warpviz.expression.source import Place, Text, clipped
from warpviz.expression.syntax import Unit

_MAX_VALUE = 1 << 63


class Program:
    """One pattern's texts, understood. free_names: names that need a value, in order of first appearance."""

    def __init__(self, pattern: Pattern, unit: Unit, macros: frozenset[str]) -> None:
        self.pattern = pattern
        self._unit = unit
        self._macros = macros
        self._names: Names = find_names(unit)
        self.free_names: tuple[str, ...] = tuple(self._names.free)

    def evaluate(self, values: Mapping[str, int]) -> Evaluation:
        """The access with these values; those of names that the pattern does not have are of no account.

        Raises ExpressionError: for a free name without a value, for a value of a name that has another meaning, and
        for whatever the texts make wrong with these values.
        """
        self._check(values)
        evaluator = Evaluator()
        try:
            declarations = Declarations(evaluator, self.pattern, self._names, values)
            declarations.run(self._unit.declarations)
            return evaluation_of(self.pattern, self._unit, evaluator, declarations)
        except RecursionError:
            raise ExpressionError(
                "the text is nested too deeply; shorten it or the chain of its declarations",
                Place(Text("expression", self.pattern.expression), 0),
            ) from None

    def _check(self, values: Mapping[str, int]) -> None:
        for name, value in values.items():
            if name not in self._names.free:
                meaning = self._meaning(name)
                if meaning:
                    raise ExpressionError(f"{clipped(name)} is {meaning}; it takes no value", _set_place(name, value))
            elif not -_MAX_VALUE <= value < _MAX_VALUE:
                raise ExpressionError(f"the value of {clipped(name)} does not fit 64 bits", _set_place(name, value))
        for name, place in self._names.free.items():
            if name not in values:
                raise ExpressionError(
                    f"{clipped(name)} has no value; give it one with --set {clipped(name)}=INT", place
                )

    def _meaning(self, name: str) -> str:
        if name in self._macros:
            return "a macro"
        if name in self._names.arrays:
            return "an array"
        if name in self._names.declared and name not in self._names.settable:
            return "declared with a meaning of its own"
        return "a name that CUDA gives a value" if name in BUILTIN_NAMES else ""


def _set_place(name: str, value: int) -> Place:
    return Place(Text("set", f"{name}={clipped(str(value))}"), 0)
