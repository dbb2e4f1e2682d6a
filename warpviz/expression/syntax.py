"""The tree of a pattern: what the parser makes of the texts, before any name has a value.

Every node has the place in the user's text where it begins. Nodes compare by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from warpviz.expression.layout import Integer
from warpviz.expression.source import Place
from warpviz.hardware import Space


@dataclass(frozen=True, eq=False, slots=True)
class Constant:
    place: Place
    value: int
    type: Integer


@dataclass(frozen=True, eq=False, slots=True)
class Unsupported:
    """Something that C has and this language has not; it is an error only where its value is needed."""

    place: Place
    sentence: str


@dataclass(frozen=True, eq=False, slots=True)
class Name:
    place: Place
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Unary:
    """operator: one of + - ~ ! * &"""

    place: Place
    operator: str
    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Binary:
    """operator: C's arithmetic, shift, comparison, bitwise and logical ones, and the comma."""

    place: Place
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Conditional:
    place: Place
    condition: Expression
    when_true: Expression
    when_false: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Subscript:
    place: Place
    base: Expression
    index: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Select:
    """base.member; arrow: base->member. member_place: where the member's name stands."""

    place: Place
    base: Expression
    member: str
    arrow: bool
    member_place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Cast:
    place: Place
    type: TypeSyntax
    operand: Expression


@dataclass(frozen=True, eq=False, slots=True)
class SizeOf:
    """what: sizeof or alignof."""

    place: Place
    what: Literal["sizeof", "alignof"]
    operand: Expression | TypeSyntax


@dataclass(frozen=True, eq=False, slots=True)
class OffsetOf:
    place: Place
    type: TypeSyntax
    member: str


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    place: Place
    function: str
    arguments: tuple[Expression, ...]


Expression = (
    Constant | Unsupported | Name | Unary | Binary | Conditional | Subscript | Select | Cast | SizeOf | OffsetOf | Call
)


@dataclass(frozen=True, eq=False, slots=True)
class NamedType:
    """words: a typedef's or built-in type's name (`("unsigned", "int")`)."""

    place: Place
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class PointerType:
    place: Place
    target: TypeSyntax


@dataclass(frozen=True, eq=False, slots=True)
class ArrayType:
    """count: None for `[]`."""

    place: Place
    element: TypeSyntax
    count: Expression | None


@dataclass(frozen=True, eq=False, slots=True)
class RecordType:
    """members: None where the type is only named (`struct P p;`). aligns: of the whole record."""

    place: Place
    kind: Literal["struct", "union"]
    tag: str
    members: tuple[MemberSyntax, ...] | None
    aligns: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class EnumType:
    place: Place
    tag: str
    enumerators: tuple[tuple[Name, Expression | None], ...] | None


TypeSyntax = NamedType | PointerType | ArrayType | RecordType | EnumType


@dataclass(frozen=True, eq=False, slots=True)
class MemberSyntax:
    place: Place
    name: str
    type: TypeSyntax
    aligns: tuple[Expression, ...]


@dataclass(frozen=True, eq=False, slots=True)
class InitializerList:
    """`{ … }`"""

    place: Place
    items: tuple[Expression | InitializerList, ...]


@dataclass(frozen=True, eq=False, slots=True)
class TypeDeclaration:
    """A typedef, or (name empty) the bare declaration of a struct, union or enum."""

    place: Place
    name: str
    type: TypeSyntax


@dataclass(frozen=True, eq=False, slots=True)
class ObjectDeclaration:
    """space: from its qualifier, None without one. reference: `float& name = initializer;`"""

    place: Place
    name: str
    type: TypeSyntax
    space: Space | None
    extern: bool
    aligns: tuple[Expression, ...]
    initializer: Expression | InitializerList | None
    reference: bool


Declaration = TypeDeclaration | ObjectDeclaration


@dataclass(frozen=True, eq=False, slots=True)
class Unit:
    """One pattern's texts as trees. where: None means every lane."""

    declarations: tuple[Declaration, ...]
    where: Expression | None
    lvalue: Expression


Node = Expression | TypeSyntax | MemberSyntax | InitializerList | Declaration


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of the text."""
    match node:
        case Unary(operand=a) | PointerType(target=a) | TypeDeclaration(type=a) | SizeOf(operand=a) | OffsetOf(type=a):
            yield a
        case Binary(left=a, right=b) | Subscript(base=a, index=b) | Cast(type=a, operand=b):
            yield from (a, b)
        case Conditional(condition=a, when_true=b, when_false=c):
            yield from (a, b, c)
        case Select(base=a):
            yield a
        case Call(arguments=nodes) | InitializerList(items=nodes):
            yield from nodes
        case ArrayType(element=a, count=count):
            parts = (count, a) if isinstance(a, ArrayType) else (a, count)
            yield from (part for part in parts if part is not None)
        case RecordType(members=members, aligns=aligns):
            yield from (*aligns, *(members or ()))
        case EnumType(enumerators=enumerators):
            yield from (value for _, value in enumerators or () if value is not None)
        case MemberSyntax(type=a, aligns=aligns):
            yield from (*aligns, a)
        case ObjectDeclaration(type=a, aligns=aligns, initializer=initializer):
            yield from (*aligns, a)
            if initializer is not None:
                yield initializer
