"""An array of structs taken apart: each member that is accessed in an array of its own."""

from __future__ import annotations

from dataclasses import replace

from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.fix import Fix
from warpviz.advice.setting import UNITS
from warpviz.expression import ExpressionError, Pattern
from warpviz.expression.layout import Record
from warpviz.expression.members import Split, split
from warpviz.expression.syntax import Select


def own_arrays(array: ArrayAccesses) -> tuple[Fix | None, list[str]]:
    """A struct of arrays for an array of structs, where it is cheaper; a sentence where the text hides a member."""
    site, setting = array.site, array.setting
    members = isinstance(site.element, Record) and all(isinstance(s.unit.lvalue, Select) for s in array.sites)
    if not members or any(access.width >= site.element_bytes for access in array.accesses):
        return None, []
    taken = {name for program in setting.programs for name in program.free_names}
    try:
        splits = [split(member, taken) for member in array.sites]
    except ExpressionError as error:
        return None, [error.sentence]
    patterns = array.with_patterns(_patterns(array, splits))
    weighed = setting.weigh(patterns, setting.values)
    if weighed is None or not setting.is_cheaper(weighed):
        return None, []
    names = list(dict.fromkeys(part.name for part in splits))
    own = "arrays of their own" if len(names) > 1 else "an array of its own"
    fix = Fix(
        "soa",
        f"take {site.path} apart: {' and '.join(names)} as {own}",
        patterns,
        setting.values,
        setting.before,
        tuple(count.now for count in weighed),
        UNITS[site.space],
        0,
        "a struct of arrays: no lane steps over the members that it does not need",
    )
    return fix, []


def _patterns(array: ArrayAccesses, splits: list[Split]) -> list[Pattern]:
    """The members' patterns, each with the declarations of all the new arrays."""
    lines: dict[str, str] = {}
    for part in splits:
        if lines.get(part.name, "const ").startswith("const "):  # a pointer that someone stores through is not const
            lines[part.name] = part.declaration
    added = "".join(f"{line}\n" for line in lines.values())
    return [
        replace(member.pattern, expression=part.expression, declarations=_with_line(member.pattern.declarations, added))
        for member, part in zip(array.sites, splits, strict=True)
    ]


def _with_line(declarations: str, line: str) -> str:
    separator = "\n" if declarations and not declarations.endswith("\n") else ""
    return f"{declarations}{separator}{line}"
