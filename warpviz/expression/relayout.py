"""Pattern -> Pattern: an array's declaration and its index rewritten, so that its elements lie elsewhere.

The text edited is the user's own: a dimension grows where it stands in the declarations, and the index of the access
is printed from its tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpviz.expression import layout, syntax
from warpviz.expression.arrangement import Padding, Swizzle
from warpviz.expression.errors import ExpressionError
from warpviz.expression.pattern import Pattern
from warpviz.expression.rewrite import has_names, on_last_subscript, rewritten
from warpviz.expression.site import Site
from warpviz.expression.source import Text, clipped
from warpviz.expression.spelling import NOWHERE
from warpviz.expression.syntax import Binary, Cast, Constant, Expression, Subscript
from warpviz.expression.tokens import Token, tokenize
from warpviz.hardware import LINE_BYTES

# Operators that bind at least as tightly as the + that is appended.
_AS_TIGHT_AS_PLUS = ("+", "-", "*", "/", "%")


def padded_rows(site: Site, padding: Padding) -> Pattern:
    """The innermost dimension grown: `tile[32][32 + 1]`. Raises ExpressionError where its text cannot be found."""
    return replace(site.pattern, declarations=_grown(site, lambda _: str(padding.pad_bytes // site.element_bytes)))


def padded_index(site: Site, padding: Padding) -> Pattern:
    """The last index moved on: `s[i + i/32]`, and the innermost dimension grown to hold it.

    Raises ExpressionError where the access has no index, or the dimension's text cannot be found.
    """
    every, pad = padding.every_bytes // site.step_bytes, padding.pad_bytes // site.step_bytes

    def change(node: Subscript) -> Expression:
        return replace(node, index=_binary("+", node.index, _scaled(_binary("/", node.index, every), pad)))

    pattern = rewritten(site.pattern, lambda lvalue: on_last_subscript(lvalue, change))
    if site.count is None:
        return pattern
    count = site.count
    return replace(pattern, declarations=_grown(site, lambda dimension: _growth(site, dimension, count, padding)))


def swizzled(site: Site, swizzle: Swizzle) -> Pattern:
    """The last index xored with the row's or with its own high bits: `tile[r][c ^ (r & 31)]`.

    Raises ExpressionError where the access has no index, or no row's index next to it.
    """
    chunk = swizzle.chunk_bytes // site.step_bytes
    shift = swizzle.shift
    if swizzle.key == "index":
        shift += (LINE_BYTES // site.step_bytes).bit_length() - 1
    bounded = swizzle.key == "row" and _has_fixed_rows(site, swizzle.chunks << swizzle.shift)

    def change(node: Subscript) -> Expression:
        key = node.index if swizzle.key == "index" else _row_index(node)
        if shift:
            key = _binary(">>", key, shift)
        if not bounded:
            key = _binary("&", key, swizzle.chunks - 1)
        if chunk > 1:
            key = _binary("*", _number(chunk), key)
        first = isinstance(node.index, Constant) and node.index.value == 0
        return replace(node, index=key if first else _binary("^", node.index, key))

    return rewritten(site.pattern, lambda lvalue: on_last_subscript(lvalue, change))


def _has_fixed_rows(site: Site, most: int) -> bool:
    """Whether there are at most so many rows in a plane, whatever the names are worth."""
    rows, count = site.extents[-2], site.counts[-2]
    fixed = site.assumed or (count is not None and not has_names(count))
    return fixed and rows is not None and rows <= most


def _row_index(node: Subscript) -> Expression:
    base = node.base
    while isinstance(base, Cast):
        base = base.operand
    if not isinstance(base, Subscript):
        raise ExpressionError("the row's index does not stand next to the column's", node.place)
    return base.index


def _binary(operator: str, left: Expression, right: Expression | int) -> Binary:
    return Binary(NOWHERE, operator, left, _number(right) if isinstance(right, int) else right)


def _scaled(node: Expression, factor: int) -> Expression:
    return node if factor == 1 else _binary("*", node, factor)


def _number(value: int) -> Constant:
    return Constant(NOWHERE, value, layout.INT)


def _grown(site: Site, elements: Callable[[str], str]) -> str:
    """The declarations with the innermost dimension larger. elements: by how many, given the dimension's text."""
    count = site.count
    if count is None:
        raise ExpressionError(f"the rows of {clipped(site.path)} have no length in the text", site.unit.lvalue.place)
    start, end = _dimension(site, count)
    text = site.pattern.declarations
    dimension = text[start:end].strip()
    loose = isinstance(count, syntax.Conditional) or (
        isinstance(count, Binary) and count.operator not in _AS_TIGHT_AS_PLUS
    )
    held = f"({dimension})" if loose else dimension
    return f"{text[:start]}{held} + {elements(dimension)}{text[end:]}"


def _growth(site: Site, dimension: str, count: Expression, padding: Padding) -> str:
    """How many elements more the dimension has, in its own words where it is no plain number."""
    every, pad = padding.every_bytes // site.element_bytes, padding.pad_bytes // site.element_bytes
    if not has_names(count):
        return str((site.extents[-1] or 0) // every * pad)
    part = f"{dimension if isinstance(count, syntax.Name) else f'({dimension})'}/{every}"
    return part if pad == 1 else f"{part}*{pad}"


def _dimension(site: Site, count: Expression) -> tuple[int, int]:
    """Where the text between the dimension's brackets begins and ends."""
    opened: list[Token] = []
    for token in tokenize(Text("declarations", site.pattern.declarations)):
        if token.spelling in ("[", "("):
            opened.append(token)
        elif token.spelling in ("]", ")") and opened:
            start, end = opened.pop().place.offset, token.place.offset
            if token.spelling == "]" and start < count.place.offset <= end and count.place.source == "declarations":
                return start + 1, end
    raise ExpressionError(f"a macro hides the length of the rows of {clipped(site.path)}", count.place)
