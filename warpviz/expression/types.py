"""Type syntax -> layout, once the constants in it (dimensions, alignments, enumerators) have values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from warpviz.expression import layout, syntax
from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import (
    MAX_OBJECT_BYTES,
    Array,
    CType,
    Floating,
    Integer,
    Pointer,
    Record,
    align_of,
    size_of,
)
from warpviz.expression.names import builtin_type
from warpviz.expression.source import clipped
from warpviz.expression.syntax import Expression, TypeSyntax

_MAX_ALIGN = 1 << 20


class TypeResolver:
    """Knows the typedefs, struct tags and enumerators that were declared so far.

    constant: the value of a constant expression; raises ExpressionError where it has none.
    enumerate_as: takes each enumerator's name and value.
    """

    def __init__(self, constant: Callable[[Expression], int], enumerate_as: Callable[[str, int], None]) -> None:
        self._constant = constant
        self._enumerate_as = enumerate_as
        self._typedefs: dict[str, CType] = {}
        self._tags: dict[str, Record | Integer] = {}
        self._resolved: dict[TypeSyntax, CType] = {}

    def declare(self, name: str, ctype: CType) -> None:
        """A typedef."""
        self._typedefs[name] = replace(ctype, spelling=name) if isinstance(ctype, Integer | Floating) else ctype

    def resolve(self, node: TypeSyntax) -> CType:
        """The layout of a type. Raises ExpressionError for one that C does not have."""
        known = self._resolved.get(node)
        if known is None:
            known = self._resolved[node] = self._resolve(node)
        return known

    def _resolve(self, node: TypeSyntax) -> CType:
        match node:
            case syntax.NamedType():
                return self._named(node)
            case syntax.PointerType(target=target):
                return Pointer(self.resolve(target))
            case syntax.ArrayType():
                return self._array(node)
            case syntax.RecordType():
                return self._record(node)
            case syntax.EnumType():
                return self._enum(node)

    def _named(self, node: syntax.NamedType) -> CType:
        if len(node.words) == 1:
            name = node.words[0]
            declared = self._typedefs.get(name) or builtin_type(node.words) or self._tags.get(name)
        else:
            declared = builtin_type(node.words)
        if declared is None:
            raise ExpressionError(f"{clipped(' '.join(node.words))} is not a type that is known here", node.place)
        return declared

    def _array(self, node: syntax.ArrayType) -> Array:
        element = self.resolve(node.element)
        size = size_of(element)
        if size is None:
            raise ExpressionError(f"an array of {element} has no layout; give the element's size", node.place)
        if node.count is None:
            return Array(element, None)
        count = self._constant(node.count)
        if count < 1:
            raise ExpressionError(f"a dimension is {count}; 1 is the least", node.count.place)
        if count * size > MAX_OBJECT_BYTES:
            raise ExpressionError(f"an array of {count} times {size} bytes is larger than any memory", node.count.place)
        return Array(element, count)

    def _record(self, node: syntax.RecordType) -> Record:
        known = self._tags.get(node.tag) if node.tag else None
        if node.members is None:
            record = known or self._tags.setdefault(node.tag, Record(node.kind, node.tag))
            if not isinstance(record, Record) or record.kind != node.kind:
                raise ExpressionError(f"{clipped(node.tag)} is no {node.kind}", node.place)
            return record
        if known is not None and (not isinstance(known, Record) or known.size is not None or known.kind != node.kind):
            raise ExpressionError(f"{node.kind} {clipped(node.tag)} is defined twice", node.place)
        record = known or Record(node.kind, node.tag)
        if node.tag:
            self._tags[node.tag] = record
        self._complete(record, node, node.members)
        return record

    def _complete(self, record: Record, node: syntax.RecordType, members: Iterable[syntax.MemberSyntax]) -> None:
        placed: list[tuple[str, CType]] = []
        aligns: list[int] = []
        for member in members:
            ctype = self.resolve(member.type)
            flexible = isinstance(ctype, Array) and ctype.count is None and record.kind == "struct"
            if size_of(ctype) is None and not flexible:
                raise ExpressionError(f"a member of type {ctype} has no size", member.place)
            if not member.name and (not isinstance(ctype, Record) or ctype.tag):
                continue  # `struct Q { … };` in a struct declares a type, not a member
            if any(name == member.name for name, _ in placed if name):
                raise ExpressionError(f"the member {clipped(member.name)} is there twice", member.place)
            placed.append((member.name, ctype))
            aligns.append(self.alignment(member.aligns, align_of(ctype)))
        record.complete(placed, aligns, self.alignment(node.aligns, 1))
        if (record.size or 0) > MAX_OBJECT_BYTES:
            raise ExpressionError(f"{record} is larger than any memory", node.place)

    def _enum(self, node: syntax.EnumType) -> Integer:
        """C++ promotes an enumerator to int (or to what holds it); its objects are ints here."""
        if node.enumerators is None:
            if not isinstance(self._tags.get(node.tag), Integer):
                raise ExpressionError(f"enum {clipped(node.tag)} is not declared", node.place)
            return layout.INT
        following = 0
        for name, value in node.enumerators:
            number = following if value is None else self._constant(value)
            if not -(1 << 31) <= number < 1 << 31:
                raise ExpressionError(f"the enumerator {clipped(name.name)} does not fit an int", name.place)
            self._enumerate_as(name.name, number)
            following = number + 1
        if node.tag:
            self._tags[node.tag] = layout.INT
        return layout.INT

    def alignment(self, aligns: Iterable[Expression], least: int) -> int:
        """The strictest of the alignments asked for and of least, in bytes."""
        for expression in aligns:
            align = self._constant(expression)
            if align < 1 or align & (align - 1) or align > _MAX_ALIGN:
                raise ExpressionError(
                    f"an alignment of {align} bytes is not a power of two from 1 up", expression.place
                )
            least = max(least, align)
        return least
