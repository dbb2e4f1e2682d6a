"""Where an access falls: the array behind its last index, with what is needed to lay that array out anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from warpviz.expression import syntax
from warpviz.expression.errors import ExpressionError
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.evaluation import Evaluation
from warpviz.expression.layout import Array, CType, Record, size_of
from warpviz.expression.parser import parse_texts
from warpviz.expression.pattern import Pattern
from warpviz.expression.program import Program
from warpviz.expression.rewrite import last_subscript
from warpviz.expression.source import clipped
from warpviz.expression.syntax import Expression, TypeSyntax, Unit
from warpviz.expression.values import LValue, Mask, MemoryObject, active
from warpviz.hardware import Space


@dataclass(frozen=True, eq=False)
class Site:
    """The array that every active lane of a pattern falls in.

    type: of what a lane touches. path: how C names the array (`tile`, `block.tile`). extents: elements along each
    dimension, outermost first; None where the first has no count. element, element_bytes: of the innermost dimension.
    step_bytes: what one more of the last index adds to the address; without an index, the bytes that a lane touches.
    start: the array's first byte in its space. offsets: int64, shape (32,), bytes from there. active: bool, shape
    (32,). counts: the dimensions as they are declared, None where one has no text. assumed: the array is not declared.
    """

    pattern: Pattern
    unit: Unit
    type: CType
    path: str
    space: Space
    extents: tuple[int | None, ...]
    element: CType
    element_bytes: int
    step_bytes: int
    start: int
    offsets: NDArray[np.int64]
    active: Mask
    counts: tuple[Expression | None, ...]
    assumed: bool

    @property
    def count(self) -> Expression | None:
        """The innermost dimension as it is declared."""
        return self.counts[-1]

    @property
    def row_bytes(self) -> int | None:
        """Bytes along the innermost dimension; None where it has no count."""
        return None if self.extents[-1] is None else self.extents[-1] * self.element_bytes

    @property
    def size_bytes(self) -> int | None:
        """Bytes of the whole array; None where it has no count."""
        if self.extents[0] is None:
            return None
        return prod(extent or 0 for extent in self.extents) * self.element_bytes

    def dimension_names(self) -> frozenset[str]:
        """The names in the innermost dimension, also through the locals that it is computed from."""
        return self._names_in(self.counts[-1:])

    def extent_names(self) -> frozenset[str]:
        """The names in all dimensions."""
        return self._names_in(self.counts)

    def _names_in(self, counts: tuple[Expression | None, ...]) -> frozenset[str]:
        initial = {
            d.name: d.initializer
            for d in self.unit.declarations
            if isinstance(d, syntax.ObjectDeclaration) and d.initializer is not None
        }
        found: set[str] = set()
        pending: list[syntax.Node] = [count for count in counts if count is not None]
        while pending:
            node = pending.pop()
            pending += syntax.children(node)
            if isinstance(node, syntax.Name) and node.name not in found:
                found.add(node.name)
                pending += [initial[node.name]] if node.name in initial else []
        return frozenset(found)


def site_of(pattern: Pattern, values: Mapping[str, int]) -> Site:
    """Raises ExpressionError for texts that do not evaluate, and where lanes fall in several arrays or in none."""
    return site_in(pattern, Program(pattern, *parse_texts(pattern)).evaluate(values))


def site_in(pattern: Pattern, evaluation: Evaluation) -> Site:
    """The site of an evaluated pattern. Raises ExpressionError where lanes fall in several arrays or in none."""
    unit, evaluator, lvalue = evaluation.unit, evaluation.evaluator, evaluation.lvalue
    mask = evaluation.access.active[0]
    home = _home(lvalue, mask, unit)
    declaration = next(
        (d for d in unit.declarations if isinstance(d, syntax.ObjectDeclaration) and d.name == home.name), None
    )
    array = _descend(_Types(unit), home, declaration, lvalue.offsets[mask])
    step = _step_bytes(evaluator, unit.lvalue)
    element_bytes = size_of(array.element)
    if not step or not element_bytes:
        raise ExpressionError(f"{clipped(home.name)} has elements without a size", unit.lvalue.place)
    return Site(
        pattern,
        unit,
        lvalue.type,
        array.path,
        home.space,
        tuple(array.extents),
        array.element,
        element_bytes,
        step,
        evaluation.bases[home] + array.origin,
        lvalue.offsets - array.origin,
        mask,
        tuple(array.counts),
        declaration is None,
    )


def _step_bytes(evaluator: Evaluator, lvalue: Expression) -> int | None:
    try:
        return size_of(evaluator.type_of(last_subscript(lvalue)))
    except ExpressionError:  # no index to step
        return size_of(evaluator.type_of(lvalue))


def _home(lvalue: LValue, mask: Mask, unit: Unit) -> MemoryObject:
    place = unit.lvalue.place
    reached = list(dict.fromkeys(active(lvalue.homes, mask)))
    homes = [home for home in reached if isinstance(home, MemoryObject)]
    if not homes:
        raise ExpressionError("no lane reaches an array in memory", place)
    if len(reached) > 1:
        raise ExpressionError(
            f"the lanes fall in {clipped(homes[0].name)} and {clipped(reached[1].name)} at once", place
        )
    return homes[0]


@dataclass(frozen=True, eq=False)
class _ArrayAt:
    path: str
    origin: int
    extents: list[int | None]
    element: CType
    counts: list[Expression | None]


def _descend(
    types: _Types, home: MemoryObject, declaration: syntax.ObjectDeclaration | None, offsets: NDArray[np.int64]
) -> _ArrayAt:
    """From the object through its members to the array that all offsets (bytes from the object's start) are in."""
    ctype, path, origin = home.type, home.name, 0
    node = declaration.type if declaration is not None else None
    while isinstance(ctype, Record) and ctype.kind == "struct":
        inside = offsets - origin
        member = next((m for m in reversed(ctype.members) if m.offset <= inside.min()), None)
        if member is None or not member.name or (inside >= member.offset + (size_of(member.type) or 0)).any():
            break
        node = types.member(node, member.name)
        ctype, path, origin = member.type, f"{path}.{member.name}", origin + member.offset
    if not isinstance(ctype, Array):
        raise ExpressionError(f"{clipped(path)} is no array", home.place)
    extents: list[int | None] = []
    counts: list[Expression | None] = []
    while isinstance(ctype, Array):
        extents.append(ctype.count)
        node = types.definition(node)
        count, node = (node.count, node.element) if isinstance(node, syntax.ArrayType) else (None, None)
        counts.append(count)
        ctype = ctype.element
    return _ArrayAt(path, origin, extents, ctype, counts)


class _Types:
    """The definitions of the types that a pattern names."""

    def __init__(self, unit: Unit) -> None:
        self._typedefs = {d.name: d.type for d in unit.declarations if isinstance(d, syntax.TypeDeclaration)}
        records = [node for d in unit.declarations for node in _records(d)]
        self._tags = {node.tag: node for node in records if node.members is not None}

    def definition(self, node: TypeSyntax | None) -> TypeSyntax | None:
        """What a name of a type stands for; any other type is its own definition."""
        while isinstance(node, syntax.NamedType) and node.words[-1] in self._typedefs:
            node = self._typedefs[node.words[-1]]
        if isinstance(node, syntax.NamedType):
            return self._tags.get(node.words[-1], node)
        if isinstance(node, syntax.RecordType) and node.members is None:
            return self._tags.get(node.tag, node)
        return node

    def member(self, node: TypeSyntax | None, name: str) -> TypeSyntax | None:
        """The type of a struct's member."""
        record = self.definition(node)
        members = record.members or () if isinstance(record, syntax.RecordType) else ()
        return next((member.type for member in members if member.name == name), None)


def _records(node: syntax.Node) -> Iterator[syntax.RecordType]:
    if isinstance(node, syntax.RecordType):
        yield node
    if isinstance(node, syntax.TypeDeclaration | syntax.ObjectDeclaration | syntax.MemberSyntax | TypeSyntax):
        for child in syntax.children(node):
            yield from _records(child)
