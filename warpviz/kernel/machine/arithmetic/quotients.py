"""Quotients, roots and the functions that the hardware approximates.

div, rcp and sqrt are right to the last bit where a rounding is named. The approximate ones (.approx, .full, sin cos lg2
ex2 tanh rsqrt) are numpy's float32 results: near the hardware's, but their last bits are not the hardware's; sin and
cos of large numbers are exact here and are not on the hardware.
"""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.doubles import quotient_f64, root_f64
from warpviz.kernel.machine.arithmetic.exact import MIN_NORMAL_F32, ROUNDINGS, flushed, in_mode, narrowed
from warpviz.kernel.machine.arithmetic.floats import FLOAT_TYPES, flushing
from warpviz.kernel.machine.arithmetic.operation import Array, Compute, Name, Operation, floating

SINGLE, DOUBLE = floating("f32"), floating("f64")
# From this size on the divisor of div.approx.f32 has no usable inverse.
TOO_LARGE_A_DIVISOR = np.float32(2.0**126)
UPPER_HALF = np.uint64(0xFFFF_FFFF_0000_0000)


def lower_float_div(name: Name) -> Operation:
    """div.f32: .rn .rz .rm .rp, .approx, .full, with .ftz; div.f64: the four roundings."""
    kind = name.type(*FLOAT_TYPES)
    form = name.needs(*ROUNDINGS, *(("approx", "full") if kind == "f32" else ()))
    ftz = kind == "f32" and name.has("ftz")
    name.finish()
    if kind == "f64":
        return Operation(lambda dividend, divisor: quotient_f64(dividend, divisor, form), (DOUBLE, DOUBLE))
    if form == "approx":
        compute: Compute = approximate_quotient
    elif form == "full":
        compute = np.divide
    else:
        return Operation(_quotient_f32(form, ftz), (SINGLE, SINGLE))
    return Operation(flushing(compute) if ftz else compute, (SINGLE, SINGLE))


def approximate_quotient(dividend: Array, divisor: Array) -> Array:
    """div.approx.f32: 0 by a divisor of 2^126 and more, or NaN where the dividend is infinite."""
    size = np.abs(divisor)
    unusable = (size > TOO_LARGE_A_DIVISOR) & np.isfinite(size)
    inverse = np.where(unusable, np.copysign(np.float32(0), divisor), np.float32(1))
    return np.where(unusable, dividend * inverse, dividend / divisor)


def lower_rcp(name: Name) -> Operation:
    """rcp.f32: .rn .rz .rm .rp .approx, with .ftz; rcp.f64: the four roundings; rcp.approx.ftz.f64."""
    kind = name.type(*FLOAT_TYPES)
    form, ftz = name.needs(*ROUNDINGS, "approx"), name.has("ftz")
    name.finish()
    if kind == "f64":
        if (form == "approx") != ftz:
            raise name.unknown()
        return Operation(_gross(_inverse) if ftz else lambda value: quotient_f64(_one(value), value, form), (DOUBLE,))
    if form == "approx":
        return Operation(flushing(_inverse) if ftz else _inverse, (SINGLE,))
    divide = _quotient_f32(form, ftz)
    return Operation(lambda value: divide(_one(value), value), (SINGLE,))


def lower_sqrt(name: Name) -> Operation:
    """sqrt.f32: .rn .rz .rm .rp .approx, with .ftz; sqrt.f64: the four roundings."""
    kind = name.type(*FLOAT_TYPES)
    form = name.needs(*ROUNDINGS, *(("approx",) if kind == "f32" else ()))
    ftz = kind == "f32" and name.has("ftz")
    name.finish()
    if kind == "f64":
        return Operation(lambda value: root_f64(value, form), (DOUBLE,))
    mode = "rn" if form == "approx" else form

    def compute(value: Array) -> Array:
        return _root_f32(flushed(value) if ftz else value, mode)

    return Operation(compute, (SINGLE,))


def lower_rsqrt(name: Name) -> Operation:
    """rsqrt.approx(.ftz).f32, rsqrt.approx(.ftz).f64."""
    kind = name.type(*FLOAT_TYPES)
    name.needs("approx")
    ftz = name.has("ftz")
    name.finish()
    if kind == "f64":
        compute = _gross(_inverse_root) if ftz else _inverse_root
    else:
        compute = flushing(_inverse_root_f32) if ftz else _inverse_root_f32
    return Operation(compute, (floating(kind),))


def lower_approximate(name: Name) -> Operation:
    """sin, cos, lg2, ex2, tanh of f32: .approx, with .ftz (but tanh)."""
    name.type("f32")
    name.needs("approx")
    ftz = name.instruction.opcode != "tanh" and name.has("ftz")
    name.finish()
    compute = APPROXIMATE[name.instruction.opcode]
    return Operation(flushing(compute) if ftz else compute, (SINGLE,))


def _quotient_f32(mode: str, ftz: bool) -> Compute:
    def compute(dividend: Array, divisor: Array) -> Array:
        nearest = np.divide(dividend, divisor)
        if mode == "rn":
            return nearest
        # Exact: both products of float32 fit in float64, and a difference has the right sign.
        rest = dividend - np.multiply(nearest, divisor, dtype=np.float64)
        return in_mode(nearest, np.where(divisor < 0, -rest, rest), mode)

    if not ftz:
        return compute

    def flushed_quotient(dividend: Array, divisor: Array) -> Array:
        dividend, divisor = flushed(dividend), flushed(divisor)
        result = compute(dividend, divisor)
        # No quotient of two float32 is so near to where rounding matters that float64 confuses it.
        scaled = np.divide(dividend, divisor, dtype=np.float64) * 2.0**100
        tiny = np.abs(narrowed(scaled, np.float32, mode)) < MIN_NORMAL_F32 * np.float32(2.0**100)
        return np.where(tiny, np.copysign(np.float32(0), result), result)

    return flushed_quotient


def _root_f32(value: Array, mode: str) -> Array:
    nearest: Array = np.sqrt(value)
    if mode == "rn":
        return nearest
    return in_mode(nearest, value - np.multiply(nearest, nearest, dtype=np.float64), mode)


def _one(value: Array) -> Array:
    return np.ones((1, 1, 1), dtype=value.dtype)


def _inverse(value: Array) -> Array:
    result: Array = np.divide(value.dtype.type(1), value)
    return result


def _inverse_root(value: Array) -> Array:
    return _inverse(np.sqrt(value))


def _inverse_root_f32(value: Array) -> Array:
    return _inverse_root(value.astype(np.float64)).astype(np.float32)


def _gross(compute: Compute) -> Compute:
    """The function of float64 whose result keeps its upper 32 bits alone, subnormal numbers taken for zeros."""

    def gross(value: Array) -> Array:
        return _flushed_f64((compute(_flushed_f64(value)).view(np.uint64) & UPPER_HALF).view(np.float64))

    return gross


def _flushed_f64(value: Array) -> Array:
    return np.where(np.abs(value) < np.finfo(np.float64).tiny, np.copysign(0.0, value), value)


APPROXIMATE: dict[str, Compute] = {
    "sin": np.sin,
    "cos": np.cos,
    "lg2": np.log2,
    "ex2": np.exp2,
    "tanh": np.tanh,
}
