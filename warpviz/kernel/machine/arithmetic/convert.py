"""cvt between integers and floating-point numbers of 8 to 64 bits.

A float becomes an integer as the name's rounding says, clamped to the type. A NaN becomes 0, but from f64, or to 64
bits, the number whose highest bit alone is set (PTX ISA 9.0, cvt).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from warpviz.kernel.machine.arithmetic.convert_pairs import EIGHTHS, lower_cvt_pair
from warpviz.kernel.machine.arithmetic.exact import (
    ROUNDINGS,
    flushed,
    in_mode,
    made_odd,
    narrowed_f32,
    saturated,
    two_sum,
)
from warpviz.kernel.machine.arithmetic.floats import FLOAT_TYPES
from warpviz.kernel.machine.arithmetic.half import FORMATS, bounded
from warpviz.kernel.machine.arithmetic.operation import (
    INTEGER_TYPES,
    Array,
    Compute,
    Name,
    Operation,
    floating,
    integer,
    unsigned,
)

INTEGERS = ("u8", "s8", *INTEGER_TYPES)
FLOATS = (*FLOAT_TYPES, *FORMATS)
TO_INTEGER: dict[str, Compute] = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def lower_cvt(name: Name) -> Operation:
    """cvt, of any two types; of pairs and of 8-bit floats in `convert_pairs`."""
    source = name.type(*INTEGERS, *FLOATS, "f16x2", "bf16x2", *EIGHTHS)
    target = name.type(*INTEGERS, *FLOATS, "tf32", "f16x2", "bf16x2", *EIGHTHS)
    if source.endswith("x2") or target.endswith("x2"):
        return lower_cvt_pair(name, target, source)
    if target == "tf32":
        return _to_tf32(name, source)
    if source in INTEGERS:
        return _between_integers(name, target, source) if target in INTEGERS else _to_float(name, target, source)
    return _to_integer(name, target, source) if target in INTEGERS else _between_floats(name, target, source)


def _between_integers(name: Name, target: str, source: str) -> Operation:
    clamps = name.has("sat")
    name.finish()
    taken, given = integer(source), integer(target)
    if not clamps:
        return Operation(lambda value: value.astype(given), (taken,))
    least = taken.type(max(np.iinfo(taken).min, np.iinfo(given).min))
    greatest = taken.type(min(np.iinfo(taken).max, np.iinfo(given).max))
    return Operation(lambda value: np.clip(value, least, greatest).astype(given), (taken,))


def _to_float(name: Name, target: str, source: str) -> Operation:
    mode, clamps = name.needs(*ROUNDINGS), name.has("sat")
    name.finish()
    if mode == "rn" and target in FLOAT_TYPES:
        dtype = floating(target)

        def convert(value: Array) -> Array:
            return value.astype(dtype)

    else:
        narrow = _narrower(target, mode)

        def convert(value: Array) -> Array:
            nearest, rest = _as_two_f64(value)
            return in_mode(nearest, rest, mode) if target == "f64" else narrow(made_odd(nearest, rest))

    if not clamps:
        return Operation(convert, (integer(source),))
    limits = np.iinfo(integer(source))
    return Operation(lambda value: convert(np.clip(value, max(limits.min, 0), 1)), (integer(source),))


def _as_two_f64(value: Array) -> tuple[Array, Array]:
    """An integer as the nearest float64 and the rest."""
    if value.dtype.itemsize < 8:
        nearest = value.astype(np.float64)
        return nearest, np.zeros_like(nearest)
    high = (value >> value.dtype.type(32)).astype(np.float64) * 2.0**32
    return two_sum(high, value.astype(np.uint32).astype(np.float64))


def _to_integer(name: Name, target: str, source: str) -> Operation:
    rounding = TO_INTEGER[name.needs(*TO_INTEGER)]
    ftz = source == "f32" and name.has("ftz")
    name.has("sat")  # it is clamped with it or without
    name.finish()
    widen, reads = _widener(source, ftz)
    dtype = integer(target)
    of_nan = 1 << (8 * dtype.itemsize - 1) if source == "f64" or dtype.itemsize == 8 else 0
    not_a_number: Any = np.array(of_nan, unsigned(8 * dtype.itemsize)).view(dtype)[()]
    limits = np.iinfo(dtype)
    least, beyond = float(limits.min), float(limits.max + 1)

    def compute(value: Array) -> Array:
        whole = rounding(widen(value))
        fits = (whole >= least) & (whole < beyond)
        if fits.all():
            converted: Array = whole.astype(dtype)
            return converted
        inside = np.where(fits, whole, 0.0).astype(dtype)
        clamped = np.where(whole >= beyond, dtype.type(limits.max), np.where(whole < least, limits.min, inside))
        return np.where(np.isnan(whole), not_a_number, clamped).astype(dtype)

    return Operation(compute, (reads,))


def _between_floats(name: Name, target: str, source: str) -> Operation:
    """Narrower ones are rounded once; a rounding to whole numbers is for one type alone."""
    ftz = "f32" in (source, target) and name.has("ftz")
    clamps, relu = name.has("sat"), name.has("relu")
    greatest = FORMATS[target].greatest if target in FORMATS and name.has("satfinite") else None
    whole = TO_INTEGER.get(name.one_of(*TO_INTEGER) or "") if source == target else None
    narrower = WIDTHS[target] < WIDTHS[source] or {source, target} == set(FORMATS)
    mode = name.needs(*ROUNDINGS) if narrower else (name.one_of("rn") or "rn")
    name.finish()
    widen, reads = _widener(source, ftz)
    narrow = _narrower(target, mode, ftz)
    if not (whole or clamps or relu or ftz) and target in FLOAT_TYPES and mode == "rn":
        return Operation(_plain(target, source), (reads,))

    def compute(value: Array) -> Array:
        wide = widen(value)
        wide = bounded(whole(wide) if whole else wide, relu=relu, greatest=greatest)
        return narrow(saturated(wide) if clamps else wide)

    return Operation(compute, (reads,))


def _plain(target: str, source: str) -> Compute:
    if source == "f16":
        return lambda bits: bits.view(np.float16).astype(floating(target))
    if source == "bf16":
        return lambda bits: FORMATS["bf16"].widen(bits).astype(floating(target))
    return lambda value: value.astype(floating(target))


def _widener(source: str, ftz: bool) -> tuple[Compute, np.dtype[Any]]:
    """How a float type becomes float64, and how it is read."""
    if source in FORMATS:
        return FORMATS[source].widen, unsigned(16)
    if source == "f64":
        return (lambda value: value), floating(source)
    return (lambda value: (flushed(value) if ftz else value).astype(np.float64)), floating(source)


def _narrower(target: str, mode: str, ftz: bool = False) -> Callable[[Array], Array]:
    """How float64, exact or rounded to odd, becomes a float type."""
    if target in FORMATS:
        return lambda value: FORMATS[target].narrow(value, mode)
    if target == "f64":
        return lambda value: value
    return lambda value: narrowed_f32(value, mode, ftz)


def _to_tf32(name: Name, source: str) -> Operation:
    """cvt.tf32.f32: 10 bits behind the point are left; .rna rounds a tie away from zero, .rn to even, .rz down."""
    mode = name.needs("rna", "rn", "rz")
    name.finish()
    if source != "f32":
        raise name.unknown()

    def compute(value: Array) -> Array:
        bits = value.view(np.uint32)
        added: Any = {"rna": np.uint32(0x1000), "rz": np.uint32(0)}.get(mode)
        if added is None:
            added = np.uint32(0x0FFF) + ((bits >> np.uint32(13)) & np.uint32(1))
        return np.where(np.isnan(value), np.uint32(0x7FFF_FFFF), (bits + added) & np.uint32(0xFFFF_E000))

    return Operation(compute, (floating(source),))
