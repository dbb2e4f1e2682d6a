"""Sums of many words: add.cc, addc, sub.cc, subc, mad.cc, madc. The carry flag of a thread is a bool."""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import Array, Name, Operation, unsigned
from warpviz.kernel.machine.arithmetic.products import high_product

CARRY_TYPES = ("u32", "s32", "u64", "s64", "b32", "b64")


def sum_with_carry(first: Array, second: Array, carry: Array | None) -> tuple[Array, Array]:
    """The sum and the carry out of its highest bit. Unsigned arrays of one dtype; carry: bool."""
    total = np.add(first, second)
    carried = total < first
    if carry is None:
        return total, carried
    full = np.add(total, carry, dtype=total.dtype)
    return full, carried | (full < total)


def difference_with_borrow(first: Array, second: Array, borrow: Array | None) -> tuple[Array, Array]:
    """first - second - borrow and the borrow that it needs. Unsigned arrays of one dtype; borrow: bool."""
    difference = np.subtract(first, second)
    borrowed = first < second
    if borrow is None:
        return difference, borrowed
    full = np.subtract(difference, borrow, dtype=difference.dtype)
    return full, borrowed | (full > difference)


def lower_carrying_sum(name: Name) -> Operation:
    """add.cc, addc(.cc), sub.cc, subc(.cc)."""
    dtype = unsigned(int(name.type(*CARRY_TYPES)[1:]))
    opcode = name.instruction.opcode
    reads, writes = opcode.endswith("c"), name.has("cc")
    name.finish()
    combine = sum_with_carry if opcode.startswith("add") else difference_with_borrow

    def compute(first: Array, second: Array, carry: Array | None = None) -> tuple[Array, Array] | Array:
        result = combine(first, second, carry)
        return result if writes else result[0]

    return Operation(compute, (dtype, dtype), reads_carry=reads, writes_carry=writes)


def lower_carrying_product(name: Name) -> Operation:
    """mad.lo.cc, mad.hi.cc, madc.lo(.cc), madc.hi(.cc)."""
    kind = name.type(*CARRY_TYPES[:4])
    dtype = np.dtype(f"{'int' if kind[0] == 's' else 'uint'}{kind[1:]}")
    half, writes = name.needs("lo", "hi"), name.has("cc")
    reads = name.instruction.opcode == "madc"
    name.finish()
    sums = unsigned(int(kind[1:]))

    def compute(first: Array, second: Array, third: Array, carry: Array | None = None) -> tuple[Array, Array] | Array:
        product = np.multiply(first, second) if half == "lo" else high_product(first, second)
        result = sum_with_carry(product.view(sums), third, carry)
        return result if writes else result[0]

    return Operation(compute, (dtype, dtype, sums), reads_carry=reads, writes_carry=writes)
