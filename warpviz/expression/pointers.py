"""C's rules for pointers: arithmetic, comparison, conversion, members."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpviz.expression import arithmetic, layout
from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import CType, Floating, Integer, Member, Pointer, Record, Void, size_of
from warpviz.expression.source import Place, clipped
from warpviz.expression.values import Address, Home, LValue, Mask, Number, Value


def sized(ctype: CType, place: Place) -> int:
    """Bytes of a type that must have a size."""
    size = size_of(ctype)
    if size is None:
        raise ExpressionError(f"{ctype} has no size; give one, or cast the pointer first", place)
    return size


def moved(pointer: Address, index: Number, sign: int, place: Place) -> Address:
    """pointer + sign * index, in elements of what it points to."""
    if isinstance(pointer.target, Void):
        raise ExpressionError("a void pointer has no element size; cast it first: (char*)p", place)
    step = np.int64(sign * sized(pointer.target, place))
    with np.errstate(over="ignore"):
        offsets = pointer.offsets + index.lanes.astype(np.int64) * step
    return Address(pointer.target, pointer.homes, offsets)


def apart(left: Address, right: Address) -> Mask:
    """The lanes in which two pointers point into different objects."""
    return np.array([a is not b for a, b in zip(left.homes, right.homes, strict=True)])


def compared(operator: str, left: Address, right: Address, place: Place) -> Number:
    """Two pointers into one object: their order, or (operator -) their distance in elements."""
    a, b = Number(layout.LONG, left.offsets), Number(layout.LONG, right.offsets)
    if operator != "-":
        return arithmetic.binary(operator, a, b)
    size = arithmetic.uniform(max(sized(left.target, place), 1), layout.LONG)
    return arithmetic.binary("/", arithmetic.binary("-", a, b), size)


def merged(chosen: Mask, yes: Address | LValue, no: Address | LValue) -> tuple[tuple[Home, ...], NDArray[np.int64]]:
    """Homes and offsets: of yes in the chosen lanes, of no in the others."""
    if yes.homes is no.homes or set(yes.homes) == set(no.homes) == {yes.homes[0]}:
        homes = yes.homes
    else:
        homes = tuple(a if first else b for first, a, b in zip(chosen.tolist(), yes.homes, no.homes, strict=True))
    return homes, np.where(chosen, yes.offsets, no.offsets)


def chosen(lanes: Mask, yes: Value, no: Value, place: Place) -> Value:
    """The value of yes in these lanes and of no in the others, in the type that the two have in common."""
    if isinstance(yes, Number) and isinstance(no, Number):
        ctype = arithmetic.common_type(yes.type, no.type)
        return Number(ctype, np.where(lanes, arithmetic.convert(yes, ctype).lanes, arithmetic.convert(no, ctype).lanes))
    if isinstance(yes, Address) and isinstance(no, Address):
        return Address(yes.target, *merged(lanes, yes, no))
    raise ExpressionError("this is a pointer in some lanes and a number in others; make it one of them", place)


def converted(value: Value, ctype: CType, place: Place) -> Value:
    """A value cast to a type. Raises ExpressionError for what has no integer or pointer value."""
    if isinstance(value, Number) and isinstance(ctype, Integer):
        return arithmetic.convert(value, ctype)
    if isinstance(value, Address) and isinstance(ctype, Pointer):
        return Address(ctype.target, value.homes, value.offsets)
    if isinstance(ctype, Floating):
        raise ExpressionError(f"a {ctype} value is not computed here; an index is an integer", place)
    if isinstance(value, Address) and isinstance(ctype, Integer):
        raise ExpressionError("a pointer's bits are not known here; count bytes on a char pointer: (char*)p + n", place)
    if isinstance(ctype, Pointer):
        raise ExpressionError(
            "a number has no memory space as an address; begin with a declared array or pointer", place
        )
    raise ExpressionError(f"a value cannot become {ctype}", place)


def member(ctype: CType, name: str, place: Place) -> Member:
    """The member of a struct, union or vector type."""
    if not isinstance(ctype, Record):
        raise ExpressionError(f"{ctype} has no members; .{clipped(name)} needs a struct", place)
    if ctype.size is None:
        raise ExpressionError(f"{ctype} is not defined; give its members", place)
    found = ctype.find(name)
    if found is None:
        raise ExpressionError(f"{ctype} has no member {clipped(name)}", place)
    return found
