"""C integer expressions of a launch: what the elements of an array are, how many there are, what a scalar is.

C's rules hold, with one widening: a constant that C makes an int is a long long here, as the element index i is, so
that 4096*1024*1024 is what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.expression import ExpressionError, Pattern, arithmetic, layout, syntax
from warpviz.expression.errors import refuse
from warpviz.expression.intrinsics import INTRINSICS
from warpviz.expression.names import builtin_type
from warpviz.expression.parser import parse_texts
from warpviz.expression.source import clipped
from warpviz.expression.syntax import Expression
from warpviz.expression.values import Mask, Number
from warpviz.kernel.launch.errors import LaunchError
from warpviz.kernel.launch.line import Given

INDEX = "i"
_AT_A_TIME = 1 << 16  # elements: what is computed on the way stays in the cache


class IntegerExpression:
    """given: its text. names: the values that it may use. Raises LaunchError when it is no C expression of them."""

    def __init__(self, given: Given, names: Mapping[str, int]) -> None:
        self._given = given
        self._names = {name: _number(value) for name, value in names.items()}
        try:
            self._tree = _tree(given.text)
        except ExpressionError as error:
            raise self._refused(error) from None

    def constant(self) -> int:
        """Its value, where it has no index. Raises LaunchError, where it is undefined or uses i too."""
        return int(self._lanes(self._names)[0])

    def fill(self, out: NDArray[Any]) -> None:
        """Set out[i], shape (count,), to what it is for i, converted as C converts. Raises LaunchError."""
        for start in range(0, len(out), _AT_A_TIME):
            part = out[start : start + _AT_A_TIME]
            index = np.arange(start, start + len(part), dtype=np.int64)
            with np.errstate(over="ignore"):  # a float16 becomes infinite
                part[:] = self._lanes({**self._names, INDEX: Number(layout.LONG_LONG, index)}).astype(out.dtype)

    def _lanes(self, names: Mapping[str, Number]) -> NDArray[Any]:
        index = names[INDEX].lanes if INDEX in names else np.zeros(1, dtype=np.int64)
        try:
            with np.errstate(over="ignore"):  # C's unsigned numbers wrap, and here the signed ones do
                return _Elements(names).number(self._tree, np.ones(len(index), dtype=np.bool_)).lanes
        except ExpressionError as error:
            at = "" if error.lane is None or INDEX not in names else f"for i = {index[error.lane]}: "
            raise self._refused(error, at) from None

    def _refused(self, error: ExpressionError, at: str = "") -> LaunchError:
        offset = min(error.place.offset, len(self._given.text) - 1)
        return LaunchError(at + error.sentence, self._given.where.after(offset))


@lru_cache(maxsize=64)
def _tree(text: str) -> Expression:
    unit, _ = parse_texts(Pattern(text))
    return unit.lvalue


def _number(value: int) -> Number:
    """Of one element, which numpy spreads over all. What long long does not hold is unsigned."""
    ctype = layout.LONG_LONG if value < 1 << 63 else layout.UNSIGNED_LONG_LONG
    return Number(ctype, np.array([value], dtype=arithmetic.DTYPES[ctype.kind]))


class _Elements:
    """Evaluates a tree for many elements at once. mask: those whose value is asked for; only they can be in error."""

    def __init__(self, names: Mapping[str, Number]) -> None:
        self._names = names

    def number(self, node: Expression, mask: Mask) -> Number:
        step = _STEPS.get(type(node))
        if step is None:
            raise ExpressionError("this is no part of an integer expression", node.place)
        number: Number = step(self, node, mask)
        return number

    def _truth(self, node: Expression, mask: Mask) -> Mask:
        return np.asarray(mask & (self.number(node, mask).lanes != 0))

    def _constant(self, node: syntax.Constant, mask: Mask) -> Number:
        ctype = layout.LONG_LONG if node.type.kind == layout.INT.kind else node.type
        return Number(ctype, np.array([node.value], dtype=arithmetic.DTYPES[ctype.kind]))

    def _unsupported(self, node: syntax.Unsupported, mask: Mask) -> Number:
        raise ExpressionError("a floating-point number stands where integers are computed", node.place)

    def _name(self, node: syntax.Name, mask: Mask) -> Number:
        known = self._names.get(node.name)
        if known is None:
            raise ExpressionError(f"{clipped(node.name)} is no integer that this launch gives", node.place)
        return known

    def _unary(self, node: syntax.Unary, mask: Mask) -> Number:
        if node.operator in ("*", "&"):
            raise ExpressionError("there is no memory here to point to", node.place)
        return arithmetic.unary(node.operator, self.number(node.operand, mask))

    def _binary(self, node: syntax.Binary, mask: Mask) -> Number:
        if node.operator in ("&&", "||"):
            return self._logical(node, mask)
        left, right = self.number(node.left, mask), self.number(node.right, mask)
        if node.operator == ",":
            return right
        undefined = arithmetic.undefined(node.operator, left, right)
        if undefined is not None:
            refuse(node.right.place, mask & undefined[0], _said(node.operator, left))
        return arithmetic.binary(node.operator, left, right)

    def _logical(self, node: syntax.Binary, mask: Mask) -> Number:
        truth = self._truth(node.left, mask)
        if node.operator == "&&":
            truth = self._truth(node.right, truth)
        else:
            truth = truth | self._truth(node.right, mask & ~truth)
        return Number(layout.INT, truth.astype(np.int32))

    def _conditional(self, node: syntax.Conditional, mask: Mask) -> Number:
        chosen = self._truth(node.condition, mask)
        yes, no = self.number(node.when_true, chosen), self.number(node.when_false, mask & ~chosen)
        ctype = arithmetic.common_type(yes.type, no.type)
        lanes = np.where(chosen, arithmetic.convert(yes, ctype).lanes, arithmetic.convert(no, ctype).lanes)
        return Number(ctype, lanes)

    def _cast(self, node: syntax.Cast, mask: Mask) -> Number:
        number = self.number(node.operand, mask)
        ctype = builtin_type(node.type.words) if isinstance(node.type, syntax.NamedType) else None
        if not isinstance(ctype, layout.Integer):
            raise ExpressionError("a cast here is to an integer type", node.place)
        return arithmetic.convert(number, ctype)

    def _call(self, node: syntax.Call, mask: Mask) -> Number:
        intrinsic = INTRINSICS.get(node.function)
        if intrinsic is None:
            raise ExpressionError(f"the function {clipped(node.function)} is not known here", node.place)
        if len(node.arguments) != intrinsic.count:
            raise ExpressionError(f"{node.function} takes {intrinsic.count} arguments", node.place)
        return intrinsic([self.number(argument, mask) for argument in node.arguments])


def _said(operator: str, left: Number) -> Callable[[int], str]:
    if operator in ("/", "%"):
        return lambda element: "division by zero; keep the element out of it with ?:"
    bits = arithmetic.promoted(left.type).bits
    return lambda element: f"a {bits}-bit number is shifted by less than 0 or more than {bits - 1}, which C leaves open"


_STEPS: dict[type, Any] = {
    syntax.Constant: _Elements._constant,
    syntax.Unsupported: _Elements._unsupported,
    syntax.Name: _Elements._name,
    syntax.Unary: _Elements._unary,
    syntax.Binary: _Elements._binary,
    syntax.Conditional: _Elements._conditional,
    syntax.Cast: _Elements._cast,
    syntax.Call: _Elements._call,
}
