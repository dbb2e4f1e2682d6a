"""Integers of 16, 32 and 64 bits: sums, quotients, least and greatest. They wrap round as PTX's do.

Division by zero gives what ptxas makes of it for sm_90: every bit of the quotient and of the remainder is set, except
that of 64 bits only the lower 32 are when the dividend fits in them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import (
    INTEGER_TYPES,
    Array,
    Compute,
    Name,
    Operation,
    integer,
    unsigned,
)

ALL_ONES_32 = np.uint64(0xFFFF_FFFF)


def quotient(dividend: Array, divisor: Array) -> Array:
    """Truncated towards zero. Both of one integer dtype; the result likewise."""
    bits = 8 * dividend.dtype.itemsize
    whole = np.floor_divide(_magnitude(dividend), _magnitude(divisor))
    if dividend.dtype.kind == "i":
        whole = np.where((dividend < 0) != (divisor < 0), np.negative(whole), whole)
    return _unless_by_zero(whole.view(unsigned(bits)), dividend, divisor)


def remainder(dividend: Array, divisor: Array) -> Array:
    """With the sign of the dividend. Both of one integer dtype; the result likewise."""
    bits = 8 * dividend.dtype.itemsize
    left = np.remainder(_magnitude(dividend), _magnitude(divisor))
    if dividend.dtype.kind == "i":
        left = np.where(dividend < 0, np.negative(left), left)
    return _unless_by_zero(left.view(unsigned(bits)), dividend, divisor)


def absolute_difference(first: Array, second: Array) -> Array:
    """|first - second| as an unsigned integer, exact."""
    bits = unsigned(8 * first.dtype.itemsize)
    result: Array = np.subtract(np.maximum(first, second).view(bits), np.minimum(first, second).view(bits))
    return result


def lower_sum(name: Name) -> Operation:
    """add, sub of integers. `.sat` clamps (s32 alone)."""
    kind = name.type(*INTEGER_TYPES)
    plain = np.add if name.instruction.opcode == "add" else np.subtract
    if not name.has("sat"):
        return _binary(name, kind, plain, np.dtype(f"uint{kind[1:]}"))
    if kind != "s32":
        raise name.unknown()

    def saturated(first: Array, second: Array) -> Array:
        return clamped_s32(plain(first, second, dtype=np.int64))

    return _binary(name, kind, saturated)


def clamped_s32(value: Array) -> Array:
    """An int64 clamped to what s32 holds, as a register holds it."""
    limits = np.iinfo(np.int32)
    return np.clip(value, limits.min, limits.max).astype(np.int32).view(np.uint32)


def lower_division(name: Name) -> Operation:
    """div, rem."""
    return _binary(name, name.type(*INTEGER_TYPES), quotient if name.instruction.opcode == "div" else remainder)


def lower_extreme(name: Name) -> Operation:
    """min, max of integers, with `.relu` (nothing below zero) and of two 16-bit halves."""
    relu = name.has("relu")
    kind = name.type(*INTEGER_TYPES, "u16x2", "s16x2")
    extreme = np.minimum if name.instruction.opcode == "min" else np.maximum
    if relu and kind not in ("s32", "s16x2"):
        raise name.unknown()

    def compute(first: Array, second: Array) -> Array:
        found = extreme(first, second)
        return np.maximum(found, found.dtype.type(0)) if relu else found

    if kind.endswith("x2"):
        return _binary(name, "u32", by_halves(compute, integer(kind[:3])))
    return _binary(name, kind, compute if relu else extreme)


def lower_paired_sum(name: Name) -> Operation:
    """add of two 16-bit halves: add.u16x2, add.s16x2."""
    name.type("u16x2", "s16x2")
    return _binary(name, "u32", by_halves(np.add, unsigned(16)))


def lower_sign(name: Name) -> Operation:
    """neg, abs of signed integers. The least one has no opposite: it stays."""
    kind = name.type("s16", "s32", "s64")
    name.finish()
    return Operation(np.negative if name.instruction.opcode == "neg" else np.abs, (integer(kind),))


def lower_sad(name: Name) -> Operation:
    """sad: the third source plus the difference's magnitude."""
    kind = name.type(*INTEGER_TYPES)
    name.finish()

    def compute(first: Array, second: Array, start: Array) -> Array:
        return np.add(absolute_difference(first, second), start)

    return Operation(compute, (integer(kind), integer(kind), unsigned(int(kind[1:]))))


def by_halves(compute: Compute, dtype: np.dtype[Any]) -> Compute:
    """The function of 16-bit values done on both halves of uint32 arrays. dtype: of 16 bits, what it takes."""

    def both(*sources: Array) -> Array:
        low = compute(*(source.astype(np.uint16).view(dtype) for source in sources))
        high = compute(*((source >> np.uint32(16)).astype(np.uint16).view(dtype) for source in sources))
        return joined_halves(low.view(np.uint16), high.view(np.uint16))

    return both


def joined_halves(low: Array, high: Array) -> Array:
    """Two uint16 arrays as one of uint32."""
    return low | np.left_shift(high, np.uint32(16), dtype=np.uint32)


def _binary(name: Name, kind: str, compute: Compute, dtype: np.dtype[Any] | None = None) -> Operation:
    name.finish()
    dtype = dtype or integer(kind)
    return Operation(compute, (dtype, dtype))


def _magnitude(value: Array) -> Array:
    if value.dtype.kind == "u":
        return value
    return np.abs(value).view(unsigned(8 * value.dtype.itemsize))


def _unless_by_zero(result: Array, dividend: Array, divisor: Array) -> Array:
    by_zero = divisor == 0
    if not by_zero.any():
        return result
    ones: Any = result.dtype.type(np.iinfo(result.dtype).max)
    if result.dtype == np.uint64:
        ones = np.where(dividend.view(np.uint64) <= ALL_ONES_32, ALL_ONES_32, ones)
    return np.where(by_zero, ones, result)
