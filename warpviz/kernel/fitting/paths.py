"""From a variable down to what an access takes of it: `tile[row][column]`, `p[i].x`, `((float4*)s)[i]`."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.expression.layout import Array, CType, Member, Record, align_of, size_of
from warpviz.kernel.fitting.lanes import Ints

Path = tuple[str | Ints, ...]
"""C, with an index lane by lane where brackets hold one."""


def paths(name: str, ctype: CType, offsets: Ints, width: int, accessed: CType, *, is_row: bool) -> Iterator[Path]:
    """Ways to write the access, the one that goes by the variable's type first; the last is always there.

    offsets: in bytes from the variable's first, of the lanes that are read. width: bytes a lane. accessed: the type of
    so many bytes that a cast gives. is_row: it is a matrix row, which is written by the address of its first element.
    """
    flat = _flat(name, ctype, offsets, width, accessed, is_row=is_row)
    typed = _down(ctype, offsets, width, accessed, (name,), is_row=is_row)
    is_plain = isinstance(ctype, Array) and not isinstance(ctype.element, Array | Record)
    if typed is not None and not (is_plain and typed[0] != name and not is_row):
        yield typed
    yield flat


def _down(ctype: CType, offsets: Ints, width: int, accessed: CType, path: Path, *, is_row: bool) -> Path | None:
    """By the type alone; None where the lanes part, or begin in the middle of an element."""
    size = size_of(ctype)
    whole = not isinstance(ctype, Array) and size == width and align_of(ctype) == width and not is_row
    if whole and not offsets.any():
        return path
    if isinstance(ctype, Array):
        element = size_of(ctype.element)
        if not element:
            return None
        index = offsets // element
        inside = (*path, "[", index, "]")
        return _down(ctype.element, offsets - index * element, width, accessed, inside, is_row=is_row)
    if isinstance(ctype, Record) and not (is_row and ctype.kind == "vector"):
        ways = (_member(member, offsets, width, accessed, path, is_row=is_row) for member in ctype.members)
        return next((way for way in ways if way is not None), None)
    if offsets.any() or size is None or (size >= width and not is_row):
        return None
    return (f"*({accessed}*)&", *path)


def _member(member: Member, offsets: Ints, width: int, accessed: CType, path: Path, *, is_row: bool) -> Path | None:
    inside = offsets - member.offset
    if not inside.size or inside.min() < 0 or inside.max() >= (size_of(member.type) or 0):
        return None
    named = (*path, f".{member.name}") if member.name else path
    return _down(member.type, inside, width, accessed, named, is_row=is_row)


def _flat(name: str, ctype: CType, offsets: Ints, width: int, accessed: CType, *, is_row: bool) -> Path:
    """As if the variable were an array of what is accessed, or where lanes begin between such, of its elements or of
    bytes."""
    is_array = isinstance(ctype, Array)
    element = ctype
    while isinstance(element, Array):
        element = element.element
    size = size_of(element) or 1
    start = name if is_array else f"&{name}"
    is_simple = is_array and isinstance(ctype, Array) and not isinstance(ctype.element, Array)
    if size == align_of(element) == width and is_simple and not is_row and not (offsets % size).any():
        return (name, "[", offsets // width, "]")
    if not (offsets % width).any() and not is_row:
        return (f"(({accessed}*){start})[", offsets // width, "]")
    if not (offsets % size).any() and is_simple:
        return (f"*({accessed}*)&{name}[", offsets // size, "]")
    return (f"*({accessed}*)((char*){start} + (", offsets, "))")
