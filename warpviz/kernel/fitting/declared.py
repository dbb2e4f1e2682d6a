"""What the source says of its variables and parameters in memory: their types, as the expression language has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from warpviz.expression import ExpressionError, Pattern
from warpviz.expression.layout import Array, CType, Floating, Integer, Pointer, Record, size_of
from warpviz.expression.names import NAMED_TYPES
from warpviz.expression.parser import parse_texts
from warpviz.expression.rewrite import declared
from warpviz.expression.scope import find_names
from warpviz.expression.values import LocalObject, MemoryObject
from warpviz.kernel.fitting.definitions import Definitions
from warpviz.kernel.fitting.symbols import function_of, variable_name
from warpviz.kernel.source import declared_parameters
from warpviz.kernel.source.names import bare, readable
from warpviz.kernel.source.scanning import Declaration, declarations, without_words

_STATEMENT = re.compile(r"[^;{}]+")
_STATIC = re.compile(r"\bstatic\b")
_QUALIFIER = re.compile(r"(?:\b\w+\s*)?::\s*")
_IN_MEMORY = re.compile(r"\b__(?:shared|constant|device|managed)__\b")


@dataclass(frozen=True)
class Typed:
    """A type, and the definitions that the structs need which it is made of, as C; most types need none."""

    type: CType
    definitions: tuple[str, ...] = ()


class SourceTypes:
    """texts: the file, then what it includes. kernel: its name in the PTX. parameters: how many it has."""

    def __init__(self, texts: Sequence[str], kernel: str, parameters: int) -> None:
        whole = "\n;\n".join(reversed(texts))  # what is included comes first
        self._code = without_words(whole)
        self._functions = [declaration for declaration in declarations(self._code) if declaration.is_function]
        self._definitions = Definitions(whole, self._code, list(map(_body, self._functions)))
        self._kernel = readable(kernel)
        self._parameters = declared_parameters(texts, bare(self._kernel), parameters) or ()

    @cached_property
    def _in_memory(self) -> list[tuple[int, str]]:
        """Statements with a memory space in them, and where each begins."""
        return [(m.start(), m[0]) for m in _STATEMENT.finditer(self._code) if _IN_MEMORY.search(m[0])]

    def variable(self, symbol: str, size: int) -> Typed | None:
        """Of a variable with this name in the PTX and so many bytes; 0: its size is the launch's. None where no
        declaration is understood that has that size."""
        name, function = variable_name(symbol), function_of(symbol)
        for start, statement in self._statements(name, function):
            typed = self._typed(name, f"{statement};", start, function or self._kernel)
            if typed is not None and (typed := _sized(typed, size)) is not None:
                return typed
        return None

    def parameter(self, name: str) -> Typed | None:
        """What a pointer parameter points to: an array without a count. None where it is not understood."""
        for parameter in self._parameters:
            if parameter.name == name:
                typed = self._typed(name, f"{parameter.type} {name};", len(self._code), self._kernel)
                is_known = typed is not None and isinstance(typed.type, Array) and size_of(typed.type.element)
                return typed if is_known else None
        return None

    def _statements(self, name: str, function: str) -> Iterator[tuple[int, str]]:
        """Declarations that may be the variable's, those in its own function first."""
        called = re.compile(rf"\b{re.escape(bare(function))}\s*\(") if function else None
        bodies = [_body(one) for one in self._functions if called and called.search(one.head)]
        word = re.compile(rf"\b{re.escape(name)}\b")
        found = [(at, text.split("=", 1)[0].strip()) for at, text in self._in_memory if word.search(text)]
        yield from sorted(found, key=lambda one: not any(one[0] in body for body in bodies))

    def _typed(self, name: str, statement: str, start: int, function: str) -> Typed | None:
        """The type that a declaration gives a name. start: where it stands in the text."""
        statement, structs = self._definitions.instantiated(_STATIC.sub("", statement))
        definitions = [*self._definitions.of("\n".join([*structs, statement]), start, function), *structs]
        pattern = Pattern(name, _QUALIFIER.sub("", "\n".join([*definitions, statement])))
        try:
            unit, _ = parse_texts(pattern)
            if find_names(unit).free:
                return None
            entity = declared(pattern, unit, {})[0].entities.get(name)
        except (ExpressionError, RecursionError):
            return None
        if isinstance(entity, MemoryObject):
            ctype = entity.type
        elif isinstance(entity, LocalObject) and isinstance(entity.type, Pointer):
            ctype = Array(entity.type.target, None)
        else:
            return None
        definitions = [_QUALIFIER.sub("", definition) for definition in definitions]
        return Typed(_plain(ctype), tuple(definitions) if _has_struct(ctype) else ())


def _body(function: Declaration) -> range:
    return range(function.start, function.end)


def _sized(typed: Typed, size: int) -> Typed | None:
    """The type with the count that an initial value gives it; None where it has another size."""
    ctype = typed.type
    if isinstance(ctype, Array) and ctype.count is None:
        element = size_of(ctype.element)
        if not element or size % element:
            return None
        return Typed(Array(ctype.element, size // element or None), typed.definitions)
    return typed if size_of(ctype) == size else None


def _plain(ctype: CType) -> CType:
    """The type by a name that needs no definition, where it is no struct."""
    match ctype:
        case Array(element=element, count=count):
            return Array(_plain(element), count)
        case Pointer(target=target):
            return Pointer(_plain(target))
        case Integer(spelling=spelling) | Floating(spelling=spelling) if spelling not in NAMED_TYPES:
            return replace(ctype, spelling="")
    return ctype


def _has_struct(ctype: CType) -> bool:
    while isinstance(ctype, Array | Pointer):
        ctype = ctype.element if isinstance(ctype, Array) else ctype.target
    return isinstance(ctype, Record) and ctype.kind != "vector"
