"""Numbers by value: which of them a parameter holds, and its bytes."""

from __future__ import annotations

from math import isfinite, isinf

import numpy as np

from warpviz.expression.layout import BFLOAT16, BOOL, DOUBLE, FLOAT, Floating, Integer
from warpviz.expression.names import builtin_type
from warpviz.kernel.launch.errors import LaunchError, Where
from warpviz.kernel.launch.parameters import DeclaredParameter
from warpviz.kernel.ptx.syntax import Parameter

_QUALIFIERS = ("const", "volatile")


def scalar_type(declared: DeclaredParameter, parameter: Parameter) -> Integer | Floating | None:
    """The C type of a parameter that is a number. Where only the file knows the type's name, what PTX tells: None for
    an integer that may be signed or not, and for what is no number."""
    words = (word.removeprefix("std::") for word in declared.type.split() if word not in _QUALIFIERS)
    named = builtin_type(tuple(words))
    if isinstance(named, Integer | Floating) and named.size == parameter.size:
        return named
    return {"f32": FLOAT, "f64": DOUBLE}.get(parameter.type)


def read_as(declared: DeclaredParameter) -> str | None:
    """The numpy dtype of what a parameter points to: of numbers of 4 or 8 bytes; None for all else, which may be read
    as the kernel likes."""
    words = tuple(word for word in declared.type.replace("*", " ").split() if word not in _QUALIFIERS)
    pointed_to = builtin_type(tuple(word.removeprefix("std::") for word in words))
    if not declared.is_pointer or not isinstance(pointed_to, Integer | Floating) or pointed_to.size < 4:
        return None
    letter = "f" if isinstance(pointed_to, Floating) else "i" if pointed_to.signed else "u"
    return np.dtype(f"{letter}{pointed_to.size}").name


def is_struct(parameter: Parameter) -> bool:
    """Whether PTX has it as an array of bytes."""
    return parameter.type == "b8" and parameter.size > 1


def scalar_bytes(value: int | float, ctype: Integer | Floating | None, size: int, what: str, where: Where) -> bytes:
    """The bytes of a number as the kernel reads it. ctype: as `scalar_type` has it. size: bytes. what: the parameter,
    in words. Raises LaunchError for a number that does not fit."""
    if isinstance(ctype, Floating):
        return _floating_bytes(value, ctype, what, where)
    if isinstance(value, float):
        if not isfinite(value) or value != int(value):
            raise LaunchError(f"{what} is an integer, and {value:g} is none", where)
        value = int(value)
    least, most = _range(ctype, size)
    if not least <= value <= most:
        raise LaunchError(f"{value} does not fit {what}, which holds {least} to {most}", where)
    return value.to_bytes(size, "little", signed=value < 0)


def _range(ctype: Integer | None, size: int) -> tuple[int, int]:
    """Of an integer whose sign is not known: from the least signed to the most unsigned one."""
    if ctype is not None and ctype.kind == BOOL.kind:
        return 0, 1
    least = 0 if ctype is not None and not ctype.signed else -(1 << (8 * size - 1))
    return least, (1 << (8 * size - (ctype is not None and ctype.signed))) - 1


def _floating_bytes(value: int | float, ctype: Floating, what: str, where: Where) -> bytes:
    with np.errstate(over="ignore"):
        if ctype.kind == BFLOAT16.kind:
            number = np.float32(value)
            contents = _bfloat16_bytes(number)
        else:
            number = np.dtype(f"f{ctype.size}").type(value)
            contents = number.tobytes()
    if isinf(number) and isfinite(value):
        raise LaunchError(f"{value:g} does not fit {what}: it is too large", where)
    return contents


def _bfloat16_bytes(number: np.float32) -> bytes:
    """The upper half of a float, rounded to nearest, ties to even."""
    bits = int(number.view(np.uint32))
    if number == number:
        bits += 0x7FFF + (bits >> 16 & 1)
    return (bits >> 16 & 0xFFFF).to_bytes(2, "little")
