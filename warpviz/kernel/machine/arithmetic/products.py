"""Products of integers: low, high and wide halves, 24-bit ones, and the dot products of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.integers import clamped_s32
from warpviz.kernel.machine.arithmetic.operation import (
    INTEGER_TYPES,
    Array,
    Compute,
    Name,
    Operation,
    integer,
    unsigned,
)
from warpviz.kernel.machine.arithmetic.pieces import in_pieces

LOW_32 = np.uint64(0xFFFF_FFFF)
SHIFT_32 = np.uint64(32)


def wide_product(first: Array, second: Array) -> Array:
    """All bits of the product of two 16- or 32-bit integers, as an integer of twice their size."""
    return np.multiply(first, second, dtype=_twice_as_wide(first.dtype))


def high_product(first: Array, second: Array) -> Array:
    """The higher half of the product of two integers of one dtype, in their dtype."""
    dtype = first.dtype
    if dtype.itemsize == 8:
        return _high_product_64(first, second)
    wide = wide_product(first, second)
    result: Array = (wide >> wide.dtype.type(8 * dtype.itemsize)).astype(dtype)
    return result


def lower_mul(name: Name) -> Operation:
    """mul.lo, mul.hi, mul.wide of integers."""
    kind = name.type(*INTEGER_TYPES)
    half = name.needs("lo", "hi", "wide")
    name.finish()
    product, dtype = _product(name, kind, half)
    return Operation(product, (dtype, dtype))


def lower_mad(name: Name) -> Operation:
    """mad.lo, mad.hi, mad.wide of integers: the product plus the third source. `.sat` clamps (mad.hi.s32 alone)."""
    kind = name.type(*INTEGER_TYPES)
    half, saturates = name.needs("lo", "hi", "wide"), name.has("sat")
    name.finish()
    product, dtype = _product(name, kind, half)
    sums = unsigned(int(kind[1:]) * (2 if half == "wide" else 1))
    if saturates:
        if (half, kind) != ("hi", "s32"):
            raise name.unknown()
        return Operation(_saturated_high_mad, (dtype, dtype, dtype))

    def compute(first: Array, second: Array, third: Array) -> Array:
        result: Array = np.add(product(first, second).view(sums), third)
        return result

    return Operation(compute, (dtype, dtype, sums))


def lower_mul24(name: Name) -> Operation:
    """mul24, mad24: of the lowest 24 bits of each factor; .lo the lowest 32 bits of the 48, .hi the highest 32."""
    kind = name.type("u32", "s32")
    half, saturates = name.needs("lo", "hi"), name.has("sat")
    name.finish()
    adds = name.instruction.opcode == "mad24"
    if saturates and (not adds or (half, kind) != ("hi", "s32")):
        raise name.unknown()
    dtype = integer(kind)
    down = 16 if half == "hi" else 0

    def compute(first: Array, second: Array, third: Array | None = None) -> Array:
        wide = wide_product(_lowest_24(first), _lowest_24(second))
        product: Array = (wide >> wide.dtype.type(down)).astype(np.uint32)
        if third is None:
            return product
        if saturates:
            return clamped_s32(np.add(product.view(np.int32), third.view(np.int32), dtype=np.int64))
        with_third: Array = np.add(product, third.view(np.uint32))
        return with_third

    return Operation(compute, (dtype,) * (3 if adds else 2))


def lower_dot(name: Name) -> Operation:
    """dp4a: the third source plus the products of four bytes; dp2a: of two 16-bit halves by two bytes of the second
    source, its lower (.lo) or higher (.hi) two."""
    second_kind, first_kind = name.type("u32", "s32"), name.type("u32", "s32")
    fours = name.instruction.opcode == "dp4a"
    start = 0 if fours or name.needs("lo", "hi") == "lo" else 2
    name.finish()
    count, bits = (4, 8) if fours else (2, 16)

    def compute(first: Array, second: Array, third: Array) -> Array:
        total = third
        for place in range(count):
            left = _part(first, place, bits, first_kind)
            total = np.add(total, np.multiply(left, _part(second, start + place, 8, second_kind)))
        return total

    return Operation(compute, (unsigned(32),) * 3)


def _product(name: Name, kind: str, half: str) -> tuple[Compute, np.dtype[Any]]:
    """The function and how it takes the factors. The low half is the same for signed and unsigned ones."""
    if half == "lo":
        return np.multiply, unsigned(int(kind[1:]))
    if half == "wide" and kind[1:] == "64":
        raise name.unknown()
    if kind[1:] == "64":
        return in_pieces(high_product), integer(kind)
    return (high_product if half == "hi" else wide_product), integer(kind)


def _twice_as_wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"{'int' if dtype.kind == 'i' else 'uint'}{16 * dtype.itemsize}")


def _saturated_high_mad(first: Array, second: Array, third: Array) -> Array:
    return clamped_s32(np.add(high_product(first, second), third, dtype=np.int64))


def _high_product_64(first: Array, second: Array) -> Array:
    left, right = first.view(np.uint64), second.view(np.uint64)
    left_low, left_high = left & LOW_32, left >> SHIFT_32
    right_low, right_high = right & LOW_32, right >> SHIFT_32
    middle = left_high * right_low + ((left_low * right_low) >> SHIFT_32)
    other = left_low * right_high + (middle & LOW_32)
    high: Array = left_high * right_high + (middle >> SHIFT_32) + (other >> SHIFT_32)
    if first.dtype.kind == "u":
        return high
    high = high - np.where(first < 0, right, np.uint64(0)) - np.where(second < 0, left, np.uint64(0))
    return high.view(np.int64)


def _lowest_24(value: Array) -> Array:
    """The lowest 24 bits, with the sign of bit 23 where the dtype is signed."""
    result: Array = (value << value.dtype.type(8)) >> value.dtype.type(8)
    return result


def _part(value: Array, place: int, bits: int, kind: str) -> Array:
    """The field number `place` of so many bits, extended to 32 by the kind's rule, as uint32."""
    field = (value >> np.uint32(place * bits)).astype(f"uint{bits}")
    return field.view(integer(f"{kind[0]}{bits}")).astype(np.int32).view(np.uint32)
