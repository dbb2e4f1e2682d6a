"""Pattern -> Pattern: the expression written anew from its tree, macros kept where they can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from warpviz.expression import syntax
from warpviz.expression.declare import Declarations, assumed_type
from warpviz.expression.errors import ExpressionError
from warpviz.expression.evaluate import Evaluator
from warpviz.expression.layout import Array, Pointer, size_of, spelled
from warpviz.expression.parser import parse_texts
from warpviz.expression.pattern import Pattern
from warpviz.expression.scope import find_names
from warpviz.expression.source import Place
from warpviz.expression.spelling import NOWHERE, text_of
from warpviz.expression.syntax import Cast, Expression, PointerType, Subscript, Unary, Unit
from warpviz.hardware import Space

Change = Callable[[Expression], Expression]

WIDTH_TYPES = {1: "char", 2: "short", 4: "float", 8: "float2", 16: "float4"}

_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", re.MULTILINE)
QUALIFIERS: dict[Space, str] = {"shared": "__shared__", "const": "__constant__", "global": "__device__"}

# Values with which a type is looked at: they decide dimensions alone, never the width of an element.
_TRIAL_VALUES = (32, 1, 64, 8)


def with_width(pattern: Pattern, width_bytes: int) -> Pattern:
    """The same index, as that of elements of so many bytes: `s[i]` with 16 is `((float4*)s)[i]`.

    A pointer cast that stands there already is replaced, or dropped where the array itself has such elements. A
    pattern of that width is left alone; an array of rank 2 that was not declared is declared. Raises ExpressionError
    for a width that no access has, for a pattern without a subscript, and for texts that do not parse.
    """
    unit, _ = parse_texts(pattern)
    if width_bytes not in WIDTH_TYPES:
        raise ExpressionError(f"a lane moves 1, 2, 4, 8 or 16 bytes, not {width_bytes}", unit.lvalue.place)
    widths = _Widths(pattern, unit)
    if widths.of(unit.lvalue) == width_bytes:
        return pattern
    wide = PointerType(NOWHERE, syntax.NamedType(NOWHERE, (WIDTH_TYPES[width_bytes],)))
    dropped = {text_of(base) for base in _cast_bases(unit.lvalue) if widths.of_element(base) == width_bytes}
    return rewritten(with_assumed_tiles(pattern), lambda lvalue: _widened(lvalue, wide, dropped))


def with_assumed_tiles(pattern: Pattern) -> Pattern:
    """Every array of rank 2 that is used without a declaration declared as it is assumed. Raises ExpressionError."""
    unit, _ = parse_texts(pattern)
    tiles = [name for name, array in find_names(unit).arrays.items() if array.rank > 1]
    qualifier = QUALIFIERS[pattern.space or "shared"]
    lines = [f"{qualifier} {spelled(assumed_type(2), name)};\n" for name in tiles]
    return replace(pattern, declarations="".join(lines) + pattern.declarations)


def rewritten(pattern: Pattern, change: Change) -> Pattern:
    """The pattern with a changed expression. change: of the lvalue's tree; it raises ExpressionError where it cannot.

    Macros stay as they are where the change can be made round them, and the text still means the same; elsewhere
    they are expanded. Raises ExpressionError.
    """
    changed = text_of(change(parse_texts(pattern)[0].lvalue))
    plain = replace(pattern, expression=changed)
    meaning = text_of(parse_texts(plain)[0].lvalue)
    if _DIRECTIVE.search(pattern.declarations):
        try:
            unexpanded = replace(pattern, declarations=_DIRECTIVE.sub("", pattern.declarations))
            kept = replace(pattern, expression=text_of(change(parse_texts(unexpanded)[0].lvalue)))
            if text_of(parse_texts(kept)[0].lvalue) == meaning:
                return kept
        except ExpressionError:
            pass
    return plain


def on_last_subscript(node: Expression, change: Callable[[Subscript], Expression]) -> Expression:
    """The tree with its last subscript changed; what is done to the result stays round it.

    Raises ExpressionError where there is none.
    """
    match node:
        case Subscript():
            return change(node)
        case Unary(operator="*" | "&") | Cast():
            return replace(node, operand=on_last_subscript(node.operand, change))
        case syntax.Select():
            return replace(node, base=on_last_subscript(node.base, change))
    raise no_subscript(node.place)


def last_subscript(node: Expression) -> Subscript:
    """The subscript that is applied last. Raises ExpressionError where there is none."""
    while not isinstance(node, Subscript):
        match node:
            case Unary(operator="*" | "&", operand=inner) | Cast(operand=inner) | syntax.Select(base=inner):
                node = inner
            case _:
                raise no_subscript(node.place)
    return node


def no_subscript(place: Place) -> ExpressionError:
    """The error for an access that cannot be rewritten by its index."""
    return ExpressionError("this access has no index in brackets; write it as s[index]", place)


def has_names(node: syntax.Node) -> bool:
    """Whether a tree depends on what some name is worth."""
    return isinstance(node, syntax.Name) or any(map(has_names, syntax.children(node)))


def declared(pattern: Pattern, unit: Unit, values: Mapping[str, int]) -> tuple[Evaluator, Declarations]:
    """An evaluator that knows what the pattern declares. Raises ExpressionError."""
    evaluator = Evaluator()
    declarations = Declarations(evaluator, pattern, find_names(unit), values)
    declarations.run(unit.declarations)
    return evaluator, declarations


class _Widths:
    """How many bytes things have, by their types alone."""

    def __init__(self, pattern: Pattern, unit: Unit) -> None:
        self._evaluator: Evaluator | None = None
        names = find_names(unit)
        for value in _TRIAL_VALUES:
            try:
                self._evaluator, _ = declared(pattern, unit, dict.fromkeys(names.free, value))
                return
            except ExpressionError:
                continue

    def of(self, node: Expression) -> int | None:
        """Bytes of an lvalue; None where they cannot be told."""
        try:
            return None if self._evaluator is None else size_of(self._evaluator.type_of(node))
        except ExpressionError:
            return None

    def of_element(self, node: Expression) -> int | None:
        """Bytes of what an array or pointer holds; None where they cannot be told."""
        try:
            ctype = None if self._evaluator is None else self._evaluator.decayed_type(node)
        except ExpressionError:
            return None
        if isinstance(ctype, Pointer) and not isinstance(ctype.target, Array):
            return size_of(ctype.target)
        return None


def _cast_bases(node: Expression) -> list[Expression]:
    """What stands under the pointer cast of the last subscript, in each branch."""
    match node:
        case Subscript(base=Cast(operand=base)):
            return [base]
        case syntax.Conditional(when_true=a, when_false=b):
            return [*_cast_bases(a), *_cast_bases(b)]
        case syntax.Select(base=a):
            return _cast_bases(a)
    return []


def _widened(node: Expression, wide: PointerType, dropped: set[str]) -> Expression:
    """dropped: the texts of bases that need no cast."""
    match node:
        case Subscript(base=Cast(type=PointerType(), operand=base)) if text_of(base) in dropped:
            return replace(node, base=base)
        case Subscript(base=Cast(type=PointerType()) as cast):
            return replace(node, base=replace(cast, type=wide))
        case Subscript(base=base):
            return replace(node, base=Cast(NOWHERE, wide, base))
        case syntax.Select(base=base):
            return _widened(base, wide, dropped)
        case syntax.Conditional(when_true=a, when_false=b):
            return replace(node, when_true=_widened(a, wide, dropped), when_false=_widened(b, wide, dropped))
        case Unary(operator="*", operand=Cast(type=PointerType()) as cast):
            return replace(node, operand=replace(cast, type=wide))
        case Unary(operator="*", operand=Unary(operator="&", operand=inner)):
            return _widened(inner, wide, dropped)
    raise no_subscript(node.place)
