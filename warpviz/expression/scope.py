"""What the names of a pattern mean: read from the tree alone, before any of them has a value."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpviz.expression import syntax
from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import Integer
from warpviz.expression.names import builtin_type
from warpviz.expression.source import Place, clipped
from warpviz.expression.syntax import Expression, Node, TypeSyntax, Unit, children

THREAD_NAMES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
BUILTIN_NAMES = frozenset([*THREAD_NAMES, "warpSize", "lane"])

_MAX_UNDECLARED_RANK = 2


@dataclass(slots=True)
class UndeclaredArray:
    """rank: how many subscripts follow its name, at least 1. place: where it is first used."""

    rank: int
    place: Place


@dataclass(slots=True)
class Names:
    """free: names that need a number, in order of first appearance, with the place of that.

    arrays: names that are used as arrays without a declaration. declared: all that a declaration names.
    settable: declared integers that get their value from outside (`int n;`).
    """

    free: dict[str, Place] = field(default_factory=dict)
    arrays: dict[str, UndeclaredArray] = field(default_factory=dict)
    declared: dict[str, Place] = field(default_factory=dict)
    settable: set[str] = field(default_factory=set)


def find_names(unit: Unit) -> Names:
    """Raises ExpressionError for a name declared twice, used before its declaration, or used in two ways."""
    finder = _Finder()
    for declaration in unit.declarations:
        finder.declare(declaration)
    if unit.where is not None:
        finder.visit(unit.where)
    finder.visit_lvalue(unit.lvalue)
    return finder.names


class _Finder:
    def __init__(self) -> None:
        self.names = Names()
        self._typedefs: dict[str, TypeSyntax] = {}
        self._visited: set[syntax.RecordType | syntax.EnumType] = set()

    def declare(self, declaration: syntax.Declaration) -> None:
        """What a declaration uses, then what it names."""
        self.visit(declaration)
        if isinstance(declaration, syntax.TypeDeclaration):
            if declaration.name:
                self._typedefs[declaration.name] = self._underlying(declaration.type)
            return
        self._name(declaration.name, declaration.place)
        if self.is_parameter(declaration):
            self.names.settable.add(declaration.name)

    def is_parameter(self, declaration: syntax.ObjectDeclaration) -> bool:
        """An integer variable without a qualifier and a value (`int n;`) is one that --set gives a value."""
        if declaration.initializer is not None or declaration.space is not None or declaration.extern:
            return False
        ctype = self._underlying(declaration.type)
        if isinstance(ctype, syntax.NamedType):
            return isinstance(builtin_type(ctype.words), Integer)
        return isinstance(ctype, syntax.EnumType)

    def _underlying(self, ctype: TypeSyntax) -> TypeSyntax:
        """What a typedef's name stands for."""
        return self._typedefs.get(ctype.words[0], ctype) if isinstance(ctype, syntax.NamedType) else ctype

    def _name(self, name: str, place: Place) -> None:
        if name in self.names.declared:
            raise ExpressionError(f"{clipped(name)} is declared twice; rename one", place)
        earlier = self.names.free.get(name) or (self.names.arrays[name].place if name in self.names.arrays else None)
        if earlier is not None:
            raise ExpressionError(f"{clipped(name)} is used before it is declared; move its declaration up", earlier)
        self.names.declared[name] = place

    def visit_lvalue(self, node: Expression) -> None:
        """The whole expression: a name alone is meant as memory, not as a number."""
        if isinstance(node, syntax.Name) and self._unknown(node.name):
            name = clipped(node.name)
            raise ExpressionError(f"{name} is not declared; declare it, or index it: {name}[lane]", node.place)
        self.visit(node)

    def visit(self, node: Node) -> None:
        """Every name in a tree, as the number or the array that its place asks for."""
        if isinstance(node, syntax.RecordType | syntax.EnumType):
            if node in self._visited:  # `enum { A } x, y;` has one type in two declarations
                return
            self._visited.add(node)
        match node:
            case syntax.Name():
                self._number(node)
            case syntax.Subscript():
                self._subscript(node)
            case syntax.Unary(operator="*", operand=operand) | syntax.Unary(operator="&", operand=operand):
                self._pointer(operand)
            case syntax.Cast(type=syntax.PointerType() as ctype, operand=operand):
                self.visit(ctype)
                self._pointer(operand)
            case syntax.ObjectDeclaration(type=syntax.PointerType(), initializer=initializer):
                self._pointer_declaration(node, initializer)
            case syntax.Select(base=base):
                self._selected(node, base)
            case syntax.EnumType(enumerators=enumerators):
                for name, value in enumerators or ():
                    if value is not None:
                        self.visit(value)
                    self._name(name.name, name.place)
            case _:
                for child in children(node):
                    self.visit(child)

    def _unknown(self, name: str) -> bool:
        return name not in self.names.declared and name not in BUILTIN_NAMES

    def _number(self, node: syntax.Name) -> None:
        name = node.name
        if name in self.names.arrays:
            raise _two_ways(name, node.place)
        if self._unknown(name) or name in self.names.settable:
            self.names.free.setdefault(name, node.place)

    def _array(self, node: syntax.Name, rank: int) -> None:
        if not self._unknown(node.name):
            self._number(node)
            return
        if node.name in self.names.free:
            raise _two_ways(node.name, node.place)
        if rank > _MAX_UNDECLARED_RANK:
            raise ExpressionError(
                f"{clipped(node.name)} is not declared; an array of rank {rank} needs a declaration", node.place
            )
        array = self.names.arrays.setdefault(node.name, UndeclaredArray(rank, node.place))
        array.rank = max(array.rank, rank)

    def _subscript(self, node: syntax.Subscript) -> None:
        indices: list[Expression] = []
        base: Expression = node
        while isinstance(base, syntax.Subscript):
            indices.append(base.index)
            base = base.base
        if isinstance(base, syntax.Name):
            self._array(base, len(indices))
        else:
            self._pointer(base)
        for index in reversed(indices):
            self.visit(index)

    def _pointer(self, operand: Expression) -> None:
        """What stands where a pointer is needed: in `*(s + …)` and `(float4*)(s + …)` the first of the sum."""
        first, steps = operand, []
        while isinstance(first, syntax.Binary) and first.operator in ("+", "-"):
            steps.append(first.right)
            first = first.left
        if isinstance(first, syntax.Name):
            self._array(first, 1)
        else:
            self.visit(first)
        for step in reversed(steps):
            self.visit(step)

    def _pointer_declaration(self, node: Node, initializer: Expression | syntax.InitializerList | None) -> None:
        """`float* q = s + 3;`: s is an array."""
        for child in children(node):
            if child is initializer and isinstance(initializer, Expression):
                self._pointer(initializer)
            else:
                self.visit(child)

    def _selected(self, node: syntax.Select, base: Expression) -> None:
        root = base
        while isinstance(root, syntax.Subscript):
            root = root.base
        if isinstance(root, syntax.Name) and self._unknown(root.name):
            raise ExpressionError(
                f"{clipped(root.name)} is not declared; .{clipped(node.member)} needs the declaration of its type",
                root.place,
            )
        self.visit(base)


def _two_ways(name: str, place: Place) -> ExpressionError:
    return ExpressionError(f"{clipped(name)} is used both as an array and as a number; declare it", place)
