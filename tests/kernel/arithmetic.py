"""What the tests of arithmetic share: one instruction on a few values, and rounding by exact fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import settings

from warpviz.kernel.machine.arithmetic import Operation, operation_of
from warpviz.kernel.ptx.syntax import Immediate, Instruction, Line, Operand, Pair, Register, Vector

# Each example holds many rows.
BRIEF = settings(max_examples=15, deadline=None)


class Format(NamedTuple):
    """A binary floating-point format: bits of precision, the exponent of its least number, its greatest number."""

    precision: int
    least_exponent: int
    greatest: Fraction
    least_normal: Fraction


F16 = Format(11, -24, Fraction(65504), Fraction(1, 2**14))
BF16 = Format(8, -133, Fraction(2**128 - 2**120), Fraction(1, 2**126))
F32 = Format(24, -149, Fraction(2**128 - 2**104), Fraction(1, 2**126))
F64 = Format(53, -1074, Fraction(2**1024 - 2**971), Fraction(1, 2**1022))


def instruction(name: str, operands: Sequence[Operand]) -> Instruction:
    opcode, *modifiers = name.split(".")
    return Instruction(opcode, tuple(modifiers), tuple(operands), None, Line(1), 1)


def operation(name: str, sources: int, *, pair: bool = False, table: int | None = None) -> Operation:
    """The operation of an instruction with so many sources and one result (or p|q). table: lop3's fourth source."""
    target = Pair(Register("%p"), Register("%q")) if pair else Register("%d")
    operands: list[Operand] = [target, *(Register(f"%r{number}") for number in range(sources))]
    if table is not None:
        operands.insert(4, Immediate(table))
    found = operation_of(instruction(name, operands))
    assert found is not None
    return found


def of_elements(name: str, targets: int, sources: int) -> Operation:
    """mov between a word and a vector of parts."""
    parts = [
        Vector(tuple(Register(f"%{which}{number}") for number in range(count))) if count > 1 else Register(f"%{which}")
        for which, count in (("d", targets), ("s", sources))
    ]
    found = operation_of(instruction(name, parts))
    assert found is not None
    return found


def array(values: Sequence[Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Numbers as a register of one warp: integers by their lowest bits, shape (1, 1, number of values)."""
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        unsigned = np.array([int(value) & ((1 << bits) - 1) for value in values], dtype=f"uint{bits}")
        return unsigned.view(dtype).reshape(1, 1, -1)
    return np.array(values, dtype=dtype).reshape(1, 1, -1)


def applied(found: Operation, *sources: Sequence[Any], carry: Sequence[bool] | None = None) -> Any:
    """The results of an operation as lists: unsigned integers, floats or bools; a tuple of lists for several."""
    arrays = [array(values, dtype) for values, dtype in zip(sources, found.reads, strict=True)]
    if carry is not None:
        arrays.append(array(carry, np.dtype(bool)))
    with np.errstate(all="ignore"):
        results = found.compute(*arrays)
    if isinstance(results, tuple):
        return tuple(_listed(result) for result in results)
    return _listed(results)


def result(name: str, *sources: Sequence[Any]) -> Any:
    return applied(operation(name, len(sources)), *sources)


def _listed(values: np.ndarray[Any, Any]) -> list[Any]:
    assert values.ndim == 3
    if values.dtype.kind == "i":
        values = values.view(f"uint{8 * values.dtype.itemsize}")
    return values.reshape(-1).tolist()


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def f32_of(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f64_of(bits: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def f16_of(bits: int) -> float:
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def bf16_of(bits: int) -> float:
    return f32_of(bits << 16)


def rounded(exact: Fraction, to: Format, mode: str = "rn") -> float:
    """The number of a format that an exact value other than 0 rounds to, infinite beyond its greatest."""
    size = abs(exact)
    down = {"rz": True, "rm": exact > 0, "rp": exact < 0}.get(mode)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - to.precision + 1, to.least_exponent)
    steps, rest = divmod(size, unit)
    if down is None:
        steps += rest * 2 > unit or (rest * 2 == unit and steps % 2)
    elif not down and rest:
        steps += 1
    found = steps * unit
    if found > to.greatest:
        found = to.greatest if down else math.inf
    return -float(found) if exact < 0 else float(found)


def is_tiny(exact: Fraction, mode: str = "rn") -> bool:
    """Whether .ftz takes the result for zero: less than the least normal f32 when rounded without a least exponent."""
    return abs(rounded(exact, F32._replace(least_exponent=-400), mode)) < F32.least_normal


def same(found: float, expected: float) -> bool:
    """Equal with the same sign of zero; any NaN is any NaN."""
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)
