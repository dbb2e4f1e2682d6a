"""The types that accesses go by where the source does not tell: those of the instruction."""

from __future__ import annotations

from warpviz.expression import layout
from warpviz.expression.layout import Array, CType, Floating, Integer, align_of, size_of
from warpviz.expression.names import NAMED_TYPES
from warpviz.hardware import LDMATRIX_ROW_BYTES
from warpviz.kernel.memory.observing import Kind

_SCALARS: dict[str, CType] = {
    "f64": layout.DOUBLE,
    "f32": layout.FLOAT,
    "f16": layout.HALF,
    "bf16": layout.BFLOAT16,
    "s8": layout.SIGNED_CHAR,
    "s16": layout.SHORT,
    "s32": layout.INT,
    "s64": layout.LONG_LONG,
}
_OF_SIZE: dict[int, CType] = {
    1: layout.UNSIGNED_CHAR,
    2: layout.UNSIGNED_SHORT,
    4: layout.UNSIGNED_INT,
    8: layout.UNSIGNED_LONG_LONG,
    16: NAMED_TYPES["uint4"],
}
_VECTORS = {
    "float": "float",
    "double": "double",
    "half": "half",
    "signed char": "char",
    "short": "short",
    "int": "int",
    "long long": "longlong",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
    "unsigned int": "uint",
    "unsigned long long": "ulonglong",
}


def element_type(kind: Kind) -> CType:
    """Of one element of an access, of which a vector load or store takes several. Where PTX tells bits alone, an
    unsigned integer."""
    named = _SCALARS.get(kind.type)
    if named is not None:
        return named
    digits = kind.type.lstrip("abcdefghijklmnopqrstuvwxyz")
    size = int(digits) // 8 if digits.isdigit() else 0
    return _OF_SIZE.get(min(size, kind.width), _OF_SIZE[min(kind.width, 4)])


def accessed_type(kind: Kind, scalar: CType | None) -> CType:
    """Of all that a lane accesses: an element or a vector. scalar: that the variable is made of, if it is of one."""
    if kind.op == "ldmatrix" or kind.matrices is not None:
        return _WIDE[LDMATRIX_ROW_BYTES]
    own = element_type(kind)
    vectors = (_vector(element, kind.width) for element in (scalar, own) if element is not None)
    return next((vector for vector in vectors if vector is not None), _WIDE[kind.width])


def scalar_of(ctype: CType) -> CType | None:
    """What an array of any dimensions holds; None where that is a struct or a vector."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    return ctype if isinstance(ctype, Integer | Floating) else None


def _vector(element: CType, width: int) -> CType | None:
    """So many bytes of elements, as CUDA names them: the element itself, or a vector of two or four."""
    size = size_of(element) or 1
    if size == width:
        return element
    kind = element.kind if isinstance(element, Integer | Floating) else ""
    vector = NAMED_TYPES.get(f"{_VECTORS.get(kind, '')}{width // size}")
    return vector if vector is not None and size_of(vector) == align_of(vector) == width else None


_WIDE = {**_OF_SIZE, 8: NAMED_TYPES["uint2"]}
