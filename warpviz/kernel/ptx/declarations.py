"""Variables and parameters: their types, sizes, places and first values."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from warpviz.kernel.ptx.literals import number_of
from warpviz.kernel.ptx.syntax import Parameter, Variable
from warpviz.kernel.ptx.tokens import Tokens

SPACES = (".global", ".const", ".shared", ".local", ".param")

_WIDTHS = {8: "bsu", 16: "bsu", 32: "bsuf", 64: "bsuf", 128: "b"}  # bits: kinds
_SIZES = {f"{kind}{bits}": bits // 8 for bits, kinds in _WIDTHS.items() for kind in kinds}  # bytes
_SIZES |= {"f16": 2, "bf16": 2, "f16x2": 4, "bf16x2": 4, "tf32": 4, "texref": 8, "samplerref": 8, "surfref": 8}
_VECTORS = {".v2": 2, ".v4": 4, ".v8": 8}
_LARGEST = 1 << 48  # bytes: more than any GPU can address
_MOST_INITIALISED = 1 << 28  # bytes

REGISTER_TYPES = frozenset({*_SIZES, "pred"})


@dataclass
class _Shape:
    """What stands before a variable's name. scalar: bytes of one number; count: numbers of a vector."""

    type: str = ""
    scalar: int = 0
    count: int = 1
    align: int = 0
    is_pointer: bool = False


@dataclass
class _Contents:
    """The first values of a variable, as far as they are read. data: its bytes, all of them."""

    data: bytearray
    addresses: list[tuple[int, str, int]] = field(default_factory=list)


def read_variables(tokens: Tokens, space: str) -> Iterator[Variable]:
    """The rest of a declaration, after the directive of its space, to its semicolon. Raises PtxError.

    space: the directive, such as ".shared".
    """
    shape = _read_shape(tokens)
    while True:
        yield _read_variable(tokens, space.removeprefix("."), shape)
        if not tokens.accept(","):
            break
    tokens.expect(";")


