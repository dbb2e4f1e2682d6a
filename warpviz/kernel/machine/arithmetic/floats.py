"""f32 and f64: sums, products, fma, least and greatest, signs, tests.

Rounded once, in the mode that the instruction names, subnormal numbers kept unless it says .ftz. The bits of a NaN that
arithmetic makes are not the hardware's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.doubles import fma_f64
from warpviz.kernel.machine.arithmetic.exact import (
    MIN_NORMAL_F32,
    ROUNDINGS,
    exact_sum_f32,
    flushed,
    fma_f32,
    may_be_tiny,
    narrowed_f32,
    saturated,
)
from warpviz.kernel.machine.arithmetic.operation import Array, Compute, Name, Operation, floating
from warpviz.kernel.machine.arithmetic.pieces import in_pieces

FLOAT_TYPES = ("f32", "f64")
PLAIN: dict[str, Compute] = {"add": np.add, "sub": np.subtract, "mul": np.multiply}


def lower_float_sum(name: Name) -> Operation:
    """add, sub, mul, and fma or mad (the same thing): .rn .rz .rm .rp, .ftz, .sat."""
    kind = name.type(*FLOAT_TYPES)
    mode = name.one_of(*ROUNDINGS) or "rn"
    ftz, sat = (name.has("ftz"), name.has("sat")) if kind == "f32" else (False, False)
    name.finish()
    opcode = "fma" if name.instruction.opcode == "mad" else name.instruction.opcode
    compute = _single(opcode, mode, ftz) if kind == "f32" else _double(opcode, mode)
    return Operation(clamping(compute) if sat else compute, (floating(kind),) * (3 if opcode == "fma" else 2))


def _single(opcode: str, mode: str, ftz: bool) -> Compute:
    if mode == "rn" and not ftz:
        return PLAIN.get(opcode, in_pieces(fma_f32))
    if mode == "rn" and opcode in ("add", "sub"):  # a subnormal sum is exact: it is flushed after the rounding
        return flushing(PLAIN[opcode])

    def exactly(first: Array, second: Array, third: Array | None = None) -> Array:
        if opcode == "mul":
            exact = np.multiply(first, second, dtype=np.float64)
        else:
            exact = exact_sum_f32(first, -second if opcode == "sub" else second, third, mode)
        return narrowed_f32(exact, mode, ftz)

    if not ftz:
        return in_pieces(exactly)
    if mode != "rn":
        return in_pieces(lambda *sources: exactly(*map(flushed, sources)))

    def flushing_rarely(*sources: Array) -> Array:
        sources = tuple(map(flushed, sources))
        result: Array = np.multiply(*sources) if opcode == "mul" else fma_f32(*sources)
        return exactly(*sources) if may_be_tiny(result) else result

    return in_pieces(flushing_rarely)


def _double(opcode: str, mode: str) -> Compute:
    if opcode == "fma":
        return in_pieces(lambda first, second, third: fma_f64(first, second, third, mode))
    if mode == "rn":
        return PLAIN[opcode]
    if opcode == "mul":  # a zero of the product's sign changes nothing
        return in_pieces(lambda first, second: fma_f64(first, second, np.copysign(0.0, first * second), mode))
    one = np.float64(1 if opcode == "add" else -1)
    return in_pieces(lambda first, second: fma_f64(second, np.full((1, 1, 1), one), first, mode))


def flushing(compute: Compute) -> Compute:
    """The function of float32 arrays with subnormal sources and results taken for zeros of their sign."""
    return lambda *sources: flushed(compute(*(flushed(source) for source in sources)))


def clamping(compute: Compute) -> Compute:
    """The function with its result clamped to 0 … 1."""
    return lambda *sources: saturated(compute(*sources))


def lower_float_extreme(name: Name) -> Operation:
    """min, max: a NaN loses against a number, or with .NaN wins; -0 is less than +0; .xorsign.abs compares magnitudes
    and gives the result the product's sign."""
    kind = name.type(*FLOAT_TYPES)
    ftz = kind == "f32" and name.has("ftz")
    compute = extreme(name, name.has("NaN"), name.has("xorsign") and name.needs("abs") == "abs")
    name.finish()
    return Operation(flushing(compute) if ftz else compute, (floating(kind),) * 2)


def extreme(name: Name, keeps_nan: bool, by_magnitude: bool) -> Compute:
    """min or max, by the opcode, of any float dtype."""
    least = name.instruction.opcode == "min"
    choose = np.minimum if least else np.maximum

    def number(first: Array, second: Array) -> Array:
        # numpy's fmin and fmax let a signalling NaN win, but not always.
        result = choose(first, second)
        if keeps_nan or not np.isnan(result).any():
            return result
        return np.where(np.isnan(first), second, np.where(np.isnan(second), first, result))

    def compute(first: Array, second: Array) -> Array:
        bits = np.dtype(f"uint{8 * first.dtype.itemsize}")
        left, right = first.view(bits), second.view(bits)
        # Equal numbers have equal bits, but for zeros of two signs.
        equal = left | right if least else left & right
        return np.where(first == second, equal, number(first, second).view(bits)).view(first.dtype)

    if not by_magnitude:
        return compute

    def signed_by_product(first: Array, second: Array) -> Array:
        negative = np.signbit(first) ^ np.signbit(second)
        sign = np.where(negative, first.dtype.type(-1), first.dtype.type(1))
        result: Array = np.copysign(compute(np.abs(first), np.abs(second)), sign)
        return result

    return signed_by_product


def lower_float_sign(name: Name) -> Operation:
    """neg, abs."""
    kind = name.type(*FLOAT_TYPES)
    ftz = kind == "f32" and name.has("ftz")
    name.finish()
    compute: Compute = np.negative if name.instruction.opcode == "neg" else np.abs
    return Operation((lambda source: compute(flushed(source))) if ftz else compute, (floating(kind),))


def lower_copysign(name: Name) -> Operation:
    """copysign: the second source with the sign of the first."""
    kind = name.type(*FLOAT_TYPES)
    name.finish()
    return Operation(lambda sign, value: np.copysign(value, sign), (floating(kind),) * 2)


def lower_testp(name: Name) -> Operation:
    """testp: a predicate, whether the number is of a class."""
    kind = name.type(*FLOAT_TYPES)
    test = CLASSES[name.needs(*CLASSES)]
    name.finish()
    return Operation(test, (floating(kind),))


def _is_normal(value: Array) -> Any:
    return np.isfinite(value) & (np.abs(value) >= _least_normal(value))


def _is_subnormal(value: Array) -> Any:
    return (value != 0) & (np.abs(value) < _least_normal(value))


def _least_normal(value: Array) -> Any:
    return MIN_NORMAL_F32 if value.dtype == np.float32 else np.finfo(np.float64).tiny


CLASSES: dict[str, Compute] = {
    "finite": np.isfinite,
    "infinite": np.isinf,
    "number": lambda value: value == value,
    "notanumber": np.isnan,
    "normal": _is_normal,
    "subnormal": _is_subnormal,
}
