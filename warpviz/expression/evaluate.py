"""The walk over an expression's tree: what it is worth in every lane, by C's own rules.

Every step has a mask of the lanes that reach it (`?:`, && and || let only some through): only they can be in error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpviz.expression import arithmetic, layout, pointers, syntax
from warpviz.expression.errors import ExpressionError, Notice, refuse
from warpviz.expression.intrinsics import INTRINSICS
from warpviz.expression.layout import Array, CType, Floating, Pointer, Record, Void
from warpviz.expression.locals import LocalReader
from warpviz.expression.source import Place, clipped
from warpviz.expression.syntax import Expression, TypeSyntax
from warpviz.expression.types import TypeResolver
from warpviz.expression.values import (
    EVERY_LANE,
    NO_LANE,
    Address,
    LocalObject,
    LValue,
    Mask,
    MemoryObject,
    Number,
    Value,
    active,
)
from warpviz.hardware import LANES

Result = Number | Address | LValue
# What a name stands for. An expression: a reference (`float& r = …`), which stands for that lvalue.
Entity = Number | MemoryObject | LocalObject | Expression


class Evaluator:
    """entities: what the names declared so far stand for. notices: the warnings so far, one for each place."""

    def __init__(self) -> None:
        self.entities: dict[str, Entity] = {}
        self.notices: dict[Place, Notice] = {}
        self.types = TypeResolver(self.constant, self._enumerate)
        self._locals = LocalReader(self.value)

    # What the rest of the package asks

    def evaluate(self, node: Expression, mask: Mask) -> Result:
        """What an expression is in the lanes of the mask; an lvalue stays one."""
        result: Result = _STEPS[type(node)](self, node, mask)
        return result

    def value(self, node: Expression, mask: Mask) -> Value:
        """The value of an expression: an lvalue is read, an array becomes a pointer to its first element."""
        result = self.evaluate(node, mask)
        return self._read(result, node, mask) if isinstance(result, LValue) else result

    def number(self, node: Expression, mask: Mask) -> Number:
        """The integer value of an expression."""
        value = self.value(node, mask)
        if isinstance(value, Address):
            raise ExpressionError("a pointer stands where an integer is needed", node.place)
        return value

    def condition(self, node: Expression, mask: Mask) -> Mask:
        """The lanes of the mask in which an expression is not zero."""
        return np.asarray(mask & (self.number(node, mask).lanes != 0))

    def constant(self, node: Expression) -> int:
        """The value of an expression that is the same in every lane."""
        lanes = self.number(node, EVERY_LANE).lanes
        if (lanes != lanes[0]).any():
            raise ExpressionError("this differs from lane to lane; a constant is needed here", node.place)
        return int(lanes[0])

    def type_of(self, node: Expression) -> CType:
        """The type of an expression; nothing in it is computed, so nothing in it can be undefined."""
        result = self.evaluate(node, NO_LANE)
        return Pointer(result.target) if isinstance(result, Address) else result.type

    def decayed_type(self, node: Expression) -> CType:
        """The type that `auto` takes from an expression: an array becomes a pointer to its element."""
        ctype = self.type_of(node)
        return Pointer(ctype.element) if isinstance(ctype, Array) else ctype

    def warn(self, place: Place, mask: Mask, sentence: Callable[[int], str]) -> None:
        """Note what is odd in the lanes of the mask, if any. sentence: of the first of them."""
        if mask.any() and place not in self.notices:
            lane = int(mask.argmax())
            count = int(mask.sum())
            more = "" if count == 1 else f" ({count} lanes)"
            self.notices[place] = Notice(sentence(lane) + more, lane, place)

    def _enumerate(self, name: str, value: int) -> None:
        self.entities[name] = arithmetic.uniform(value, layout.INT)

    # Leaves

    def _constant(self, node: syntax.Constant, mask: Mask) -> Result:
        return arithmetic.uniform(node.value, node.type)

    def _unsupported(self, node: syntax.Unsupported, mask: Mask) -> Result:
        raise ExpressionError(node.sentence, node.place)

    def _name(self, node: syntax.Name, mask: Mask) -> Result:
        entity = self.entities.get(node.name)
        if entity is None:
            raise ExpressionError(
                f"{clipped(node.name)} has no value; give it one with --set {clipped(node.name)}=INT", node.place
            )
        if isinstance(entity, Number):
            return entity
        if isinstance(entity, MemoryObject | LocalObject):
            return LValue(entity.type, (entity,) * LANES, _ZEROS)
        return self.evaluate(entity, mask)

    def _size_of(self, node: syntax.SizeOf, mask: Mask) -> Result:
        operand = node.operand
        ctype = self.types.resolve(operand) if isinstance(operand, TypeSyntax) else self.type_of(operand)
        size = pointers.sized(ctype, node.place)
        return arithmetic.uniform(size if node.what == "sizeof" else layout.align_of(ctype), layout.UNSIGNED_LONG)

    def _offset_of(self, node: syntax.OffsetOf, mask: Mask) -> Result:
        ctype = self.types.resolve(node.type)
        return arithmetic.uniform(pointers.member(ctype, node.member, node.place).offset, layout.UNSIGNED_LONG)

    # Operators on numbers

    def _unary(self, node: syntax.Unary, mask: Mask) -> Result:
        if node.operator == "*":
            return self._dereferenced(node.operand, mask)
        if node.operator == "&":
            return self._address(node.operand, mask)
        return arithmetic.unary(node.operator, self.number(node.operand, mask))

    def _binary(self, node: syntax.Binary, mask: Mask) -> Result:
        if node.operator in ("&&", "||"):
            return self._logical(node, mask)
        if node.operator == ",":
            self.evaluate(node.left, mask)
            return self.evaluate(node.right, mask)
        left, right = self.value(node.left, mask), self.value(node.right, mask)
        if isinstance(left, Address) or isinstance(right, Address):
            return self._pointer_arithmetic(node, left, right, mask)
        undefined = arithmetic.undefined(node.operator, left, right)
        if undefined is not None:
            refuse(node.right.place, mask & undefined[0], undefined[1])
        return arithmetic.binary(node.operator, left, right)

    def _logical(self, node: syntax.Binary, mask: Mask) -> Result:
        left = self.condition(node.left, mask)
        if node.operator == "&&":
            truth = self.condition(node.right, left)
        else:
            truth = left | self.condition(node.right, mask & ~left)
        return Number(layout.INT, truth.astype(np.int32))

    def _conditional(self, node: syntax.Conditional, mask: Mask) -> Result:
        chosen = self.condition(node.condition, mask)
        yes, no = self.evaluate(node.when_true, chosen), self.evaluate(node.when_false, mask & ~chosen)
        if isinstance(yes, LValue) and isinstance(no, LValue) and yes.type == no.type:
            return LValue(yes.type, *pointers.merged(chosen, yes, no))
        first = self._read(yes, node.when_true, chosen) if isinstance(yes, LValue) else yes
        second = self._read(no, node.when_false, mask & ~chosen) if isinstance(no, LValue) else no
        return pointers.chosen(chosen, first, second, node.place)

    def _call(self, node: syntax.Call, mask: Mask) -> Result:
        intrinsic = INTRINSICS.get(node.function)
        if intrinsic is None:
            raise ExpressionError(
                f"the function {clipped(node.function)} is not known here; use #define {clipped(node.function)}(x)",
                node.place,
            )
        if len(node.arguments) != intrinsic.count:
            raise ExpressionError(
                f"{node.function} takes {intrinsic.count} arguments, not {len(node.arguments)}", node.place
            )
        return intrinsic([self.number(argument, mask) for argument in node.arguments])

    def _cast(self, node: syntax.Cast, mask: Mask) -> Result:
        return pointers.converted(self.value(node.operand, mask), self.types.resolve(node.type), node.place)

    # Pointers and memory

    def _subscript(self, node: syntax.Subscript, mask: Mask) -> Result:
        return self._element(node, mask, one_past=False)

    def _element(self, node: syntax.Subscript, mask: Mask, *, one_past: bool) -> LValue:
        """base[index]. one_past: the address just after the array's end is asked for, which C allows."""
        base, index = self.evaluate(node.base, mask), self.value(node.index, mask)
        if isinstance(base, LValue) and isinstance(base.type, Array) and isinstance(index, Number):
            self._check_bounds(node, base, base.type, index, mask, one_past)
        pointer = self._read(base, node.base, mask) if isinstance(base, LValue) else base
        if isinstance(pointer, Number) and isinstance(index, Address):
            pointer, index = index, pointer  # C reads 3[s] as s[3]
        if isinstance(pointer, Number) or isinstance(index, Address):
            raise ExpressionError("this is no array and no pointer; declare it to index it", node.base.place)
        moved = pointers.moved(pointer, index, 1, node.base.place)
        return LValue(moved.target, moved.homes, moved.offsets)

    def _check_bounds(
        self, node: syntax.Subscript, base: LValue, array: Array, index: Number, mask: Mask, one_past: bool
    ) -> None:
        count = array.count
        if count is None:
            return
        outside = (index.lanes < 0) | (index.lanes > count) | ((index.lanes == count) & (not one_past))

        def sentence(lane: int) -> str:
            return f"index {index.lanes[lane]} is outside 0..{count - 1} of {clipped(base.homes[lane].name)}"

        known = np.array([isinstance(home, LocalObject) for home in base.homes])
        refuse(node.index.place, mask & outside & known, sentence)
        self.warn(node.index.place, mask & outside, sentence)

    def _dereferenced(self, node: Expression, mask: Mask) -> Result:
        pointer = self.value(node, mask)
        if isinstance(pointer, Number):
            raise ExpressionError("* needs a pointer, and this is a number; declare it as one", node.place)
        if isinstance(pointer.target, Void):
            raise ExpressionError("void has no value; cast the pointer first: *(float*)p", node.place)
        return LValue(pointer.target, pointer.homes, pointer.offsets)

    def _address(self, node: Expression, mask: Mask) -> Result:
        place: Result
        if isinstance(node, syntax.Subscript):
            place = self._element(node, mask, one_past=True)
        else:
            place = self.evaluate(node, mask)
        if not isinstance(place, LValue):
            raise ExpressionError("& needs something in memory, and this is a value", node.place)
        return Address(place.type, place.homes, place.offsets)

    def _select(self, node: syntax.Select, mask: Mask) -> Result:
        if node.arrow:
            base: Result = self._dereferenced(node.base, mask)
        else:
            base = self.evaluate(node.base, mask)
        if not isinstance(base, LValue):
            raise ExpressionError(f".{clipped(node.member)} needs a struct before it", node.member_place)
        member = pointers.member(base.type, node.member, node.member_place)
        return LValue(member.type, base.homes, base.offsets + member.offset)

    def _pointer_arithmetic(self, node: syntax.Binary, left: Value, right: Value, mask: Mask) -> Result:
        match node.operator, left, right:
            case "+", Address(), Number():
                return pointers.moved(left, right, 1, node.left.place)
            case "+", Number(), Address():
                return pointers.moved(right, left, 1, node.right.place)
            case "-", Address(), Number():
                return pointers.moved(left, right, -1, node.left.place)
            case (("-" | "<" | ">" | "<=" | ">=" | "==" | "!="), Address(), Address()):
                refuse(
                    node.place,
                    mask & pointers.apart(left, right),
                    lambda _: "these pointers point into different objects",
                )
                return pointers.compared(node.operator, left, right, node.place)
        raise ExpressionError(f"{node.operator} does not go with a pointer here", node.place)

    def _read(self, place: LValue, node: Expression, mask: Mask) -> Value:
        """The value of an lvalue: known for local variables alone. An array is its first element's address."""
        if isinstance(place.type, Array):
            return Address(place.type.element, place.homes, place.offsets)
        if isinstance(place.type, Record):
            raise ExpressionError(f"a whole {place.type} is no number; name a member", node.place)
        read = next((home for home in active(place.homes, mask) if isinstance(home, MemoryObject)), None)
        if read is not None:
            raise ExpressionError(
                f"what {clipped(read.name)} holds is not known; put a name in its place and give it a value with --set",
                node.place,
            )
        if isinstance(place.type, Floating | Void):
            raise ExpressionError(f"a {place.type} is no integer; an index is computed from integers", node.place)
        return self._locals.read(place, place.type, mask, node.place)


_ZEROS: NDArray[np.int64] = np.zeros(LANES, dtype=np.int64)

_STEPS: dict[type, Any] = {
    syntax.Constant: Evaluator._constant,
    syntax.Unsupported: Evaluator._unsupported,
    syntax.Name: Evaluator._name,
    syntax.Unary: Evaluator._unary,
    syntax.Binary: Evaluator._binary,
    syntax.Conditional: Evaluator._conditional,
    syntax.Subscript: Evaluator._subscript,
    syntax.Select: Evaluator._select,
    syntax.Cast: Evaluator._cast,
    syntax.SizeOf: Evaluator._size_of,
    syntax.OffsetOf: Evaluator._offset_of,
    syntax.Call: Evaluator._call,
}
