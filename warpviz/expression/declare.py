"""Declarations -> what their names stand for, once the names without a value have one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpviz.expression import arithmetic, layout, syntax
from warpviz.expression.dialect import AUTO
from warpviz.expression.errors import ExpressionError
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.initializers import table
from warpviz.expression.launch import thread_names
from warpviz.expression.layout import Array, CType, Integer, Pointer, Record, align_of, size_of
from warpviz.expression.literals import literal_type
from warpviz.expression.pattern import Pattern
from warpviz.expression.scope import Names
from warpviz.expression.source import Place, clipped
from warpviz.expression.syntax import Expression, InitializerList, ObjectDeclaration
from warpviz.expression.values import NO_LANE, Address, LocalObject, LValue, MemoryObject
from warpviz.hardware import LANES, Space

_POINTER_ALIGN = 1024
_UNDECLARED_EXTENT = 32
MEMORY_NAMES: dict[Space, str] = {"shared": "shared memory", "global": "global memory", "const": "constant memory"}


class Declarations:
    """Gives the evaluator what the names stand for. values: of the names that need one, checked to be there.

    objects: what lies in memory, in the order of declaration. assumptions: sentences on what was left open.
    """

    def __init__(self, evaluator: Evaluator, pattern: Pattern, names: Names, values: Mapping[str, int]) -> None:
        self._evaluator = evaluator
        self._values = values
        self._open_space: Space = pattern.space or "shared"
        self.objects: list[MemoryObject] = []
        self.assumptions: list[str] = []
        evaluator.entities.update(thread_names(pattern.launch))
        for name in names.free.keys() - names.declared.keys():
            evaluator.entities[name] = arithmetic.uniform(values[name], literal_type(values[name]))
        self._undeclared = [self._assumed(name, array.rank, array.place) for name, array in names.arrays.items()]

    def run(self, declarations: tuple[syntax.Declaration, ...]) -> None:
        """All of them, in order. Raises ExpressionError."""
        for declaration in declarations:
            if isinstance(declaration, ObjectDeclaration):
                self._object(declaration)
            else:
                ctype = self._evaluator.types.resolve(declaration.type)
                if declaration.name:
                    self._evaluator.types.declare(declaration.name, ctype)
        self.objects += self._undeclared

    def _assumed(self, name: str, rank: int, place: Place) -> MemoryObject:
        """An array that is not declared."""
        ctype = assumed_type(rank)
        home = MemoryObject(name, ctype, self._open_space, layout.FLOAT.size, place)
        self._evaluator.entities[name] = home
        self.assumptions.append(
            f"{name} is not declared: {layout.spelled(ctype, name)} in {MEMORY_NAMES[self._open_space]}"
        )
        return home

    def _object(self, node: ObjectDeclaration) -> None:
        entities = self._evaluator.entities
        if node.reference:
            if node.initializer is None or isinstance(node.initializer, InitializerList):
                raise ExpressionError(f"the reference {clipped(node.name)} needs what it refers to: = …", node.place)
            entities[node.name] = node.initializer
        elif node.space is not None or node.extern:
            self._memory(node, self._evaluator.types.resolve(node.type))
        elif node.initializer is not None:
            entities[node.name] = self._initialized(node, node.initializer)
        else:
            self._bare(node, self._evaluator.types.resolve(node.type))

    def _memory(self, node: ObjectDeclaration, ctype: CType) -> None:
        """An object in a memory space, its own or the one that is assumed."""
        space = node.space or self._open_space
        if node.space is None:
            self.assumptions.append(f"{node.name} has no memory qualifier: it is taken to be in {MEMORY_NAMES[space]}")
        if isinstance(ctype, Array) and ctype.count is None and isinstance(node.initializer, InitializerList):
            _, ctype = table(ctype, node.initializer)
        if size_of(ctype) is None and not isinstance(ctype, Array):
            raise ExpressionError(f"{clipped(node.name)} is {ctype}, which has no size", node.place)
        align = self._evaluator.types.alignment(node.aligns, align_of(ctype))
        home = MemoryObject(node.name, ctype, space, align, node.place)
        self.objects.append(home)
        self._evaluator.entities[node.name] = home

    def _bare(self, node: ObjectDeclaration, ctype: CType) -> None:
        """A declaration with neither qualifier nor value: an integer to set, a pointer to global memory, an array."""
        entities = self._evaluator.entities
        if isinstance(ctype, Integer):
            if node.name in self._values:
                entities[node.name] = arithmetic.uniform(self._values[node.name], ctype)
        elif isinstance(ctype, Pointer):
            target = MemoryObject(node.name, Array(ctype.target, None), "global", _POINTER_ALIGN, node.place)
            self.objects.append(target)
            start = Address(ctype.target, (target,) * LANES, np.zeros(LANES, np.int64))
            entities[node.name] = LocalObject(node.name, ctype, {0: (ctype, start)})
        else:
            self._memory(node, ctype)

    def _initialized(
        self, node: ObjectDeclaration, initializer: Expression | InitializerList
    ) -> LocalObject | Expression:
        """A local variable. One whose value is no integer or pointer has no cells: it is known, but not its value."""
        auto = _is_auto(node.type)
        if isinstance(initializer, InitializerList):
            if auto:
                raise ExpressionError(f"auto takes no list; give {clipped(node.name)} a type", node.place)
            cells, ctype = table(self._evaluator.types.resolve(node.type), initializer)
            return LocalObject(node.name, ctype, cells)
        ctype = self._evaluator.decayed_type(initializer) if auto else self._evaluator.types.resolve(node.type)
        if isinstance(ctype, Record) and self._is_local(initializer):
            return initializer  # a copy of something that never changes is that thing
        if isinstance(ctype, Integer | Pointer):
            return LocalObject(node.name, ctype, {0: (ctype, initializer)})
        if isinstance(ctype, Array):
            raise ExpressionError(f"the array {clipped(node.name)} needs its values in braces", initializer.place)
        return LocalObject(node.name, ctype, {})

    def _is_local(self, node: Expression) -> bool:
        result = self._evaluator.evaluate(node, NO_LANE)
        return isinstance(result, LValue) and all(isinstance(home, LocalObject) for home in result.homes)


def assumed_type(rank: int) -> Array:
    """Of an array that is not declared: float, and square where it has two subscripts."""
    if rank == 1:
        return Array(layout.FLOAT, None)
    return Array(Array(layout.FLOAT, _UNDECLARED_EXTENT), _UNDECLARED_EXTENT)


def _is_auto(node: syntax.TypeSyntax) -> bool:
    return isinstance(node, syntax.NamedType) and node.words == (AUTO,)
