"""Moves: mov (a value, several packed into one, one split up), cvta, isspacep."""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.floats import FLOAT_TYPES
from warpviz.kernel.machine.arithmetic.operation import (
    BIT_TYPES,
    INTEGER_TYPES,
    PREDICATE,
    Array,
    Name,
    Operation,
    floating,
    integer,
    unsigned,
)
from warpviz.kernel.memory.windows import WINDOW_STARTS, in_window
from warpviz.kernel.ptx.syntax import Vector

ADDRESS = unsigned(64)
SPACES = ("global", "shared", "local", "const", "param")


def lower_mov(name: Name) -> Operation:
    """mov of a value; of the parts {a, b, …} of a word, the lowest first, into the word; of a word into its parts."""
    kind = name.type(*BIT_TYPES, *INTEGER_TYPES, *FLOAT_TYPES, "pred")
    name.finish()
    if len(name.instruction.operands) != 2:
        raise name.unknown()
    target, source = name.instruction.operands
    if isinstance(source, Vector):
        return _pack(name, kind, len(source.elements))
    if isinstance(target, Vector):
        return _unpack(name, kind, len(target.elements))
    dtype = PREDICATE if kind == "pred" else floating(kind) if kind in FLOAT_TYPES else integer(kind)
    return Operation(_same, (dtype,))


def _same(source: Array) -> Array:
    return source


def _pack(name: Name, kind: str, parts: int) -> Operation:
    word, part = _sizes(name, kind, parts)
    bits = 8 * part.itemsize

    def compute(*sources: Array) -> Array:
        whole = sources[0].astype(word)
        for place, source in enumerate(sources[1:], 1):
            whole = whole | np.left_shift(source, word.type(place * bits), dtype=word)
        return whole

    return Operation(compute, (part,) * parts)


def _unpack(name: Name, kind: str, parts: int) -> Operation:
    word, part = _sizes(name, kind, parts)
    bits = 8 * part.itemsize

    def compute(source: Array) -> tuple[Array, ...]:
        return tuple((source >> word.type(place * bits)).astype(part) for place in range(parts))

    return Operation(compute, (word,))


def _sizes(name: Name, kind: str, parts: int) -> tuple[np.dtype[np.unsignedinteger], np.dtype[np.unsignedinteger]]:
    if kind not in BIT_TYPES or parts not in (2, 4, 8) or int(kind[1:]) // parts < 8:
        raise name.unknown()
    return unsigned(int(kind[1:])), unsigned(int(kind[1:]) // parts)


def lower_cvta(name: Name) -> Operation:
    """cvta: a space's address made generic; cvta.to: a generic address made the space's. 64 bits alone."""
    name.type("u64")
    back = name.has("to")
    start = np.uint64(WINDOW_STARTS.get(_space(name), 0))
    name.finish()
    if not start:
        return Operation(_same, (ADDRESS,))
    if back:
        return Operation(lambda address: address - start, (ADDRESS,))
    return Operation(lambda address: address + start, (ADDRESS,))


def lower_isspacep(name: Name) -> Operation:
    """isspacep: a predicate, whether a generic address lies in a space."""
    space = _space(name)
    name.finish()
    return Operation(lambda address: in_window(space, address.view(np.int64)), (ADDRESS,))


def _space(name: Name) -> str:
    return name.needs(*SPACES, "shared::cta", "param::entry").partition("::")[0]
