"""pycparser's tree -> the pattern's own, each node with its place; what the language has not is an error here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pycparser import c_ast

from warpviz.expression import syntax
from warpviz.expression.dialect import ALIGN_MEMBER, SPACE_MARKS
from warpviz.expression.errors import ExpressionError
from warpviz.expression.literals import integer_constant
from warpviz.expression.source import Place, clipped
from warpviz.expression.syntax import Declaration, Expression, InitializerList, TypeSyntax, Unit
from warpviz.expression.tokens import Token
from warpviz.hardware import Space

MAX_DEPTH = 120

# `__ldg(p)` reads *p, whichever cache it goes through (CUDA C++ Programming Guide, "Load Functions Using Cache Hints").
_CACHED_LOADS = frozenset(["__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"])
_NO_FLOAT = "floating-point values are not computed here; an index is an integer"
_SPACES: dict[str, Space] = {"$shared": "shared", "$const": "const", "$global": "global"}
_QUALIFIERS = {mark: qualifier for qualifier, mark in reversed(SPACE_MARKS.items())}


class TreeBuilder:
    """Builds the tree of what the parser read. tokens: token i stands on the parser's line i + first_line."""

    def __init__(self, tokens: Sequence[Token], first_line: int) -> None:
        self._tokens = tokens
        self._first_line = first_line
        self._records: dict[c_ast.Node, syntax.RecordType | syntax.EnumType] = {}
        self._depth = 0

    def unit(self, file: c_ast.FileAST, where_name: str, lvalue_name: str) -> Unit:
        """The whole. Raises ExpressionError for what the language has not."""
        where = lvalue = None
        declarations: list[Declaration] = []
        for node in file.ext:
            if node.coord is None or node.coord.line < self._first_line:
                continue  # the prelude
            if getattr(node, "name", None) == where_name:
                where = self.expression(node.init)
            elif getattr(node, "name", None) == lvalue_name:
                lvalue = self.expression(node.init)
            else:
                declarations.append(self._declaration(node))
        assert lvalue is not None, "the expression is the last declaration of every unit"
        return Unit(tuple(declarations), where, lvalue)

    def _token(self, node: c_ast.Node) -> Token:
        """The token where a node begins. A node without a place of its own begins where its first child does."""
        while node.coord is None:
            node = next(child for _, child in node.children())
        line: int = node.coord.line
        return self._tokens[line - self._first_line]

    def _place(self, node: c_ast.Node) -> Place:
        return self._token(node).place

    # Declarations

    def _declaration(self, node: c_ast.Node) -> Declaration:
        place = self._place(node)
        if isinstance(node, c_ast.Typedef):
            return syntax.TypeDeclaration(place, node.name, self.type(node.type))
        if not isinstance(node, c_ast.Decl):
            what = "a function" if isinstance(node, c_ast.FuncDef) else "this"
            raise ExpressionError(
                f"{what} is no declaration that an address needs; use #define NAME(x) for a function", place
            )
        if node.name is None:
            return syntax.TypeDeclaration(place, "", self.type(node.type))
        marks, aligns = self._alignments(node)
        if len(marks) > 1:
            raise ExpressionError(f"{node.name} has two memory qualifiers; give one", place)
        reference = isinstance(node.type, c_ast.PtrDecl) and self._token(node.type).kind == "reference"
        return syntax.ObjectDeclaration(
            place,
            node.name,
            self.type(node.type.type if reference else node.type),
            _SPACES[marks[0]] if marks else None,
            "extern" in node.storage,
            tuple(aligns),
            None if node.init is None else self._initializer(node.init),
            reference,
        )

    def _alignments(self, node: c_ast.Decl) -> tuple[list[str], list[Expression]]:
        """The marks of memory qualifiers, and the alignments that were asked for."""
        marks: list[str] = []
        aligns: list[Expression] = []
        for align in node.align or ():
            operand = align.alignment
            if isinstance(operand, c_ast.ID) and operand.name in _QUALIFIERS:
                marks.append(operand.name)
            elif isinstance(operand, c_ast.Typename):
                aligns.append(syntax.SizeOf(self._place(align), "alignof", self.type(operand.type)))
            else:
                aligns.append(self.expression(operand))
        return marks, aligns

    def _initializer(self, node: c_ast.Node) -> Expression | InitializerList:
        if not isinstance(node, c_ast.InitList):
            return self.expression(node)
        place = self._place(node)
        for item in node.exprs or ():
            if isinstance(item, c_ast.NamedInitializer):
                raise ExpressionError(
                    "a designated initializer is not known here; give the values in order", self._place(item)
                )
        return InitializerList(place, tuple(self._initializer(item) for item in node.exprs or ()))

    # Types

    def type(self, node: c_ast.Node) -> TypeSyntax:
        """The type that a declarator makes."""
        self._enter(node)
        built = self._type(node)
        self._depth -= 1
        return built

    def _type(self, node: c_ast.Node) -> TypeSyntax:
        if isinstance(node, c_ast.TypeDecl):
            return self.type(node.type)
        if isinstance(node, c_ast.IdentifierType):
            return syntax.NamedType(self._place(node), tuple(node.names))
        if isinstance(node, c_ast.PtrDecl):
            return syntax.PointerType(self._place(node), self.type(node.type))
        if isinstance(node, c_ast.ArrayDecl):
            count = None if node.dim is None else self.expression(node.dim)
            return syntax.ArrayType(self._place(node), self.type(node.type), count)
        if isinstance(node, c_ast.Struct | c_ast.Union | c_ast.Enum):
            if node not in self._records:
                self._records[node] = self._enum(node) if isinstance(node, c_ast.Enum) else self._record(node)
            return self._records[node]
        what = "a function" if isinstance(node, c_ast.FuncDecl) else "this type"
        raise ExpressionError(f"{what} is not known here; use #define NAME(x) for a function", self._place(node))

    def _record(self, node: c_ast.Struct | c_ast.Union) -> syntax.RecordType:
        place = self._place(node)
        kind: Literal["struct", "union"] = "struct" if isinstance(node, c_ast.Struct) else "union"
        members: list[syntax.MemberSyntax] = []
        aligns: list[Expression] = []
        for member in node.decls or ():
            if not isinstance(member, c_ast.Decl):
                raise ExpressionError("this is no member of a struct", self._place(member))
            if member.bitsize is not None:
                raise ExpressionError("a bit-field has no address; use a whole integer member", self._place(member))
            marks, own = self._alignments(member)
            if marks:
                raise ExpressionError(
                    f"a member has no memory qualifier; remove {_QUALIFIERS[marks[0]]}", self._place(member)
                )
            if member.name == ALIGN_MEMBER:
                aligns += own
            else:
                members.append(
                    syntax.MemberSyntax(self._place(member), member.name or "", self.type(member.type), tuple(own))
                )
        return syntax.RecordType(
            place, kind, node.name or "", None if node.decls is None else tuple(members), tuple(aligns)
        )

    def _enum(self, node: c_ast.Enum) -> syntax.EnumType:
        if node.values is None:
            return syntax.EnumType(self._place(node), node.name or "", None)
        enumerators = tuple(
            (syntax.Name(self._place(item), item.name), None if item.value is None else self.expression(item.value))
            for item in node.values.enumerators
        )
        return syntax.EnumType(self._place(node), node.name or "", enumerators)

    # Expressions

    def expression(self, node: c_ast.Node) -> Expression:
        """Raises ExpressionError for what is no part of an lvalue, and for nesting too deep to follow."""
        self._enter(node)
        build = _BUILDERS.get(type(node))
        if build is None:
            raise ExpressionError("this is no part of an lvalue in C; remove it", self._place(node))
        built: Expression = build(self, node, self._place(node))
        self._depth -= 1
        return built

    def _enter(self, node: c_ast.Node) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionError(
                f"the text nests more than {MAX_DEPTH} operators; name parts of it", self._place(node)
            )

    def _constant(self, node: Any, place: Place) -> Expression:
        if node.type in ("float", "double", "long double"):
            return syntax.Unsupported(place, _NO_FLOAT)
        return syntax.Constant(place, *integer_constant(self._token(node)))

    def _name(self, node: Any, place: Place) -> Expression:
        return syntax.Name(place, node.name)

    def _unary(self, node: Any, place: Place) -> Expression:
        if node.op in ("sizeof", "_Alignof"):
            typed = isinstance(node.expr, c_ast.Typename)
            operand = self.type(node.expr.type) if typed else self.expression(node.expr)
            return syntax.SizeOf(place, "sizeof" if node.op == "sizeof" else "alignof", operand)
        if node.op in ("++", "--", "p++", "p--"):
            raise ExpressionError(f"{node.op[-2:]} changes a value; give the expression without it", place)
        return syntax.Unary(place, node.op, self.expression(node.expr))

    def _binary(self, node: Any, place: Place) -> Expression:
        return syntax.Binary(place, node.op, self.expression(node.left), self.expression(node.right))

    def _comma(self, node: Any, place: Place) -> Expression:
        first, *rest = (self.expression(item) for item in node.exprs)
        for item in rest:
            first = syntax.Binary(place, ",", first, item)
        return first

    def _conditional(self, node: Any, place: Place) -> Expression:
        parts = (self.expression(part) for part in (node.cond, node.iftrue, node.iffalse))
        return syntax.Conditional(place, *parts)

    def _subscript(self, node: Any, place: Place) -> Expression:
        return syntax.Subscript(place, self.expression(node.name), self.expression(node.subscript))

    def _select(self, node: Any, place: Place) -> Expression:
        base = self.expression(node.name)
        return syntax.Select(place, base, node.field.name, node.type == "->", self._place(node.field))

    def _cast(self, node: Any, place: Place) -> Expression:
        return syntax.Cast(place, self.type(node.to_type.type), self.expression(node.expr))

    def _call(self, node: Any, place: Place) -> Expression:
        arguments = node.args.exprs if node.args is not None else []
        if not isinstance(node.name, c_ast.ID):
            raise ExpressionError("only a function's name can be called here", place)
        name = node.name.name
        if name == "offsetof":
            return self._offset_of(arguments, place)
        if name.startswith("atomic"):
            raise ExpressionError(f"give the lvalue that {clipped(name)} works on, with --op atom or --op red", place)
        if name in _CACHED_LOADS and len(arguments) == 1:
            return syntax.Unary(place, "*", self.expression(arguments[0]))
        return syntax.Call(place, name, tuple(self.expression(argument) for argument in arguments))

    def _offset_of(self, arguments: list[Any], place: Place) -> Expression:
        kinds = [type(argument) for argument in arguments]
        if kinds != [c_ast.Typename, c_ast.ID]:
            raise ExpressionError("offsetof takes a type and the name of one member", place)
        return syntax.OffsetOf(place, self.type(arguments[0].type), arguments[1].name)

    def _assignment(self, node: Any, place: Place) -> Expression:
        raise ExpressionError(f"{node.op} changes a value; give the lvalue alone, with --op st for a store", place)


_BUILDERS: dict[type, Any] = {
    c_ast.Constant: TreeBuilder._constant,
    c_ast.ID: TreeBuilder._name,
    c_ast.UnaryOp: TreeBuilder._unary,
    c_ast.BinaryOp: TreeBuilder._binary,
    c_ast.ExprList: TreeBuilder._comma,
    c_ast.TernaryOp: TreeBuilder._conditional,
    c_ast.ArrayRef: TreeBuilder._subscript,
    c_ast.StructRef: TreeBuilder._select,
    c_ast.Cast: TreeBuilder._cast,
    c_ast.FuncCall: TreeBuilder._call,
    c_ast.Assignment: TreeBuilder._assignment,
}
