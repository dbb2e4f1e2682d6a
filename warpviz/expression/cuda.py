"""A pattern printed as CUDA C++, from the tree alone: no character of the user's text reaches a compiler.

Names are prefixed (u_ for variables and members, T_ for types), so that no keyword or macro can be met. Every
struct is followed by assertions on its size and offsets: the real compiler checks the layout that the prediction
rests on.
"""

from __future__ import annotations

from warpviz.expression import layout, syntax
from warpviz.expression.cuda_types import CudaTypes, integer_literal, spelled_integer, variable
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.intrinsics import INTRINSICS
from warpviz.expression.layout import Array, CType, Integer, Pointer, Record
from warpviz.expression.printing import Printer
from warpviz.expression.syntax import Expression, ObjectDeclaration, TypeSyntax, Unit, children
from warpviz.expression.values import NO_LANE, Address, LocalObject, MemoryObject, Number

_BUILTINS = {
    "threadIdx": "w.thread",
    "blockIdx": "w.block_index",
    "blockDim": "w.block",
    "gridDim": "w.grid",
    "lane": "w.lane",
    "warpSize": "32",
}
# Objects are placed round this address, so that no pointer is null or wraps; it is subtracted in the end.
_ORIGIN = "1ull << 62"

_WARP = """\
// The thread that the pattern speaks of.
struct Warp { uint3 thread, block_index; dim3 block, grid; int lane; };
"""
_PRESENT = """\
    const unsigned int thread = w.thread.x + w.block.x*(w.thread.y + w.block.y*w.thread.z);
    if (thread >= w.block.x*w.block.y*w.block.z) return false;
"""


def cuda_source(unit: Unit, evaluator: Evaluator, bases: dict[MemoryObject, int]) -> str:
    """A fragment that defines struct Warp, access_active(const Warp&) and access_address(const Warp&).

    It needs no header and compiles with --std=c++17. The same pattern and values give the same text.
    bases: byte address of each object in its space.
    """
    source = _Source(unit, evaluator, bases)
    condition = source.body("", unit.where, " != 0") if unit.where is not None else "    return true;\n"
    address = source.body("(unsigned long long)&", unit.lvalue, " - origin")
    return (
        f"{_WARP}{source.types.definitions()}\n"
        f"__device__ __forceinline__ bool access_active(const Warp& w)\n{{\n{_PRESENT}{condition}}}\n\n"
        f"__device__ __forceinline__ unsigned long long access_address(const Warp& w)\n{{\n{address}}}\n"
    )


