"""C's integer arithmetic on the 32 lanes of a warp: promotion, the usual conversions, wrap-around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from warpviz.expression import layout
from warpviz.expression.layout import Integer
from warpviz.expression.values import Lanes, Mask, Number
from warpviz.hardware import LANES

DTYPES: dict[str, np.dtype[Any]] = {
    integer.kind: np.dtype(f"{'i' if integer.signed else 'u'}{integer.size}")
    for integer in (
        layout.CHAR,
        layout.SIGNED_CHAR,
        layout.UNSIGNED_CHAR,
        layout.SHORT,
        layout.UNSIGNED_SHORT,
        layout.INT,
        layout.UNSIGNED_INT,
        layout.LONG,
        layout.UNSIGNED_LONG,
        layout.LONG_LONG,
        layout.UNSIGNED_LONG_LONG,
    )
}
DTYPES[layout.BOOL.kind] = np.dtype(np.bool_)


def uniform(value: int, ctype: Integer) -> Number:
    """The same number in every lane, wrapped into the type."""
    if ctype.kind == layout.BOOL.kind:
        return Number(ctype, np.full(LANES, value != 0))
    wrapped = value & ((1 << ctype.bits) - 1)
    if ctype.signed and wrapped >> (ctype.bits - 1):
        wrapped -= 1 << ctype.bits
    return Number(ctype, np.full(LANES, wrapped, dtype=DTYPES[ctype.kind]))


def convert(number: Number, ctype: Integer) -> Number:
    """C17 6.3.1.2 and 6.3.1.3: bool is "not zero", everything else wraps to the type's width."""
    if number.type.kind == ctype.kind:
        return Number(ctype, number.lanes)
    return Number(ctype, number.lanes.astype(DTYPES[ctype.kind]))


def promoted(ctype: Integer) -> Integer:
    """C17 6.3.1.1: whatever is smaller than int becomes int, which holds all its values."""
    return layout.INT if ctype.rank < layout.INT.rank else ctype


def common_type(left: Integer, right: Integer) -> Integer:
    """C17 6.3.1.8, the usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    if left.signed == right.signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.size > unsigned.size:
        return signed
    return layout.UNSIGNED_LONG_LONG if signed.rank == layout.LONG_LONG.rank else layout.UNSIGNED_LONG


def unary(operator: str, operand: Number) -> Number:
    """+ - ~ !"""
    if operator == "!":
        return Number(layout.INT, (operand.lanes == 0).astype(np.int32))
    number = convert(operand, promoted(operand.type))
    if operator == "-":
        return Number(number.type, np.negative(number.lanes))
    return Number(number.type, np.invert(number.lanes)) if operator == "~" else number


def undefined(operator: str, left: Number, right: Number) -> tuple[Mask, Callable[[int], str]] | None:
    """The lanes in which C leaves the operation undefined, and what is wrong in one of them; None for the rest."""
    if operator in ("/", "%"):
        return right.lanes == 0, lambda lane: "division by zero; keep the lane out of it with ?: or --where"
    if operator in ("<<", ">>"):
        bits = promoted(left.type).bits
        outside = (right.lanes < 0) | (right.lanes >= bits)
        return outside, lambda lane: f"a {bits}-bit value is shifted by {right.lanes[lane]}; C allows 0 to {bits - 1}"
    return None


def binary(operator: str, left: Number, right: Number) -> Number:
    """C's arithmetic, shift, comparison and bitwise operators. What is undefined comes out as some number."""
    if operator in ("<<", ">>"):
        number = convert(left, promoted(left.type))
        amount = (right.lanes & (number.type.bits - 1)).astype(number.lanes.dtype)
        shift = np.left_shift if operator == "<<" else np.right_shift
        return Number(number.type, shift(number.lanes, amount))
    ctype = common_type(left.type, right.type)
    a, b = convert(left, ctype).lanes, convert(right, ctype).lanes
    if operator in _COMPARISONS:
        return Number(layout.INT, _COMPARISONS[operator](a, b).astype(np.int32))
    return Number(ctype, _ARITHMETIC[operator](a, b))


def _quotient(a: Lanes, b: Lanes) -> Lanes:
    """Toward zero, as C divides; by 1 where the divisor is zero. The most negative number by -1 wraps to itself."""
    divisor = np.where(b == 0, b.dtype.type(1), b)
    with np.errstate(over="ignore"):
        floor: Lanes = np.floor_divide(a, divisor)
        rounded_down: Mask = (a - floor * divisor != 0) & ((a < 0) != (divisor < 0))
        return np.asarray(floor + rounded_down.astype(a.dtype))


def _remainder(a: Lanes, b: Lanes) -> Lanes:
    with np.errstate(over="ignore"):
        return np.asarray(a - _quotient(a, b) * b)


_COMPARISONS: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "<": np.less,
    ">": np.greater,
    "<=": np.less_equal,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_ARITHMETIC: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _quotient,
    "%": _remainder,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
