"""Pattern -> Pattern: one member of an array of structs as an array of its own."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import Record, spelled
from warpviz.expression.pattern import Pattern
from warpviz.expression.rewrite import QUALIFIERS, has_names, rewritten
from warpviz.expression.scope import BUILTIN_NAMES, find_names
from warpviz.expression.site import Site
from warpviz.expression.source import Text
from warpviz.expression.spelling import NOWHERE, text_of
from warpviz.expression.syntax import Expression, Name, ObjectDeclaration, Select, Subscript
from warpviz.expression.tokens import tokenize


@dataclass(frozen=True)
class Split:
    """expression: of the member in its own array. name, declaration: of that array."""

    expression: str
    name: str
    declaration: str


def split(site: Site, taken: Set[str] = frozenset()) -> Split:
    """`p[i].x` as `p_x[i]`, with `const float* p_x;` or an array of the same extents and space.

    taken: names that the new array cannot have, besides those of the pattern's own texts. Raises ExpressionError where
    the access is not a member of an element in brackets.
    """
    lvalue = site.unit.lvalue
    if not isinstance(lvalue, Select) or (isinstance(site.type, Record) and site.type.kind != "vector"):
        raise ExpressionError("the access is no member of a struct that could have an array of its own", lvalue.place)
    names = find_names(site.unit)
    wanted = f"{site.path.replace('.', '_')}_{'_'.join(_members(lvalue))}"
    used = BUILTIN_NAMES | names.free.keys() | names.arrays.keys() | names.declared.keys() | taken
    name = next(name for name in (wanted + "_" * n for n in range(len(used) + 1)) if name not in used)
    pattern = rewritten(site.pattern, lambda node: _split(node, site.path, name))
    return Split(pattern.expression, name, _declaration(site, name))


def _members(node: Expression) -> list[str]:
    return [*_members(node.base), node.member] if isinstance(node, Select) and not node.arrow else []


def _split(node: Expression, path: str, name: str) -> Expression:
    base = node
    while isinstance(base, Select) and not base.arrow:
        base = base.base
    if base is node or not isinstance(base, Subscript):
        raise ExpressionError(f"write the access as {path}[index].member to give the member its own array", node.place)
    return _on(base, path, name)


def _on(node: Expression, path: str, name: str) -> Expression:
    """The subscripts, on an array of this name."""
    if isinstance(node, Subscript):
        return replace(node, base=_on(node.base, path, name))
    if isinstance(node, Name) and node.name == path:
        return Name(NOWHERE, name)
    raise ExpressionError(f"the access does not name {path} itself, so its index is not known", node.place)


def _declaration(site: Site, name: str) -> str:
    if site.extents == (None,) and site.space == "global":
        qualifier = "const " if site.pattern.op == "ld" else ""
        return f"{qualifier}{spelled(site.type)}* {name};"
    dimensions = "".join(f"[{_dimension(*each)}]" for each in zip(site.extents, site.counts, strict=True))
    dynamic = "extern " if site.extents[0] is None else ""
    return f"{dynamic}{QUALIFIERS[site.space]} {spelled(site.type, name)}{dimensions};"


def _dimension(extent: int | None, count: Expression | None) -> str:
    """In its own words where it has names, so that it turns with them."""
    if count is not None and has_names(count):
        return text_of(count)
    return "" if extent is None else str(extent)


def in_shared_memory(site: Site) -> Pattern:
    """The pattern with its constant array in shared memory: `__constant__` in its declaration is `__shared__`.

    Raises ExpressionError where the array has values from the start, which shared memory cannot have, and where the
    qualifier does not stand in the text.
    """
    if site.assumed:
        return replace(site.pattern, space="shared")
    declared = next(
        d for d in site.unit.declarations if isinstance(d, ObjectDeclaration) and d.name == site.path.split(".")[0]
    )
    if declared.initializer is not None:
        raise ExpressionError(f"{site.path} has its values from the start, which shared memory cannot", declared.place)
    text = site.pattern.declarations
    before = [t for t in tokenize(Text("declarations", text)) if t.place.offset <= declared.place.offset]
    words = [token for token in before if token.spelling in ("__constant__", ";")]
    if not words or words[-1].spelling == ";":
        raise ExpressionError(f"a macro hides the memory qualifier of {site.path}", declared.place)
    start = words[-1].place.offset
    moved = f"{text[:start]}{QUALIFIERS['shared']}{text[start + len(words[-1].spelling) :]}"
    return replace(site.pattern, declarations=moved)
