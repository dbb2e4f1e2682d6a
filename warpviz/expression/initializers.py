"""`{ … }` -> the scalar at each byte offset of an array or struct, by C's rules for left-out braces (C17 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import Array, CType, Integer, Pointer, Record, size_of
from warpviz.expression.syntax import Expression, InitializerList

Cells = dict[int, tuple[Integer | Pointer, Expression]]
Item = Expression | InitializerList


def table(ctype: CType, initializer: InitializerList) -> tuple[Cells, CType]:
    """The scalars of an initialised object by byte offset, and its type with the count that `[]` leaves open.

    Raises ExpressionError for more values than the object has room for.
    """
    cells: Cells = {}
    items = _Items(initializer)
    filled = _fill(ctype, 0, items, cells)
    if items.next is not None:
        raise ExpressionError("there are more values than the object has room for", items.next.place)
    if isinstance(ctype, Array) and ctype.count is None:
        return cells, Array(ctype.element, filled)
    return cells, ctype


class _Items:
    """The values of one `{ … }`, taken one after the other. next: the one to take, None at the end."""

    def __init__(self, initializer: InitializerList) -> None:
        self._rest: Iterator[Item] = iter(initializer.items)
        self.next: Item | None = next(self._rest, None)

    def advance(self) -> None:
        self.next = next(self._rest, None)


def _fill(ctype: CType, offset: int, items: _Items, cells: Cells) -> int:
    """Give the parts of an object their values as far as there are some; how many parts got one."""
    filled = 0
    for part, start in _parts(ctype, offset):
        if items.next is None:
            break
        filled += 1
        item = items.next
        if isinstance(item, InitializerList):
            items.advance()
            inner = _Items(item)
            _fill(part, start, inner, cells)
            if inner.next is not None:
                raise ExpressionError("there are more values than the braces have room for", inner.next.place)
        elif isinstance(part, Array | Record):
            _fill(part, start, items, cells)
        else:
            items.advance()
            if isinstance(part, Integer | Pointer):
                cells[start] = part, item
    return filled


def _parts(ctype: CType, offset: int) -> Iterator[tuple[CType, int]]:
    """The elements or members of an object, each with its byte offset; of a union the first; a scalar is its own."""
    if isinstance(ctype, Array):
        size = size_of(ctype.element) or 0
        index = 0
        while ctype.count is None or index < ctype.count:
            yield ctype.element, offset + index * size
            index += 1
    elif isinstance(ctype, Record):
        members = ctype.members[:1] if ctype.kind == "union" else ctype.members
        yield from ((member.type, offset + member.offset) for member in members)
    else:
        yield ctype, offset
