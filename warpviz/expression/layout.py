"""C types as CUDA lays them out on a 64-bit host (LP64): sizes, alignments and member offsets, in bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

MAX_OBJECT_BYTES = 1 << 47


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer type. rank orders types in C's usual arithmetic conversions; spelling is the C name."""

    kind: str
    size: int
    signed: bool
    rank: int
    spelling: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.spelling or self.kind

    @property
    def bits(self) -> int:
        return 8 * self.size


@dataclass(frozen=True, slots=True)
class Floating:
    """A floating-point type. Memory holds it, but no index is computed in it."""

    kind: str
    size: int
    spelling: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.spelling or self.kind


@dataclass(frozen=True, slots=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Pointer:
    target: CType

    def __str__(self) -> str:
        return spelled(self)


@dataclass(frozen=True, slots=True)
class Array:
    """count: None where the size is not known (`float s[]`)."""

    element: CType
    count: int | None

    def __str__(self) -> str:
        return spelled(self)


@dataclass(frozen=True, slots=True)
class Member:
    """offset: bytes from the start of the record. name: empty for an anonymous struct or union."""

    name: str
    type: CType
    offset: int


@dataclass(eq=False, slots=True)
class Record:
    """A struct, union, or CUDA vector type; the same type only as itself. size is None until it is completed."""

    kind: Literal["struct", "union", "vector"]
    tag: str
    members: tuple[Member, ...] = ()
    size: int | None = None
    align: int = 1

    def __str__(self) -> str:
        return self.tag if self.kind == "vector" else f"{self.kind} {self.tag or '(unnamed)'}"

    def complete(self, members: list[tuple[str, CType]], aligns: list[int], least_align: int = 1) -> None:
        """Lay the members out by C's rules; as in C++, no record is empty. aligns: of each member."""
        offset = end = 0
        self.align = max([least_align, *aligns])
        placed = []
        for (name, member), align in zip(members, aligns, strict=True):
            offset = 0 if self.kind == "union" else aligned(end, align)
            placed.append(Member(name, member, offset))
            end = max(end, offset + (size_of(member) or 0))
        self.members = tuple(placed)
        self.size = aligned(max(end, 1), self.align)

    def find(self, name: str) -> Member | None:
        """The member of this name, also through anonymous members, with its offset from this record's start."""
        for member in self.members:
            if member.name == name:
                return member
            if not member.name and isinstance(member.type, Record):
                inner = member.type.find(name)
                if inner is not None:
                    return Member(name, inner.type, member.offset + inner.offset)
        return None


CType = Integer | Floating | Void | Pointer | Array | Record

BOOL = Integer("bool", 1, False, 0)
CHAR = Integer("char", 1, True, 1)
SIGNED_CHAR = Integer("signed char", 1, True, 1)
UNSIGNED_CHAR = Integer("unsigned char", 1, False, 1)
SHORT = Integer("short", 2, True, 2)
UNSIGNED_SHORT = Integer("unsigned short", 2, False, 2)
INT = Integer("int", 4, True, 3)
UNSIGNED_INT = Integer("unsigned int", 4, False, 3)
LONG = Integer("long", 8, True, 4)
UNSIGNED_LONG = Integer("unsigned long", 8, False, 4)
LONG_LONG = Integer("long long", 8, True, 5)
UNSIGNED_LONG_LONG = Integer("unsigned long long", 8, False, 5)
FLOAT = Floating("float", 4)
DOUBLE = Floating("double", 8)
HALF = Floating("half", 2)
BFLOAT16 = Floating("__nv_bfloat16", 2)
VOID = Void()
POINTER_BYTES = 8


def aligned(offset: int, align: int) -> int:
    """The first multiple of align that is not before offset."""
    return -(-offset // align) * align


def size_of(ctype: CType) -> int | None:
    """Bytes, or None where C knows no size: void, an array without a count, a struct not yet defined."""
    if isinstance(ctype, Void):
        return None
    if isinstance(ctype, Pointer):
        return POINTER_BYTES
    if isinstance(ctype, Array):
        element = size_of(ctype.element)
        return None if element is None or ctype.count is None else element * ctype.count
    return ctype.size


def align_of(ctype: CType) -> int:
    """Bytes. A scalar is aligned to its own size."""
    if isinstance(ctype, Array):
        return align_of(ctype.element)
    if isinstance(ctype, Record):
        return ctype.align
    return size_of(ctype) or 1


def spelled(ctype: CType, declarator: str = "", name: Callable[[CType], str] = str) -> str:
    """The type in C, round a declarator: spelled(Array(INT, 3), "a") is `int a[3]`. name: of types without parts."""
    if isinstance(ctype, Pointer):
        inner = (
            f"* {declarator}"
            if declarator[:1].isidentifier() and not isinstance(ctype.target, Array)
            else f"*{declarator}"
        )
        return spelled(ctype.target, f"({inner})" if isinstance(ctype.target, Array) else inner, name)
    if isinstance(ctype, Array):
        count = "" if ctype.count is None else ctype.count
        return spelled(ctype.element, f"{declarator}[{count}]", name)
    if not declarator or declarator[0] in "*[":
        return f"{name(ctype)}{declarator}"
    return f"{name(ctype)} {declarator}"
