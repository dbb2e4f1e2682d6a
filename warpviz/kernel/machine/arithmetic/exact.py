"""Sums, products and roundings of floating-point numbers whose last bit is right.

"To odd": of the two numbers that enclose the exact value, the one whose last bit is 1; an exact value stays. Rounded
again to a format with at least two bits fewer, in any mode, it gives what the exact value would have given (Boldo and
Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
"""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import Array

ROUNDINGS = ("rn", "rz", "rm", "rp")
MIN_NORMAL_F32 = np.float32(2.0**-126)
# A float64 halfway between two float32: of the 29 bits that float32 lacks, the first is set.
LOST_BITS = np.uint64((1 << 29) - 1)
HALFWAY = np.uint64(1 << 28)
# float32 bits moved up by one, without the sign: below this the number is subnormal or zero.
SUBNORMAL_BELOW = np.uint32(2 << 23)


def two_sum(first: Array, second: Array) -> tuple[Array, Array]:
    """The rounded sum and what the rounding left out, exactly (Knuth). float64; the rest is NaN beyond the range."""
    total = first + second
    part = total - first
    return total, (first - (total - part)) + (second - part)


def odd_sum(first: Array, second: Array) -> Array:
    """The sum of two float64 arrays, rounded to odd; where it is no number or infinite, as it is."""
    return made_odd(*two_sum(first, second))


def made_odd(nearest: Array, rest: Array) -> Array:
    """What was rounded to nearest, rounded to odd instead. rest: the exact value less the nearest, or anything with its
    sign. float32 or float64."""
    bits: Array = nearest.view(np.int64 if nearest.dtype.itemsize == 8 else np.int32)
    too_far = (rest < 0) != (bits < 0)  # the sign of a zero counts
    odd = (bits - too_far) | bits.dtype.type(1)
    return np.where((rest < 0) | (rest > 0), odd, bits).view(nearest.dtype)


def fma_f32(first: Array, second: Array, third: Array) -> Array:
    """first * second + third of float32 arrays, rounded once, to nearest.

    float64 holds the product exactly. Rounding the sum twice is harmless but where the first rounding ends halfway
    between two float32, or in the subnormal ones: then it is done to odd.
    """
    product = np.multiply(first, second, dtype=np.float64)
    total = product + third
    result: Array = total.astype(np.float32)
    if ((total.view(np.uint64) & LOST_BITS) == HALFWAY).any() or _underflows(total, result):
        return odd_sum(product, third.astype(np.float64)).astype(np.float32)
    return result


def _underflows(total: Array, result: Array) -> bool:
    doubled = result.view(np.uint32) << np.uint32(1)
    if not doubled.size or doubled.min() >= SUBNORMAL_BELOW:
        return False
    return bool(((doubled < SUBNORMAL_BELOW) & (total != 0)).any())


def exact_sum_f32(first: Array, second: Array, third: Array | None, mode: str) -> Array:
    """first * second + third (or first + second) of float32 arrays as float64 rounded to odd. A sum of zero has the
    mode's sign: negative for rm unless both parts are positive zeros."""
    if third is None:
        left, right = first.astype(np.float64), second.astype(np.float64)
    else:
        left, right = np.multiply(first, second, dtype=np.float64), third.astype(np.float64)
    total = odd_sum(left, right)
    return _zero_of_mode(total, left, right, mode)


def _zero_of_mode(total: Array, left: Array, right: Array, mode: str) -> Array:
    if mode != "rm":
        return total
    negative = np.signbit(left) | np.signbit(right)
    return np.where((total == 0) & negative, total.dtype.type(-0.0), total)


def in_mode(nearest: Array, rest: Array, mode: str) -> Array:
    """What was rounded to nearest, rounded in another mode: rz towards zero, rm down, rp up. rest: the exact value less
    the nearest, or anything with its sign; NaN for exact. Any float dtype."""
    if mode == "rn":
        return nearest
    limit = nearest.dtype.type({"rz": 0.0, "rm": -np.inf, "rp": np.inf}[mode])
    wrong = {
        "rz": ((rest < 0) & (nearest > 0)) | ((rest > 0) & (nearest < 0)),
        "rm": rest < 0,
        "rp": rest > 0,
    }[mode]
    return np.where(wrong, np.nextafter(nearest, limit), nearest)


def narrowed(value: Array, dtype: type[np.floating], mode: str) -> Array:
    """A float64 array (exact or rounded to odd) as float32 or float16, rounded once in the mode."""
    nearest: Array = value.astype(dtype)
    return nearest if mode == "rn" else in_mode(nearest, value - nearest, mode)


def narrowed_f32(value: Array, mode: str, ftz: bool) -> Array:
    """As `narrowed` to float32; ftz: what would be subnormal there becomes a zero of its sign.

    Would be: rounded as if the exponent had no least value. So 2^-126 (1 - 2^-24) is flushed, which rounds to 2^-126.
    """
    result = narrowed(value, np.float32, mode)
    if not ftz:
        return result
    tiny = np.abs(narrowed(value * 2.0**100, np.float32, mode)) < np.float32(2.0**-26)
    return np.where(tiny, np.copysign(np.float32(0), result), result)


def flushed(value: Array) -> Array:
    """float32 with its subnormal numbers replaced by zeros of their sign."""
    if not ((value.view(np.uint32) << np.uint32(1)) - np.uint32(1) < SUBNORMAL_BELOW - np.uint32(1)).any():
        return value
    return np.where(np.abs(value) < MIN_NORMAL_F32, np.copysign(np.float32(0), value), value)


def may_be_tiny(result: Array) -> bool:
    """Whether a float32 of the array, other than a zero, is at most the least normal one: .ftz may concern it."""
    return bool(((result.view(np.uint32) << np.uint32(1)) - np.uint32(1) < SUBNORMAL_BELOW).any())


def saturated(value: Array) -> Array:
    """Clamped to 0 … 1, NaN and -0 to +0. Any float dtype."""
    one, zero = value.dtype.type(1), value.dtype.type(0)
    result: Array = np.where(np.isnan(value), zero, np.clip(value, zero, one)) + zero
    return result
