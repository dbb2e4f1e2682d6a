"""The arrays and variables in memory that a kernel's accesses fall in: where they lie, and how C declares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from warpviz.expression import layout
from warpviz.expression.layout import Array, CType, Pointer, align_of, size_of, spelled
from warpviz.expression.rewrite import QUALIFIERS
from warpviz.hardware import LINE_BYTES, WORD_BYTES, Space
from warpviz.kernel.fitting.declared import SourceTypes, Typed
from warpviz.kernel.fitting.symbols import identifier, variable_name
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.program import Program


@dataclass(frozen=True)
class Variable:
    """name: in C. start: in its memory space, in bytes. size: in bytes. align: in bytes; of a parameter's array 0.
    typed: as the source declares it, None where that is not understood. is_dynamic: its size is the launch's."""

    name: str
    space: Space
    start: int
    size: int
    align: int = 0
    typed: Typed | None = None
    is_dynamic: bool = False

    def type_for(self, element: CType) -> CType:
        """Its type; where the source does not tell, an array of such elements, or of bytes where they do not fit."""
        if self.typed is not None:
            return self.typed.type
        size = size_of(element) or 1
        if self.size == size and self.align:
            return element
        if (self.align and self.align < align_of(element)) or (self.size % size and self.align):
            element, size = layout.UNSIGNED_CHAR, 1
        return Array(element, self.size // size if self.align and not self.is_dynamic else None)

    def declaration(self, element: CType) -> str:
        """As C, with that type."""
        ctype = self.type_for(element)
        if not self.align:
            assert isinstance(ctype, Array), "a parameter points to an array"
            return f"{spelled(Pointer(ctype.element), self.name)};"
        if self.is_dynamic:
            return f"extern {QUALIFIERS[self.space]} {spelled(ctype, self.name)};"
        aligned = f"__align__({self.align}) " if self.align > align_of(ctype) else ""
        if isinstance(ctype, Array) and ctype.count is None:
            ctype = Array(ctype.element, max(self.size // (size_of(ctype.element) or 1), 1))
        return f"{QUALIFIERS[self.space]} {aligned}{spelled(ctype, self.name)};"

    @property
    def shown(self) -> str:
        """In few words: `tile[…]`, or the name alone of what is no array."""
        is_single = self.typed is not None and not isinstance(self.typed.type, Array)
        return self.name if is_single else f"{self.name}[…]"

    @property
    def definitions(self) -> tuple[str, ...]:
        """C that its declaration needs before it."""
        return self.typed.definitions if self.typed else ()

    @property
    def as_bytes(self) -> Variable:
        """Without what the source says of it."""
        return replace(self, align=min(self.align, 1), typed=None, is_dynamic=False)


class Variables:
    """Those of one launch. texts: the file, then what it includes; where types are looked for."""

    def __init__(self, program: Program, memory: Memory, texts: Sequence[str]) -> None:
        source = SourceTypes(texts, program.name, len(program.parameters))
        found = [*_of_module(program, memory, source), *_arrays(program, memory, source)]
        self._in_order: dict[Space, list[Variable]] = {
            space: sorted((one for one in found if one.space == space), key=lambda one: (one.start, one.is_dynamic))
            for space in QUALIFIERS
        }

    def at(self, space: Space, address: int) -> Variable:
        """The one that an address falls in, or that begins last before it."""
        before = [variable for variable in self._in_order[space] if variable.start <= address]
        return before[-1] if before else Variable("memory", space, 0, 0, 0 if space == "global" else WORD_BYTES)


def in_place(variable: Variable, element: CType) -> list[str]:
    """C that puts a variable where it lies among the banks, whatever comes before it. element: see `type_for`."""
    gap = variable.start % LINE_BYTES if variable.space != "global" else 0
    name = identifier("before", frozenset([variable.name]))
    filler = f"{QUALIFIERS[variable.space]} {spelled(Array(layout.UNSIGNED_CHAR, gap), name)};"
    return [*variable.definitions, *([filler] if gap else []), variable.declaration(element)]


def _of_module(program: Program, memory: Memory, source: SourceTypes) -> Iterator[Variable]:
    """Those that the file declares."""
    taken: set[str] = set()
    spaces: dict[str, Space] = {"shared": "shared", "const": "const", "global": "global"}
    for variable in program.variables:
        place = memory.place(variable.name)
        if place is None or variable.space not in spaces:
            continue
        space = spaces[variable.space]
        name = identifier(variable_name(variable.name), frozenset(taken))
        taken.add(name)
        is_dynamic = space == "shared" and variable.size == 0
        size = memory.layout.sizes["shared"] - place.address if is_dynamic else variable.size
        typed = source.variable(variable.name, variable.size)
        yield Variable(name, space, place.address, size, variable.align, typed, is_dynamic)


def _arrays(program: Program, memory: Memory, source: SourceTypes) -> Iterator[Variable]:
    """Those that the parameters point to."""
    places = (memory.place(variable.name) for variable in program.variables if variable.space == "global")
    of_module = {place.address for place in places if place is not None}
    for name, array in memory.arena.arrays.items():
        if array.address not in of_module:
            yield Variable(identifier(name), "global", array.address, array.size, typed=source.parameter(name))