def read_parameters(tokens: Tokens) -> tuple[Parameter, ...]:
    """`(…)`, each at the next offset that its alignment allows. Raises PtxError."""
    parameters: list[Parameter] = []
    end = 0
    tokens.expect("(")
    while not tokens.accept(")"):
        if parameters:
            tokens.expect(",")
        if not tokens.accept(".param"):
            tokens.fail("a parameter begins with .param")
        shape = _read_shape(tokens)
        name, dimensions = tokens.take(), _read_dimensions(tokens)
        size = _size(tokens, shape, dimensions)
        offset = -(-end // shape.align) * shape.align
        parameters.append(Parameter(name, shape.type, offset, size, shape.align, shape.is_pointer))
        end = offset + size
    return tuple(parameters)


def _read_shape(tokens: Tokens) -> _Shape:
    """.align, a vector and a type, in any order: `.align 8 .b8`, `.v4 .f32`, `.u64 .ptr .global .align 4`."""
    shape = _Shape()
    while tokens.next.startswith("."):
        word = tokens.take()
        if word == ".align":
            align = read_count(tokens)
            if align.bit_count() != 1:
                tokens.refuse(f"an alignment is a power of two, and {align} is none")
            shape.align = 0 if shape.is_pointer else align  # of a pointer it is that of what it points to
        elif word == ".ptr":
            shape.is_pointer = True
        elif word == ".attribute":
            tokens.skip_past(")")
        elif word in _VECTORS:
            shape.count = _VECTORS[word]
        elif word[1:] in _SIZES:
            shape.type, shape.scalar = word[1:], _SIZES[word[1:]]
        elif not (shape.is_pointer and word in SPACES):
            tokens.refuse(f"{word} is no type of a variable")
    if not shape.type:
        tokens.fail("a declaration without a type")
    shape.align = shape.align or shape.scalar * shape.count
    return shape


def _read_variable(tokens: Tokens, space: str, shape: _Shape) -> Variable:
    name, dimensions = tokens.take(), _read_dimensions(tokens)
    size = _size(tokens, shape, dimensions)
    if not tokens.accept("="):
        return Variable(name, space, size, shape.align)
    if size > _MOST_INITIALISED:
        tokens.refuse(f"{name} is initialised and has {size} bytes; the most that is read is {_MOST_INITIALISED}")
    contents = _Contents(bytearray(size))
    levels = (*dimensions, shape.count) if shape.count > 1 else dimensions
    _read_values(tokens, shape, levels, contents)
    initial = bytes(contents.data) if any(contents.data) else b""
    return Variable(name, space, size, shape.align, initial, tuple(contents.addresses))


def _read_dimensions(tokens: Tokens) -> tuple[int, ...]:
    """`[3][5]`: (3, 5); `[]`: (0,), as its size is given elsewhere."""
    dimensions = []
    while tokens.accept("["):
        dimensions.append(0 if tokens.next == "]" else read_count(tokens))
        tokens.expect("]")
    return tuple(dimensions)


def _size(tokens: Tokens, shape: _Shape, dimensions: tuple[int, ...]) -> int:
    """In bytes."""
    size = shape.scalar * shape.count * math.prod(dimensions)
    if size > _LARGEST:
        tokens.refuse(f"an array of more than {_LARGEST} bytes")
    return size


def _read_values(tokens: Tokens, shape: _Shape, dimensions: tuple[int, ...], contents: _Contents) -> None:
    """The values in nested braces, row by row: a row that ends early is filled with zeros.

    In what follows a place is that of a number among all numbers, and starts are those of the rows that are open, the
    outermost first.
    """
    strides = [math.prod(dimensions[level + 1 :]) for level in range(len(dimensions))]
    starts: list[int] = []
    place = 0
    while True:
        while tokens.accept("{"):
            if len(starts) == len(strides):
                tokens.refuse("more braces than the variable has dimensions")
            starts.append(place)
        if tokens.next != "}":
            _read_value(tokens, shape, place, contents)
            place += 1
        while starts and tokens.accept("}"):
            level = len(starts)
            start = starts.pop()
            place = start + dimensions[level - 1] * strides[level - 1]
        if not starts:
            return
        tokens.expect(",")


def _read_value(tokens: Tokens, shape: _Shape, place: int, contents: _Contents) -> None:
    """A number, or an address: `symbol`, `symbol+8`, `generic(symbol)+8`."""
    offset = place * shape.scalar
    if offset + shape.scalar > len(contents.data):
        tokens.fail("more values than the variable has room for")
    if tokens.next == "-" or tokens.next[:1].isdigit():
        contents.data[offset : offset + shape.scalar] = _encode(tokens, shape, read_number(tokens))
        return
    name = tokens.take()
    if name == "generic" and tokens.accept("("):
        name = tokens.take()
        tokens.expect(")")
    addend = 0
    while tokens.next in ("+", "-"):
        addend += read_offset(tokens)
    if shape.scalar != 8:
        tokens.refuse(f"the address of {name} is stored in {shape.scalar} bytes, not 8")
    contents.addresses.append((offset, name, addend))


def _encode(tokens: Tokens, shape: _Shape, value: int | float) -> bytes:
    """Little-endian. A real number in a variable of bits is stored as the float of that size."""
    if isinstance(value, int) and not shape.type.startswith("f"):
        return (value % (1 << 8 * shape.scalar)).to_bytes(shape.scalar, "little")
    if shape.type not in ("f32", "b32", "f64", "b64"):
        tokens.refuse(f"{value} is a value of type {shape.type}, which holds no such number")
    try:
        return struct.pack("<f" if shape.scalar == 4 else "<d", value)
    except OverflowError:
        tokens.refuse(f"{value} is too large for type {shape.type}")


def read_offset(tokens: Tokens) -> int:
    """`+8`, `-8` or `+-8`, in bytes. Raises PtxError."""
    negative = tokens.take() == "-"
    value = read_number(tokens)
    if isinstance(value, float):
        tokens.refuse(f"an offset is a whole number of bytes, not {value}")
    return -value if negative else value


def read_count(tokens: Tokens) -> int:
    """A number of something. Raises PtxError when it is none."""
    value = read_number(tokens)
    if isinstance(value, float) or value < 0:
        tokens.refuse(f"a count is a whole number, not {value}")
    return value


def read_number(tokens: Tokens) -> int | float:
    """A number with its sign. Raises PtxError when it is none."""
    negative = tokens.accept("-")
    text = tokens.next
    value = number_of(text)
    if value is None:
        tokens.fail(f"{text or 'the end of the text'} is no number of at most 64 bits")
    tokens.take()
    return -value if negative else value
