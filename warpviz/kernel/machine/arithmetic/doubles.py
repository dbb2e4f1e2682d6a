"""float64 in every rounding mode: fma, and through it sums and products; quotients and roots.

Where the exact value does not fit in a few float64 (near the ends of the range) the threads are done one by one with
fractions; so are directed quotients and roots, which no ordinary kernel has.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from warpviz.kernel.machine.arithmetic.exact import in_mode, two_sum
from warpviz.kernel.machine.arithmetic.operation import Array

SPLITTER = np.float64((1 << 27) + 1)
LARGE, SMALL = 2.0**900, 2.0**-900
MANTISSA = np.uint64((1 << 52) - 1)


def two_product(first: Array, second: Array) -> tuple[Array, Array]:
    """The rounded product and what the rounding left out, exactly (Dekker). float64 away from the ends of the range."""
    product = first * second
    first_high, first_low = _split(first)
    second_high, second_low = _split(second)
    rest = first_high * second_high - product
    rest = rest + first_high * second_low + first_low * second_high
    return product, rest + first_low * second_low


def _split(value: Array) -> tuple[Array, Array]:
    scaled = value * SPLITTER
    high = scaled - (scaled - value)
    return high, value - high


def fma_f64(first: Array, second: Array, third: Array, mode: str = "rn") -> Array:
    """first * second + third of float64 arrays, rounded once."""
    product, product_rest = two_product(first, second)
    total, total_rest = two_sum(product, third)
    rest, lost = two_sum(total_rest, product_rest)
    nearest = np.where(rest == 0, total, total + rest)  # a sum of zeros keeps its sign
    # A rest that was itself rounded decides wrongly only when the sum lies halfway: the rest is then a power of two.
    halfway = ((rest.view(np.uint64) & MANTISSA) == 0) & (lost != 0)
    result = in_mode(nearest, _sign_of_sum(total - nearest, rest, lost), mode)
    if mode == "rm":
        result = np.where((result == 0) & (np.signbit(product) | np.signbit(third)), -0.0, result)
    finite_product = np.isfinite(first) & np.isfinite(second)  # also where its rounding is not
    finite = finite_product & np.isfinite(third)
    result = np.where(finite, result, np.where(finite_product, third, product + third))
    doubtful = finite & (halfway | ~_far_from_ends(first, second, third, product))
    return _settled_one_by_one(result, doubtful, (first, second, third), mode) if doubtful.any() else result


def _far_from_ends(first: Array, second: Array, third: Array, product: Array) -> Array:
    sizes = np.abs(first), np.abs(second), np.abs(product)
    fits = (sizes[0] < LARGE) & (sizes[1] < LARGE) & (sizes[2] < LARGE) & (np.abs(third) < LARGE)
    result: Array = fits & ((sizes[2] > SMALL) | (first == 0) | (second == 0))
    return result


def _sign_of_sum(first: Array, second: Array, third: Array) -> Array:
    """A number with the sign of the exact sum of three."""
    high, low = two_sum(first, second)
    higher, rest = two_sum(high, third)
    result: Array = higher + (rest + low)
    return result


def _settled_one_by_one(result: Array, doubtful: Array, sources: tuple[Array, ...], mode: str) -> Array:
    result = np.array(np.broadcast_to(result, np.broadcast_shapes(result.shape, doubtful.shape)))
    full = [np.broadcast_to(source, result.shape)[doubtful] for source in sources]
    result[doubtful] = [_one_fma(*map(float, values), mode=mode) for values in zip(*full, strict=True)]
    return result


def _one_fma(first: float, second: float, third: float, *, mode: str) -> float:
    exact = Fraction(first) * Fraction(second) + Fraction(third)
    if exact:
        return nearest_in_mode(exact, mode)
    signs = math.copysign(1, first) * math.copysign(1, second), math.copysign(1, third)
    negative = min(signs) < 0 if mode == "rm" and signs[0] != signs[1] else max(signs) < 0
    return -0.0 if negative else 0.0


def nearest_in_mode(exact: Fraction, mode: str) -> float:
    """The float64 that a number other than 0 rounds to."""
    sign = _sign(exact)
    try:
        nearest = math.copysign(float(abs(exact)), sign)
        rest = _sign(exact - Fraction(nearest))
    except OverflowError:
        nearest, rest = math.inf * sign, -sign
    return float(in_mode(np.array([nearest]), np.array([rest]), mode)[0])


def _sign(exact: Fraction) -> int:
    return (exact > 0) - (exact < 0)


def quotient_f64(dividend: Array, divisor: Array, mode: str) -> Array:
    """float64, rounded once."""
    nearest = dividend / divisor
    return nearest if mode == "rn" else in_mode(nearest, _quotient_rest(dividend, divisor, nearest), mode)


def root_f64(value: Array, mode: str) -> Array:
    """The square root of float64, rounded once."""
    nearest = np.sqrt(value)
    return nearest if mode == "rn" else in_mode(nearest, _quotient_rest(value, nearest, nearest), mode)


def _quotient_rest(dividend: Array, divisor: Array, nearest: Array) -> Array:
    signs = np.frompyfunc(_one_quotient_rest, 3, 1)(dividend, divisor, nearest)
    return np.asarray(signs, dtype=np.float64)


def _one_quotient_rest(dividend: float, divisor: float, nearest: float) -> float:
    """The sign of dividend / divisor less what it was rounded to."""
    if not divisor or not math.isfinite(dividend) or not math.isfinite(divisor) or math.isnan(nearest):
        return 0.0
    if math.isinf(nearest):
        return -math.copysign(1.0, nearest)
    rest = Fraction(dividend) - Fraction(nearest) * Fraction(divisor)
    return _sign(rest) * math.copysign(1.0, divisor)
