"""What a lane has to do with an index: which part of an expression varies with the lane, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from warpviz.expression import syntax
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.layout import Integer, Pointer
from warpviz.expression.printing import Printer
from warpviz.expression.substitute import PlainWords
from warpviz.expression.syntax import Expression
from warpviz.expression.values import LocalObject, Mask

Kind = Literal["uniform", "linear", "varying"]

# Operators whose operands tell a learner more than the whole; those of a group are read together.
_SPLIT = (("+", "-"), ("*",), ("^",), ("/",), ("%",), ("<<",), (">>",), ("&",), ("|",))


@dataclass(frozen=True)
class Reading:
    """An integer expression over the active lanes.

    text: the expression as C. kind: the same value in every lane; the same growth from each lane to the next; or
    neither. value: of a uniform one, None where no lane is active. stride: of a linear one, how much it grows for each
    lane number. distinct: how many different values there are. parts: the operands of a sum, product, xor and the
    like, when some are uniform and some are not; numbers and the bare lane are left out.
    """

    text: str
    kind: Kind
    value: int | None
    stride: int | None
    distinct: int
    parts: tuple[Reading, ...] = ()


def readings(lvalue: Expression, evaluator: Evaluator, mask: Mask) -> tuple[Reading, ...]:
    """Every index of an lvalue and every offset of its pointers, from the outermost object inwards.

    mask: the lanes that are read; the lvalue is already evaluated in them. The indices behind a `?:` are left out: each
    belongs to some lanes only.
    """
    reader = _Reader(evaluator, mask)
    return tuple(reader.reading(index) for index in reader.indices(lvalue))


def growth_per_lane(values: Mapping[int, int]) -> int | None:
    """How much a value grows for each lane number; None where that is not constant or there are not two lanes.

    values: lane -> value, ascending by lane.

    >>> growth_per_lane({0: 5, 1: 8, 3: 14})
    3
    """
    lanes = list(values)
    if len(lanes) < 2:
        return None
    first, second = lanes[:2]
    growth, rest = divmod(values[second] - values[first], second - first)
    steady = not rest and all(values[lane] - values[first] == growth * (lane - first) for lane in lanes)
    return growth if steady else None


class _Reader:
    """Reads the parts of one lvalue in the lanes of a mask."""

    def __init__(self, evaluator: Evaluator, mask: Mask) -> None:
        self._evaluator = evaluator
        self._mask = mask
        self._lanes = [lane for lane, reached in enumerate(mask.tolist()) if reached]
        self._printer = Printer(PlainWords(evaluator))

    def indices(self, node: Expression) -> Iterator[Expression]:
        """The integer expressions that move an lvalue or a pointer, in the order in which they do."""
        match node:
            case syntax.Subscript(base=base, index=index):
                yield from self._moved(base, index)
            case syntax.Binary(operator="+" | "-", left=left, right=right):
                yield from self._moved(left, right)
            case syntax.Binary(operator=",", right=operand) | syntax.Select(base=operand):
                yield from self.indices(operand)
            case syntax.Cast(operand=operand) | syntax.Unary(operator="*" | "&", operand=operand):
                yield from self.indices(operand)
            case syntax.Name(name=name):
                yield from self._named(name)

    def _moved(self, base: Expression, index: Expression) -> Iterator[Expression]:
        if not self._is_integer(index):
            base, index = index, base  # C reads 3[s] as s[3], and 3 + s as s + 3
        yield from self.indices(base)
        yield index

    def _named(self, name: str) -> Iterator[Expression]:
        """Behind a reference, or a pointer with an initial value: what it stands for."""
        entity = self._evaluator.entities.get(name)
        if isinstance(entity, LocalObject) and isinstance(entity.type, Pointer):
            _, content = entity.cells[0]
            if isinstance(content, Expression):
                yield from self.indices(content)
        elif isinstance(entity, Expression):
            yield from self.indices(entity)

    def _is_integer(self, node: Expression) -> bool:
        return isinstance(self._evaluator.decayed_type(node), Integer)

    def reading(self, node: Expression) -> Reading:
        """How the node's value goes with the lane, and how that of its operands does."""
        whole = self._whole(node)
        for operators in _SPLIT:
            if isinstance(node, syntax.Binary) and node.operator in operators:
                return replace(whole, parts=self._parts(node, operators))
        return whole

    def _whole(self, node: Expression) -> Reading:
        numbers = self._evaluator.number(node, self._mask).lanes
        values = {lane: int(numbers[lane]) for lane in self._lanes}
        text, distinct = self._printer.text(node), len(set(values.values()))
        if distinct <= 1:
            return Reading(text, "uniform", next(iter(values.values()), None), None, distinct)
        growth = growth_per_lane(values)
        return Reading(text, "varying" if growth is None else "linear", None, growth, distinct)

    def _parts(self, node: syntax.Binary, operators: tuple[str, ...]) -> tuple[Reading, ...]:
        operands = list(self._operands(node, operators))
        parts = [self._whole(operand) for operand in operands]
        if len({part.kind == "uniform" for part in parts}) < 2:
            return ()
        return tuple(part for part, operand in zip(parts, operands, strict=True) if _tells(operand))

    def _operands(self, node: Expression, operators: tuple[str, ...]) -> Iterator[Expression]:
        """Of `a + b - c`: a, b and c. The difference of two pointers stays whole."""
        if isinstance(node, syntax.Binary) and node.operator in operators and self._is_integer(node.left):
            yield from self._operands(node.left, operators)
            yield from self._operands(node.right, operators)
        else:
            yield node


def _tells(node: Expression) -> bool:
    """Whether a part is more than a number or the lane itself."""
    return not isinstance(node, syntax.Constant) and not (isinstance(node, syntax.Name) and node.name == "lane")
