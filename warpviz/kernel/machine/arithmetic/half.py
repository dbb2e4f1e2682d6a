"""f16, bf16 and pairs of them, by way of float64: sums, products, fma, least and greatest, ex2 and tanh.

The bits of both are uint16. Every result is rounded once, to nearest: float64 holds the sources exactly, and sums that
it cannot hold are rounded to odd first. A NaN is 0x7FFF, as the hardware's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.exact import made_odd, narrowed, odd_sum, saturated
from warpviz.kernel.machine.arithmetic.floats import extreme
from warpviz.kernel.machine.arithmetic.integers import by_halves
from warpviz.kernel.machine.arithmetic.operation import Array, Compute, Name, Operation, unsigned
from warpviz.kernel.machine.arithmetic.pieces import in_pieces

HALF_TYPES = ("f16", "f16x2", "bf16", "bf16x2")
CANONICAL_NAN = np.uint16(0x7FFF)
SIGN = np.uint16(0x8000)
BITS = unsigned(16)


@dataclass(frozen=True)
class Format:
    """A 16-bit format. widen: its bits (uint16) as float64, exactly. narrow: float64, exact or rounded to odd, as its
    bits, in a rounding mode. least_normal: its least number that is not subnormal. greatest: its greatest one."""

    widen: Callable[[Array], Array]
    narrow: Callable[[Array, str], Array]
    least_normal: float
    greatest: float


def narrow_f16(value: Array, mode: str = "rn") -> Array:
    bits = narrowed(value, np.float16, mode).view(np.uint16)
    return np.where(np.isnan(value), CANONICAL_NAN, bits)


def narrow_bf16(value: Array, mode: str = "rn") -> Array:
    nearest = value.astype(np.float32)
    bits = made_odd(nearest, value - nearest).view(np.uint32)
    upper, lower = bits >> np.uint32(16), bits & np.uint32(0xFFFF)
    away: Any = {
        "rn": lower + (upper & np.uint32(1)) > 0x8000,
        "rz": np.False_,
        "rm": (lower != 0) & (value < 0),
        "rp": (lower != 0) & (value > 0),
    }[mode]
    return np.where(np.isnan(value), CANONICAL_NAN, (upper + away).astype(np.uint16))


def widen_f16(bits: Array) -> Array:
    return bits.view(np.float16).astype(np.float64)


def widen_bf16(bits: Array) -> Array:
    return np.left_shift(bits, np.uint32(16), dtype=np.uint32).view(np.float32).astype(np.float64)


FORMATS = {
    "f16": Format(widen_f16, narrow_f16, 2.0**-14, 65504.0),
    "bf16": Format(widen_bf16, narrow_bf16, 2.0**-126, float.fromhex("0x1.fep127")),
}


def bounded(value: Array, *, relu: bool, greatest: float | None) -> Array:
    """float64 with nothing below zero (relu), and no larger than a greatest number where there is one. A NaN stays."""
    if relu:
        value = np.where(value < 0, 0.0, value)
    return value if greatest is None else np.clip(value, -greatest, greatest)


def lower_half_sum(name: Name) -> Operation:
    """add, sub, mul, fma: .rn, .ftz and .sat (f16 alone), .relu (fma: nothing below zero, NaN stays)."""
    kind = name.type(*HALF_TYPES)
    name.has("rn")
    opcode, is_f16 = name.instruction.opcode, kind.startswith("f16")
    ftz, sat = is_f16 and name.has("ftz"), is_f16 and name.has("sat")
    relu = opcode == "fma" and name.has("relu")
    name.finish()
    exact = EXACT[opcode]

    def finished(value: Array) -> Array:
        value = bounded(value, relu=relu, greatest=None)
        return saturated(value) if sat else value

    compute = _in_format(lambda *sources: finished(exact(*sources)), FORMATS[_one_of(kind)], ftz)
    return _operation(compute, kind, 3 if opcode == "fma" else 2)


def lower_half_extreme(name: Name) -> Operation:
    """min, max: .ftz (f16 alone), .NaN, .xorsign.abs."""
    kind = name.type(*HALF_TYPES)
    ftz = kind.startswith("f16") and name.has("ftz")
    compute = extreme(name, name.has("NaN"), name.has("xorsign") and name.needs("abs") == "abs")
    name.finish()
    return _operation(_in_format(compute, FORMATS[_one_of(kind)], ftz), kind, 2)


def lower_half_sign(name: Name) -> Operation:
    """neg, abs: .ftz (f16 alone)."""
    kind = name.type(*HALF_TYPES)
    negates, ftz = name.instruction.opcode == "neg", kind.startswith("f16") and name.has("ftz")
    name.finish()

    def compute(bits: Array) -> Array:
        return bits ^ SIGN if negates else bits & ~SIGN

    if ftz:
        compute = _in_format(np.negative if negates else np.abs, FORMATS["f16"], ftz)
    return _operation(compute, kind, 1)


def lower_half_approximate(name: Name) -> Operation:
    """ex2.approx and tanh.approx: numpy's results, rounded. ex2 of bf16 is always .ftz."""
    kind = name.type(*HALF_TYPES)
    name.needs("approx")
    is_bf16_ex2 = kind.startswith("bf16") and name.instruction.opcode == "ex2"
    if is_bf16_ex2:
        name.needs("ftz")
    name.finish()
    compute = {"ex2": np.exp2, "tanh": np.tanh}[name.instruction.opcode]
    return _operation(_in_format(compute, FORMATS[_one_of(kind)], is_bf16_ex2), kind, 1)


def _one_of(kind: str) -> str:
    return kind.removesuffix("x2")


def _in_format(compute: Compute, form: Format, ftz: bool) -> Compute:
    """A function of float64 as one of the format's bits."""

    def flushed(value: Array) -> Array:
        return np.where(np.abs(value) < form.least_normal, np.copysign(0.0, value), value) if ftz else value

    def on_bits(*sources: Array) -> Array:
        result = form.narrow(compute(*(flushed(form.widen(source)) for source in sources)), "rn")
        return form.narrow(flushed(form.widen(result)), "rn") if ftz else result

    return on_bits


def _operation(compute: Compute, kind: str, sources: int) -> Operation:
    if kind.endswith("x2"):
        return Operation(in_pieces(by_halves(compute, BITS)), (unsigned(32),) * sources)
    return Operation(in_pieces(compute), (BITS,) * sources)


# Of float64 that hold numbers of 16 bits: products are exact, sums rounded to odd.
EXACT: dict[str, Compute] = {
    "add": odd_sum,
    "sub": lambda first, second: odd_sum(first, -second),
    "mul": np.multiply,
    "fma": lambda first, second, third: odd_sum(first * second, third),
}
