"""Fields of bits, counts of bits and bytes: bfe bfi bfind brev popc clz fns prmt szext bmsk."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import Array, Name, Operation, integer, signed, unsigned
from warpviz.kernel.machine.arithmetic.pieces import in_pieces

WORD = unsigned(32)
NOT_FOUND = np.uint32(0xFFFF_FFFF)


def bit_length(value: Array) -> Array:
    """How many bits each number needs, 0 for 0. value: uint32 or uint64; the result: uint32."""
    if value.dtype.itemsize == 8:
        high = (value >> np.uint64(32)).astype(np.uint32)
        low = value.astype(np.uint32)
        return np.where(high != 0, bit_length(high) + np.uint32(32), bit_length(low))
    return np.frexp(value.astype(np.float64))[1].astype(np.uint32)


def population_count(value: Array) -> Array:
    """How many bits are set. value: uint32 or uint64; the result: uint32."""
    word = value.dtype.type
    full = int(np.iinfo(value.dtype).max)
    pairs = value - ((value >> word(1)) & word(full // 3))
    fours = (pairs & word(full // 5)) + ((pairs >> word(2)) & word(full // 5))
    bytes_ = (fours + (fours >> word(4))) & word(full // 17)
    result: Array = ((bytes_ * word(full // 255)) >> word(8 * value.dtype.itemsize - 8)).astype(np.uint32)
    return result


def reversed_bits(value: Array) -> Array:
    """The lowest bit highest. value: uint32 or uint64; the result likewise."""
    word = value.dtype.type
    full = int(np.iinfo(value.dtype).max)
    for places in (1, 2, 4):
        mask = word(full // ((1 << places) + 1))
        value = ((value >> word(places)) & mask) | ((value & mask) << word(places))
    return value.byteswap()


def lower_count(name: Name) -> Operation:
    """popc, clz: a u32 whatever the source."""
    dtype = unsigned(int(name.type("b32", "b64")[1:]))
    name.finish()
    if name.instruction.opcode == "popc":
        return Operation(population_count, (dtype,))
    width = np.uint32(8 * dtype.itemsize)
    return Operation(lambda source: width - bit_length(source), (dtype,))


def lower_brev(name: Name) -> Operation:
    dtype = unsigned(int(name.type("b32", "b64")[1:]))
    name.finish()
    return Operation(reversed_bits, (dtype,))


def lower_bfind(name: Name) -> Operation:
    """bfind: the place of the highest bit that is not the sign; .shiftamt: how far to shift it up. All ones: none."""
    kind = name.type("u32", "s32", "u64", "s64")
    shift_amount = name.has("shiftamt")
    name.finish()
    dtype = integer(kind)
    top = np.uint32(8 * dtype.itemsize - 1)

    def compute(source: Array) -> Array:
        positive = np.where(source < 0, ~source, source) if dtype.kind == "i" else source
        place = bit_length(positive.view(unsigned(8 * dtype.itemsize))) - np.uint32(1)
        return np.where(place == NOT_FOUND, place, top - place) if shift_amount else place

    return Operation(compute, (dtype,))


def lower_bfe(name: Name) -> Operation:
    """bfe: the field at a place, of a length; beyond the highest bit a signed type continues with its sign."""
    kind = name.type("u32", "s32", "u64", "s64")
    name.finish()
    dtype = integer(kind)
    top = dtype.itemsize * 8 - 1

    def compute(source: Array, place: Array, length: Array) -> Array:
        place, length = place & np.uint32(0xFF), length & np.uint32(0xFF)
        left = np.uint32(top) - np.minimum(place + length - np.uint32(1), np.uint32(top))
        aligned = source << left.astype(dtype)
        field = aligned >> (left + place).astype(dtype)
        result: Array = np.where(length == 0, dtype.type(0), field)
        return result

    return Operation(compute, (dtype, WORD, WORD))


def lower_bfi(name: Name) -> Operation:
    """bfi: the second source with a field of it, at a place and of a length, taken from the first."""
    dtype = unsigned(int(name.type("b32", "b64")[1:]))
    name.finish()

    def compute(inserted: Array, base: Array, place: Array, length: Array) -> Array:
        at, size = (place & np.uint32(0xFF)).astype(dtype), (length & np.uint32(0xFF)).astype(dtype)
        mask = _ones(size, dtype) << at
        result: Array = (base & ~mask) | ((inserted << at) & mask)
        return result

    return Operation(compute, (dtype, dtype, WORD, WORD))


def lower_fns(name: Name) -> Operation:
    """fns: the place of the n-th bit that is set, counted up or down (n < 0) from a base; all ones: there is none."""
    name.type("b32")
    name.finish()
    return Operation(in_pieces(nth_set_bit), (WORD, WORD, signed(32)))


def nth_set_bit(mask: Array, base: Array, offset: Array) -> Array:
    """mask, base: uint32; offset: int32, 0 for the base itself. The result: uint32."""
    counted = np.where(offset == 0, 1, np.abs(offset.astype(np.int64)))
    found = np.full(np.broadcast_shapes(mask.shape, base.shape, offset.shape), NOT_FOUND)
    for upward in (True, False):
        seen = np.zeros(found.shape, dtype=np.int64)
        for place in range(32) if upward else range(31, -1, -1):
            on_the_way = (place >= base) & (offset >= 0) if upward else (place <= base) & (offset < 0)
            on_the_way &= (offset != 0) | (place == base)
            hit = on_the_way & ((mask >> np.uint32(place)) & np.uint32(1) != 0)
            seen += hit
            found = np.where(hit & (seen == counted), np.uint32(place), found)
    return found


def lower_szext(name: Name) -> Operation:
    """szext: the lowest bits of the first source, as many as the second says, extended to 32 by the type's rule."""
    dtype = integer(name.type("u32", "s32"))
    wraps = name.needs("wrap", "clamp") == "wrap"
    name.finish()

    def compute(source: Array, size: Array) -> Array:
        left = np.uint32(32) - _limited(size, wraps)
        extended = (source << left.astype(dtype)) >> left.astype(dtype)
        result: Array = np.where(left == 32, dtype.type(0), extended)
        return result

    return Operation(compute, (dtype, WORD))


