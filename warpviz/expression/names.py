"""Names of C's and CUDA's types, which every pattern knows without a declaration."""

from __future__ import annotations

from dataclasses import replace

from warpviz.expression import layout
from warpviz.expression.layout import CType, Floating, Integer, Record

_SIGNED_AND_UNSIGNED: dict[str, tuple[Integer, Integer]] = {
    "short": (layout.SHORT, layout.UNSIGNED_SHORT),
    "": (layout.INT, layout.UNSIGNED_INT),
    "long": (layout.LONG, layout.UNSIGNED_LONG),
    "long long": (layout.LONG_LONG, layout.UNSIGNED_LONG_LONG),
}

_ALIASES: dict[str, Integer | Floating] = {
    "uchar": layout.UNSIGNED_CHAR,
    "ushort": layout.UNSIGNED_SHORT,
    "uint": layout.UNSIGNED_INT,
    "ulong": layout.UNSIGNED_LONG,
    "longlong": layout.LONG_LONG,
    "ulonglong": layout.UNSIGNED_LONG_LONG,
    "int8_t": layout.SIGNED_CHAR,
    "uint8_t": layout.UNSIGNED_CHAR,
    "int16_t": layout.SHORT,
    "uint16_t": layout.UNSIGNED_SHORT,
    "int32_t": layout.INT,
    "uint32_t": layout.UNSIGNED_INT,
    "int64_t": layout.LONG,
    "uint64_t": layout.UNSIGNED_LONG,
    "size_t": layout.UNSIGNED_LONG,
    "ssize_t": layout.LONG,
    "ptrdiff_t": layout.LONG,
    "intptr_t": layout.LONG,
    "uintptr_t": layout.UNSIGNED_LONG,
    "half": layout.HALF,
    "__half": layout.HALF,
    "__nv_bfloat16": layout.BFLOAT16,
    "nv_bfloat16": layout.BFLOAT16,
}

_VECTOR_ELEMENTS: dict[str, Integer | Floating] = {
    "char": layout.SIGNED_CHAR,
    "uchar": layout.UNSIGNED_CHAR,
    "short": layout.SHORT,
    "ushort": layout.UNSIGNED_SHORT,
    "int": layout.INT,
    "uint": layout.UNSIGNED_INT,
    "long": layout.LONG,
    "ulong": layout.UNSIGNED_LONG,
    "longlong": layout.LONG_LONG,
    "ulonglong": layout.UNSIGNED_LONG_LONG,
    "float": layout.FLOAT,
    "double": layout.DOUBLE,
}
_MAX_VECTOR_ALIGN = 16


def _vector(tag: str, element: Integer | Floating, count: int, align: int | None = None) -> Record:
    """CUDA C++ Programming Guide, "Built-in Vector Types": 2 and 4 elements are aligned as one, to 16 bytes at most."""
    record = Record("vector", tag)
    whole = min(element.size * count, _MAX_VECTOR_ALIGN) if count in (2, 4) else element.size
    record.complete([(axis, element) for axis in "xyzw"[:count]], [element.size] * count, align or whole)
    return record


def _keyword_types() -> dict[tuple[str, ...], CType]:
    """Types that C spells with keywords, by their words in alphabetical order (C allows any order)."""
    types: dict[str, CType] = {
        "void": layout.VOID,
        "_Bool": layout.BOOL,
        "bool": layout.BOOL,
        "char": layout.CHAR,
        "signed char": layout.SIGNED_CHAR,
        "unsigned char": layout.UNSIGNED_CHAR,
        "float": layout.FLOAT,
        "double": layout.DOUBLE,
    }
    for name, (signed, unsigned) in _SIGNED_AND_UNSIGNED.items():
        for words in (name, f"{name} int", f"signed {name}", f"signed {name} int"):
            types[words] = signed
        for words in (f"unsigned {name}", f"unsigned {name} int"):
            types[words] = unsigned
    return {tuple(sorted(words.split())): ctype for words, ctype in types.items() if words}


def _named_types() -> dict[str, CType]:
    types: dict[str, CType] = {alias: replace(scalar, spelling=alias) for alias, scalar in _ALIASES.items()}
    for name, element in _VECTOR_ELEMENTS.items():
        types.update({f"{name}{n}": _vector(f"{name}{n}", element, n) for n in (1, 2, 3, 4)})
    for name in ("long", "ulong", "longlong", "ulonglong", "double"):
        for align in (16, 32):
            types[f"{name}4_{align}a"] = _vector(f"{name}4_{align}a", _VECTOR_ELEMENTS[name], 4, align)
    types["half2"] = types["__half2"] = _vector("half2", layout.HALF, 2)
    types["nv_bfloat162"] = types["__nv_bfloat162"] = _vector("__nv_bfloat162", layout.BFLOAT16, 2)
    types["dim3"] = _vector("dim3", layout.UNSIGNED_INT, 3)
    return types


_KEYWORD_TYPES = _keyword_types()
NAMED_TYPES = _named_types()
TYPE_KEYWORDS = frozenset(word for words in _KEYWORD_TYPES for word in words)


def builtin_type(words: tuple[str, ...]) -> CType | None:
    """The type that these words name without any declaration (`unsigned long`, `float4`), or None."""
    if len(words) == 1 and words[0] in NAMED_TYPES:
        return NAMED_TYPES[words[0]]
    return _KEYWORD_TYPES.get(tuple(sorted(words)))
