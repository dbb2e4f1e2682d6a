"""Comparisons and choices: setp, set, selp, slct."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.bits import BOOLEAN_LOGIC
from warpviz.kernel.machine.arithmetic.exact import flushed
from warpviz.kernel.machine.arithmetic.floats import FLOAT_TYPES
from warpviz.kernel.machine.arithmetic.half import FORMATS, HALF_TYPES
from warpviz.kernel.machine.arithmetic.integers import joined_halves
from warpviz.kernel.machine.arithmetic.operation import (
    BIT_TYPES,
    INTEGER_TYPES,
    PREDICATE,
    Array,
    Compute,
    Name,
    Operation,
    floating,
    integer,
    unsigned,
)
from warpviz.kernel.ptx.syntax import Pair

# False with a NaN on either side; the ones ending in u are true with it.
ORDERED: dict[str, Compute] = {
    "eq": np.equal,
    "ne": lambda first, second: (first < second) | (first > second),
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
UNORDERED: dict[str, Compute] = {
    "equ": lambda first, second: ~ORDERED["ne"](first, second),
    "neu": np.not_equal,
    "ltu": lambda first, second: ~np.greater_equal(first, second),
    "leu": lambda first, second: ~np.greater(first, second),
    "gtu": lambda first, second: ~np.less_equal(first, second),
    "geu": lambda first, second: ~np.less(first, second),
    "num": lambda first, second: (first == first) & (second == second),
    "nan": lambda first, second: (first != first) | (second != second),
}
OF_FLOATS = ORDERED | UNORDERED
OF_INTEGERS = ORDERED | {"ne": np.not_equal}
OF_UNSIGNED = OF_INTEGERS | {"lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal}
OF_BITS: dict[str, Compute] = {"eq": np.equal, "ne": np.not_equal}
ALL_TYPES = (*BIT_TYPES, *INTEGER_TYPES, *FLOAT_TYPES)


def lower_setp(name: Name) -> Operation:
    """setp: p is the comparison, combined with a predicate where .and .or .xor says so; q of p|q is its opposite,
    combined likewise. Of two halves p|q are the lower and the higher half's."""
    kind = name.type(*ALL_TYPES, *HALF_TYPES)
    compare, reads = _comparison(name, kind)
    combine = BOOLEAN_LOGIC.get(name.one_of(*BOOLEAN_LOGIC) or "")
    name.finish()
    is_pair = isinstance(name.instruction.operands[0], Pair)
    if kind.endswith("x2") and not is_pair:
        raise name.unknown()

    def compute(first: Array, second: Array, other: Array | None = None) -> Any:
        found = compare(first, second)
        both = found if isinstance(found, tuple) else (found, np.logical_not(found)) if is_pair else (found,)
        if combine is not None:
            both = tuple(combine(part, other) for part in both)
        return both if is_pair else both[0]

    return Operation(compute, reads if combine is None else (*reads, PREDICATE))


def lower_set(name: Name) -> Operation:
    """set: a comparison as a number: all ones for an integer type, 1.0 for a float type, else 0."""
    kind = name.type(*ALL_TYPES, *HALF_TYPES)
    result = name.type("u32", "s32", "f32", "u16", "s16", *HALF_TYPES)
    compare, reads = _comparison(name, kind)
    combine = BOOLEAN_LOGIC.get(name.one_of(*BOOLEAN_LOGIC) or "")
    name.finish()
    of_halves = kind.endswith("x2")
    if of_halves != (result.endswith("x2") or (of_halves and result in ("u32", "s32"))):
        raise name.unknown()
    true: Any = (np.uint16(0xFFFF) if result in ("u32", "s32") else TRUE[result[:-2]]) if of_halves else TRUE[result]

    def number(found: Array, other: Array | None) -> Array:
        result: Array = np.where(found if combine is None else combine(found, other), true, true.dtype.type(0))
        return result

    def compute(first: Array, second: Array, other: Array | None = None) -> Array:
        found = compare(first, second)
        if of_halves:
            return joined_halves(number(found[0], other), number(found[1], other))
        return number(found, other)

    return Operation(compute, reads if combine is None else (*reads, PREDICATE))


def lower_selp(name: Name) -> Operation:
    """selp: the first source where the predicate holds, else the second."""
    dtype = _dtype(name.type(*ALL_TYPES))
    name.finish()
    return Operation(lambda first, second, chosen: np.where(chosen, first, second), (dtype, dtype, PREDICATE))


def lower_slct(name: Name) -> Operation:
    """slct: the first source where the third is not negative (nor NaN), else the second."""
    decider = name.type("s32", "f32")
    dtype = _dtype(name.type(*ALL_TYPES))
    # Flushing a small negative number makes it a zero, which is not negative.
    ftz = decider == "f32" and name.has("ftz")
    name.finish()

    def compute(first: Array, second: Array, third: Array) -> Array:
        return np.where((flushed(third) if ftz else third) >= 0, first, second)

    return Operation(compute, (dtype, dtype, _dtype(decider)))


def _comparison(name: Name, kind: str) -> tuple[Compute, tuple[np.dtype[Any], np.dtype[Any]]]:
    """The comparison that the name says and how it takes both sources; of two halves it gives a tuple."""
    if kind in HALF_TYPES:
        return _half_comparison(name, kind), (unsigned(32 if kind.endswith("x2") else 16),) * 2
    if kind in FLOAT_TYPES:
        compare = OF_FLOATS[name.needs(*OF_FLOATS)]
        if kind == "f32" and name.has("ftz"):
            return (lambda first, second: compare(flushed(first), flushed(second))), (floating(kind),) * 2
        return compare, (floating(kind),) * 2
    table = {"b": OF_BITS, "u": OF_UNSIGNED, "s": OF_INTEGERS}[kind[0]]
    return table[name.needs(*table)], (integer(kind),) * 2


def _half_comparison(name: Name, kind: str) -> Compute:
    compare = OF_FLOATS[name.needs(*OF_FLOATS)]
    form = FORMATS[kind.removesuffix("x2")]
    ftz = kind.startswith("f16") and name.has("ftz")

    def value(bits: Array) -> Array:
        wide = form.widen(bits.astype(np.uint16))
        return np.where(np.abs(wide) < form.least_normal, 0.0, wide) if ftz else wide

    if not kind.endswith("x2"):
        return lambda first, second: compare(value(first), value(second))
    high = np.uint32(16)
    return lambda first, second: (
        compare(value(first), value(second)),
        compare(value(first >> high), value(second >> high)),
    )


def _dtype(kind: str) -> np.dtype[Any]:
    return floating(kind) if kind in FLOAT_TYPES else integer(kind)


# What set gives for true, by the result's type.
TRUE: dict[str, Any] = {
    "u32": np.uint32(0xFFFF_FFFF),
    "s32": np.uint32(0xFFFF_FFFF),
    "u16": np.uint16(0xFFFF),
    "s16": np.uint16(0xFFFF),
    "f32": np.float32(1),
    "f16": np.uint16(0x3C00),
    "bf16": np.uint16(0x3F80),
}