def lower_bmsk(name: Name) -> Operation:
    """bmsk: ones from a place on, as many as the second source says."""
    name.type("b32")
    wraps = name.needs("wrap", "clamp") == "wrap"
    name.finish()
    return Operation(lambda at, size: _ones(_limited(size, wraps), WORD) << _limited(at, wraps), (WORD, WORD))


def lower_prmt(name: Name) -> Operation:
    """prmt: four of the eight bytes of two sources. The general form takes a nibble for each: the byte's number and, by
    its highest bit, the byte's sign in place of the byte; a mode takes the lowest 2 bits of the selector."""
    mode = name.one_of(*PRMT_MODES)
    name.type("b32")
    name.finish()

    def compute(first: Array, second: Array, selector: Array) -> Array:
        both = np.left_shift(second, np.uint64(32), dtype=np.uint64) | first
        if mode:
            selector = np.array(PRMT_MODES[mode], np.uint32)[selector & np.uint32(3)]
        result: Any = np.uint32(0)
        for place in range(4):
            choice = (selector >> np.uint32(4 * place)) & np.uint32(15)
            result = result | (_chosen_byte(both, choice) << np.uint32(8 * place))
        return np.asarray(result)

    return Operation(in_pieces(compute), (WORD,) * 3)


def _chosen_byte(both: Array, choice: Array) -> Array:
    byte = ((both >> ((choice & np.uint32(7)) << np.uint32(3)).astype(np.uint64)) & np.uint64(0xFF)).astype(np.uint32)
    copies_sign = choice >= 8
    if not copies_sign.any():
        return byte
    return np.where(copies_sign, (byte >> np.uint32(7)) * np.uint32(0xFF), byte)


def _ones(count: Array, dtype: np.dtype[Any]) -> Array:
    """So many ones from the lowest bit on; all of them when the count exceeds the width."""
    result: Array = np.left_shift(dtype.type(1), count) - dtype.type(1)
    return result


def _limited(value: Array, wraps: bool) -> Array:
    return value & np.uint32(31) if wraps else np.minimum(value, np.uint32(32))


# The selector that each mode means, by its lowest 2 bits: the nibbles of the result's bytes, the lowest byte last.
PRMT_MODES = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}
