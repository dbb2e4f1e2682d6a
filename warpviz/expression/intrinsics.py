"""The CUDA integer functions that an index may call (CUDA Math API, "Integer Mathematical Functions")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from warpviz.expression import layout
from warpviz.expression.arithmetic import DTYPES, common_type, convert
from warpviz.expression.layout import Integer
from warpviz.expression.values import Lanes, Number


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A function of integers, the same in every lane.

    parameters: what its arguments are converted to; None: the type that the arguments have in common.
    result: None: that same type. signed: the common type is made signed, as C's abs takes an int.
    """

    count: int
    parameter: Integer | None
    result: Integer | None
    compute: Callable[..., Lanes]
    signed: bool = False

    def parameter_type(self, arguments: list[Integer]) -> Integer:
        """What every argument is converted to."""
        if self.parameter is not None:
            return self.parameter
        ctype = arguments[0]
        for argument in arguments:
            ctype = common_type(ctype, argument)
        if self.signed and not common_type(ctype, _I32).signed:
            return _I32 if ctype.bits == _I32.bits else _I64
        return ctype

    def __call__(self, arguments: list[Number]) -> Number:
        ctype = self.parameter_type([argument.type for argument in arguments])
        result = self.result or ctype
        lanes = self.compute(*(convert(argument, ctype).lanes for argument in arguments))
        return Number(result, lanes.astype(DTYPES[result.kind]))


def _bits(a: Lanes) -> Lanes:
    """Shape (32, bits): the bits of each lane's number, the lowest first."""
    width = 8 * a.dtype.itemsize
    unsigned = a.astype(np.dtype(f"u{a.dtype.itemsize}"))
    return np.asarray((unsigned[:, None] >> np.arange(width, dtype=unsigned.dtype)) & 1)


def _reversed(a: Lanes) -> Lanes:
    bits = _bits(a)[:, ::-1]
    return np.asarray(np.bitwise_or.reduce(bits << np.arange(bits.shape[1], dtype=bits.dtype), axis=1))


def _population(a: Lanes) -> Lanes:
    return np.asarray(_bits(a).sum(axis=1))


def _first_set(a: Lanes) -> Lanes:
    """The 1-based position of the lowest set bit; 0 where none is set."""
    bits = _bits(a)
    return np.asarray(np.where(bits.any(axis=1), bits.argmax(axis=1) + 1, 0))


def _leading_zeros(a: Lanes) -> Lanes:
    bits = _bits(a)[:, ::-1]
    return np.asarray(np.where(bits.any(axis=1), bits.argmax(axis=1), bits.shape[1]))


def _low_24(a: Lanes) -> Lanes:
    """The low 24 bits, their sign extended where the type has one."""
    return np.asarray(np.right_shift(np.left_shift(a, 8), 8))


def _high_32(a: Lanes, b: Lanes) -> Lanes:
    wide = np.dtype(f"{a.dtype.kind}8")
    return np.asarray((a.astype(wide) * b.astype(wide)) >> wide.type(32))


def _multiplied_24(a: Lanes, b: Lanes) -> Lanes:
    return np.asarray(_low_24(a) * _low_24(b))


_I32, _U32, _I64, _U64 = layout.INT, layout.UNSIGNED_INT, layout.LONG_LONG, layout.UNSIGNED_LONG_LONG

INTRINSICS: dict[str, Intrinsic] = {
    "min": Intrinsic(2, None, None, np.minimum),
    "max": Intrinsic(2, None, None, np.maximum),
    "umin": Intrinsic(2, _U32, _U32, np.minimum),
    "umax": Intrinsic(2, _U32, _U32, np.maximum),
    "llmin": Intrinsic(2, _I64, _I64, np.minimum),
    "llmax": Intrinsic(2, _I64, _I64, np.maximum),
    "ullmin": Intrinsic(2, _U64, _U64, np.minimum),
    "ullmax": Intrinsic(2, _U64, _U64, np.maximum),
    "abs": Intrinsic(1, None, None, np.abs, signed=True),
    "labs": Intrinsic(1, layout.LONG, layout.LONG, np.abs),
    "llabs": Intrinsic(1, _I64, _I64, np.abs),
    "__brev": Intrinsic(1, _U32, _U32, _reversed),
    "__brevll": Intrinsic(1, _U64, _U64, _reversed),
    "__popc": Intrinsic(1, _U32, _I32, _population),
    "__popcll": Intrinsic(1, _U64, _I32, _population),
    "__ffs": Intrinsic(1, _I32, _I32, _first_set),
    "__ffsll": Intrinsic(1, _I64, _I32, _first_set),
    "__clz": Intrinsic(1, _I32, _I32, _leading_zeros),
    "__clzll": Intrinsic(1, _I64, _I32, _leading_zeros),
    "__mul24": Intrinsic(2, _I32, _I32, _multiplied_24),
    "__umul24": Intrinsic(2, _U32, _U32, _multiplied_24),
    "__mulhi": Intrinsic(2, _I32, _I32, _high_32),
    "__umulhi": Intrinsic(2, _U32, _U32, _high_32),
}
