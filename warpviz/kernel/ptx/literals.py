"""Numbers as PTX writes them: NVIDIA, "Parallel Thread Execution ISA", chapter "Constants"."""

from __future__ import annotations

import re
import struct
from functools import lru_cache

_INTEGER = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<binary>[01]+)|(?P<octal>0[0-7]*)|(?P<decimal>[1-9][0-9]*))U?"
)
_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_BITS = re.compile(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})")
_REAL = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST = 80  # characters: more than any number of 64 bits has


@lru_cache(maxsize=4096)
def number_of(text: str) -> int | float | None:
    """The value of a number without a sign, such as 12, 0x1F, 0b101U, 052, 0.5, 0f3F800000 or 0d3FE0000000000000.

    None for what is no number, or an integer that does not fit 64 bits.

    >>> number_of("0f3F800000"), number_of("052")
    (1.0, 42)
    """
    if len(text) > _LONGEST:
        return None
    if match := _INTEGER.fullmatch(text):
        kind = match.lastgroup or ""
        whole = int(match[kind], _BASES[kind])
        return whole if whole < 1 << 64 else None
    if match := _BITS.fullmatch(text):
        single, double = match.groups()
        (real,) = struct.unpack(">f", bytes.fromhex(single)) if single else struct.unpack(">d", bytes.fromhex(double))
        return float(real)
    return float(text) if _REAL.fullmatch(text) else None
