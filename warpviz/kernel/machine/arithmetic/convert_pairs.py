"""cvt of pairs: two f32 into f16x2 or bf16x2, and the 8-bit floats e4m3 and e5m2, two in 16 bits.

The first source becomes the higher half.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.half import FORMATS, bounded
from warpviz.kernel.machine.arithmetic.integers import joined_halves
from warpviz.kernel.machine.arithmetic.operation import Array, Name, Operation, floating, unsigned

# The bits behind the point and the exponent's bias of each 8-bit format, by the name of its pair.
EIGHTHS = {"e4m3x2": (3, 7), "e5m2x2": (2, 15)}
GREATEST = {
    "e4m3x2": 448.0,
    "e5m2x2": 57344.0,
    "f16x2": FORMATS["f16"].greatest,
    "bf16x2": FORMATS["bf16"].greatest,
}
NAN_EIGHTH = np.uint16(0x7F)


def lower_cvt_pair(name: Name, target: str, source: str) -> Operation:
    """Takes the target and the source type as already taken from the name."""
    if source == "f32" and target in GREATEST:
        return _from_two_floats(name, target)
    if source == "f16x2" and target in EIGHTHS:
        return _eighths_from_halves(name, target)
    if source in EIGHTHS and target == "f16x2":
        return _halves_from_eighths(name, source)
    raise name.unknown()


def _from_two_floats(name: Name, target: str) -> Operation:
    mode = name.needs("rn") if target in EIGHTHS else name.needs("rn", "rz")
    relu, finite = name.has("relu"), name.has("satfinite")
    name.finish()
    if target in EIGHTHS and not finite:
        raise name.unknown()

    def half(value: Array) -> Array:
        wide = bounded(value.astype(np.float64), relu=relu, greatest=GREATEST[target] if finite else None)
        return encoded(wide, target) if target in EIGHTHS else FORMATS[target[:-2]].narrow(wide, mode)

    def compute(high: Array, low: Array) -> Array:
        if target in EIGHTHS:
            return (half(high) << np.uint16(8)) | half(low)
        return joined_halves(half(low), half(high))

    return Operation(compute, (floating("f32"), floating("f32")))


def _eighths_from_halves(name: Name, target: str) -> Operation:
    name.needs("rn")
    name.needs("satfinite")
    relu = name.has("relu")
    name.finish()

    def eighth(bits: Array) -> Array:
        wide = FORMATS["f16"].widen(bits.astype(np.uint16))
        return encoded(bounded(wide, relu=relu, greatest=GREATEST[target]), target)

    return Operation(lambda pair: (eighth(pair >> np.uint32(16)) << np.uint16(8)) | eighth(pair), (unsigned(32),))


def _halves_from_eighths(name: Name, source: str) -> Operation:
    name.needs("rn")
    relu = name.has("relu")
    name.finish()

    def half(codes: Array) -> Array:
        wide = decoded(codes & np.uint16(0xFF), source)
        return FORMATS["f16"].narrow(bounded(wide, relu=relu, greatest=None), "rn")

    return Operation(lambda pair: joined_halves(half(pair), half(pair >> np.uint16(8))), (unsigned(16),))


def decoded(codes: Array, kind: str) -> Array:
    """8-bit floats as float64, exactly. codes: uint16 below 256. e4m3 has no infinity, and one NaN of each sign."""
    places, bias = EIGHTHS[kind]
    exponent = (codes >> np.uint16(places)) & np.uint16(0x7F >> places)
    fraction = (codes & np.uint16((1 << places) - 1)).astype(np.float64) / (1 << places)
    size = np.where(exponent == 0, fraction * 2.0, fraction + 1.0) * np.exp2(exponent.astype(np.float64) - bias)
    magnitude = codes & np.uint16(0x7F)
    if kind == "e4m3x2":
        size = np.where(magnitude == NAN_EIGHTH, np.nan, size)
    else:
        size = np.where(magnitude > 0x7C, np.nan, np.where(magnitude == 0x7C, np.inf, size))
    return np.where(codes & np.uint16(0x80), -size, size)


def encoded(value: Array, kind: str) -> Array:
    """float64 no larger than the format's greatest number, rounded once to nearest, as its code (uint16)."""
    places, bias = EIGHTHS[kind]
    size = np.where(np.isnan(value), 0.0, np.abs(value))
    exponent = np.where(size == 0, 1 - bias, np.maximum(np.frexp(size)[1] - 1, 1 - bias))
    steps: Any = np.rint(np.ldexp(size, places - exponent))
    # The steps count on past a power of two into the next exponent, as the code does.
    code = (steps + ((exponent + (bias - 1)) << places)).astype(np.uint16)
    signed = code | np.where(np.signbit(value), np.uint16(0x80), np.uint16(0))
    return np.where(np.isnan(value), NAN_EIGHTH, signed)