class _Source:
    """Prints functions of a Warp. types: the struct types that they speak of."""

    def __init__(self, unit: Unit, evaluator: Evaluator, bases: dict[MemoryObject, int]) -> None:
        self._unit = unit
        self._evaluator = evaluator
        self._bases = bases
        self._declared = {d.name: d for d in unit.declarations if isinstance(d, ObjectDeclaration)}
        self._printer = Printer(self)
        self.types = CudaTypes()

    def body(self, before: str, node: Expression, after: str) -> str:
        """Everything that the expression speaks of, one declaration a line, and the statement with it."""
        lines = [self._declaration(name) for name in self._used(node)]
        lines.append(f"return {before}{self._printer.operand(node)}{after}")
        if any("origin" in line for line in lines):
            lines.insert(0, f"constexpr unsigned long long origin = {_ORIGIN}")
        return "".join(f"    {line};\n" for line in lines)

    # What the printer asks

    def replaced(self, node: Expression, printer: Printer) -> str | None:
        """Names, numbers and calls as CUDA spells them."""
        match node:
            case syntax.Constant() | syntax.SizeOf() | syntax.OffsetOf():
                number = self._evaluator.number(node, NO_LANE)
                return integer_literal(int(number.lanes[0]), number.type)
            case syntax.Name():
                return self._name(node.name)
            case syntax.Call():
                return self._call(node, printer)
        return None

    def type(self, node: TypeSyntax) -> str:
        """The type of a cast."""
        return self.types.spelled(self._evaluator.types.resolve(node))

    def member(self, node: syntax.Select) -> str:
        """A member's name, prefixed where the user gave it."""
        base = self._evaluator.type_of(node.base)
        record = base.target if isinstance(base, Pointer) and node.arrow else base
        if isinstance(record, Array):
            record = record.element
        assert isinstance(record, Record), "the expression was evaluated"
        return self.types.member_name(record, node.member)

    # Names and declarations

    def _name(self, name: str) -> str:
        if name in _BUILTINS and name not in self._declared:
            return _BUILTINS[name]
        entity = self._evaluator.entities[name]
        if isinstance(entity, Number):
            return integer_literal(int(entity.lanes[0]), entity.type)
        return variable(name)

    def _call(self, node: syntax.Call, printer: Printer) -> str:
        """The intrinsic, its arguments cast to what it takes: CUDA's overloads cannot choose otherwise."""
        types = [self._evaluator.type_of(argument) for argument in node.arguments]
        integers = [ctype for ctype in types if isinstance(ctype, Integer)]
        wanted = INTRINSICS[node.function].parameter_type(integers)
        cast = f"({spelled_integer(wanted)})"
        arguments = [
            printer.argument(argument) if ctype == wanted else cast + printer.operand(argument)
            for argument, ctype in zip(node.arguments, types, strict=True)
        ]
        return f"{node.function}({', '.join(arguments)})"

    def _used(self, node: Expression) -> list[str]:
        """The variables that an expression needs, also through others, in the order of their declaration."""
        found: set[str] = set()
        pending: list[syntax.Node] = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, syntax.SizeOf | syntax.OffsetOf):
                continue
            pending += children(current)
            if isinstance(current, syntax.Name) and current.name not in found and self._is_variable(current.name):
                found.add(current.name)
                declaration = self._declared.get(current.name)
                if declaration is not None and declaration.initializer is not None and declaration.space is None:
                    pending.append(declaration.initializer)
        undeclared = sorted(found - self._declared.keys())
        return undeclared + [name for name in self._declared if name in found]

    def _is_variable(self, name: str) -> bool:
        if name in _BUILTINS and name not in self._declared:
            return False
        return not isinstance(self._evaluator.entities[name], Number)

    def _declaration(self, name: str) -> str:
        entity = self._evaluator.entities[name]
        own = variable(name)
        if isinstance(entity, MemoryObject):
            reference = f"(&{own})" if isinstance(entity.type, Array) else f"&{own}"
            at = f"*({self.types.spelled(Pointer(entity.type))})({self._base(entity)})"
            return f"{self.types.spelled(entity.type, reference)} = {at}"
        if not isinstance(entity, LocalObject):
            assert not isinstance(entity, Number), "numbers are printed where they are used"
            return f"auto&& {own} = {self._printer.argument(entity)}"
        if isinstance(entity.type, Array | Record):
            return f"const {self.types.spelled(entity.type, own)} = {self._table(entity, entity.type, 0)}"
        return self._scalar(entity, entity.type, own)

    def _scalar(self, entity: LocalObject, ctype: CType, own: str) -> str:
        _, content = entity.cells[0]
        pointer = isinstance(ctype, Pointer)
        declared = self.types.spelled(ctype, f"const {own}") if pointer else f"const {self.types.spelled(ctype, own)}"
        if isinstance(content, Address):
            home = content.homes[0]
            assert isinstance(home, MemoryObject), "a pointer without an initializer points into memory"
            return f"{declared} = ({self.types.spelled(ctype)})({self._base(home)})"
        assert not isinstance(content, Number), "the built-in numbers are printed where they are used"
        return f"{declared} = {self._initial(content, ctype)}"

    def _initial(self, node: Expression, ctype: CType) -> str:
        """A value of this type, cast where it has another."""
        if self._evaluator.decayed_type(node) == ctype:
            return self._printer.argument(node)
        return f"({self.types.spelled(ctype)}){self._printer.operand(node)}"

    def _base(self, home: MemoryObject) -> str:
        return f"origin + {self._bases[home]}ull"

    def _table(self, entity: LocalObject, ctype: CType, offset: int) -> str:
        """The values of an array or struct in braces, as far as there are any."""
        if isinstance(ctype, Array):
            size = layout.size_of(ctype.element) or 1
            last = max((cell - offset for cell in entity.cells if cell < offset + size * (ctype.count or 0)), default=0)
            parts = [(ctype.element, offset + index * size) for index in range(max(last, 0) // size + 1)]
        elif isinstance(ctype, Record):
            members = ctype.members[:1] if ctype.kind == "union" else ctype.members
            parts = [(member.type, offset + member.offset) for member in members]
        else:
            return self._cell(entity, ctype, offset)
        return "{" + ", ".join(self._table(entity, part, start) for part, start in parts) + "}"

    def _cell(self, entity: LocalObject, ctype: CType, offset: int) -> str:
        _, content = entity.cells.get(offset, (None, None))
        if content is None or isinstance(content, Number | Address):
            return "0"
        return self._initial(content, ctype)
