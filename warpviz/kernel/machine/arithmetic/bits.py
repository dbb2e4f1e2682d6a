"""Bits: logic on words and predicates, lop3, shifts and funnel shifts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import (
    BIT_TYPES,
    PREDICATE,
    Array,
    Compute,
    Name,
    Operation,
    integer,
    unsigned,
)
from warpviz.kernel.ptx.syntax import Immediate

LOGIC: dict[str, Compute] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
BOOLEAN_LOGIC: dict[str, Compute] = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}
WORD = unsigned(32)


def lower_logic(name: Name) -> Operation:
    """and, or, xor of words or predicates."""
    kind = name.type(*BIT_TYPES, "pred")
    name.finish()
    if kind == "pred":
        return Operation(BOOLEAN_LOGIC[name.instruction.opcode], (PREDICATE, PREDICATE))
    return Operation(LOGIC[name.instruction.opcode], (integer(kind), integer(kind)))


def lower_not(name: Name) -> Operation:
    """not of a word or a predicate; cnot: 1 where the word is 0, else 0."""
    logical = name.instruction.opcode == "cnot"
    kind = name.type(*BIT_TYPES) if logical else name.type(*BIT_TYPES, "pred")
    name.finish()
    if kind == "pred":
        return Operation(np.logical_not, (PREDICATE,))
    dtype = integer(kind)
    if logical:
        return Operation(lambda source: (source == 0).astype(dtype), (dtype,))
    return Operation(np.bitwise_not, (dtype,))


def lower_lop3(name: Name) -> Operation:
    """lop3: any function of three bits, by its table of 8; lop3.and|or: also a predicate, whether a bit is set combined
    with a predicate."""
    name.type("b32")
    combine = name.one_of("and", "or")
    name.finish()
    operands = name.instruction.operands
    table = operands[4] if len(operands) > 4 else None
    if not isinstance(table, Immediate) or not 0 <= int(table.value) <= 0xFF:
        raise name.unknown()
    function = three_bit_function(int(table.value))
    if combine is None:
        return Operation(lambda first, second, third, _table: function(first, second, third), (WORD,) * 4)
    logic = BOOLEAN_LOGIC[combine]

    def compute(first: Array, second: Array, third: Array, _table: Array, other: Array) -> tuple[Array, Array]:
        word = function(first, second, third)
        return word, logic(word != 0, other)

    return Operation(compute, (WORD,) * 4 + (PREDICATE,))


def three_bit_function(table: int) -> Callable[[Array, Array, Array], Array]:
    """The function whose result for bits a, b, c is bit 4a + 2b + c of the table, on whole words at once.

    >>> word = np.array([0b1100], np.uint32)
    >>> three_bit_function(0x96)(word, word, word >> np.uint32(1)).tolist()  # a ^ b ^ c
    [6]
    """
    unless_first, if_first = two_bit_function(table & 15), two_bit_function(table >> 4)
    if table & 15 == table >> 4:
        return lambda first, second, third: _spread(unless_first(second, third), first)
    if table & 15 == ~(table >> 4) & 15:
        return lambda first, second, third: np.bitwise_xor(first, unless_first(second, third))

    def compute(first: Array, second: Array, third: Array) -> Array:
        return (first & if_first(second, third)) | (~first & unless_first(second, third))

    return compute


def two_bit_function(table: int) -> Callable[[Array, Array], Array]:
    """The function whose result for bits b, c is bit 2b + c of the table, on whole words at once."""
    return _OF_TWO_BITS[table] if table < 8 else lambda second, third: ~_OF_TWO_BITS[~table & 15](second, third)


def lower_shift(name: Name) -> Operation:
    """shl, shr. An amount that is no less than the width shifts every bit out; shr of a signed type copies the sign."""
    left = name.instruction.opcode == "shl"
    kind = name.type(*BIT_TYPES) if left else name.type("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64")
    name.finish()
    dtype = integer(kind)
    shift = np.left_shift if left else np.right_shift
    if dtype.itemsize == 4:
        return Operation(shift, (dtype, dtype))

    def compute(source: Array, amount: Array) -> Array:
        result: Array = shift(source, np.minimum(amount, np.uint32(64)).astype(dtype))
        return result

    return Operation(compute, (dtype, WORD))


def lower_funnel_shift(name: Name) -> Operation:
    """shf: 32 bits of two sources side by side, shifted; .wrap takes the amount modulo 32, .clamp up to 32."""
    name.type("b32")
    left, wraps = name.needs("l", "r") == "l", name.needs("wrap", "clamp") == "wrap"
    name.finish()

    def compute(low: Array, high: Array, amount: Array) -> Array:
        both = np.left_shift(high, np.uint64(32), dtype=np.uint64) | low
        places = (amount & np.uint32(31)) if wraps else np.minimum(amount, np.uint32(32))
        if left:
            return ((both << places.astype(np.uint64)) >> np.uint64(32)).astype(np.uint32)
        return (both >> places.astype(np.uint64)).astype(np.uint32)

    return Operation(compute, (WORD,) * 3)


def _spread(value: Array, other: Array) -> Array:
    """The value in the shape that it has beside the other."""
    result: Array = value | (other & other.dtype.type(0))
    return result


# By the table's value; each result takes the shape that both sources have together.
_OF_TWO_BITS: dict[int, Callable[[Array, Array], Array]] = {
    0: lambda second, third: (second ^ second) & third,
    1: lambda second, third: ~(second | third),
    2: lambda second, third: ~second & third,
    3: lambda second, third: _spread(~second, third),
    4: lambda second, third: second & ~third,
    5: lambda second, third: _spread(~third, second),
    6: np.bitwise_xor,
    7: lambda second, third: ~(second & third),
}
