"""A fix and the other values of the scene's knobs: turning one that is there already, and whether a fix still holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from warpviz.advice.agreement import MOST, said_values, used_knobs
from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.evaluated import Evaluated
from warpviz.advice.fix import Fix
from warpviz.advice.samples import points, sample
from warpviz.expression import ExpressionError
from warpviz.expression.site import Site

_MOST_TURNS = 100  # so many values of a knob are tried as the fix
_FIRST_TURNS = 65


def turned(array: ArrayAccesses) -> Fix | None:
    """A knob in the array's innermost dimension turned so that every access is free of conflicts.

    Of the values that do, the one with the smallest array, then the nearest. Nothing leaves its array by it that is
    inside now, also with the other values of the other knobs.
    """
    setting = array.setting
    for size, name, value in _turns(array):
        values = {**setting.values, name: value}
        weighed = setting.weigh(setting.patterns, values)
        if weighed is None or not setting.is_cheaper(weighed) or _leaves(array, values, name):
            continue
        return Fix(
            "turn",
            f"turn {name} to {value}",
            setting.patterns,
            values,
            setting.before,
            tuple(count.now for count in weighed),
            "pass",
            size - (array.site.size_bytes or 0),
            where_it_holds(array, setting.evaluated, values, (name,)),
        )
    return None


def _turns(array: ArrayAccesses) -> list[tuple[int, str, int]]:
    """(bytes of the array, knob, value) that make every access of the array free of conflicts, the best first."""
    setting, evaluated = array.setting, array.setting.evaluated
    found: list[tuple[int, int, str, int]] = []
    for name in array.site.dimension_names().intersection(setting.knobs):
        present = setting.values[name]
        for value in sample(setting.knobs[name], present, _MOST_TURNS, _FIRST_TURNS):
            values = {**setting.values, name: value}
            counts = (evaluated.count(member, values) for member in array.members)
            if all(count is not None and count.is_least for count in counts):
                site = evaluated.site(array.members[0], values)
                size = site.size_bytes if isinstance(site, Site) else None
                found.append((size or 0, abs(value - present), name, value))
    return [(size, name, value) for size, _, name, value in sorted(found)]


def _leaves(array: ArrayAccesses, values: Mapping[str, int], name: str) -> bool:
    """Whether an access that is inside its array now is not with a knob turned, at any value of the others."""
    setting, evaluated = array.setting, array.setting.evaluated
    others = {other: knob for other, knob in used_knobs(array, evaluated).items() if other != name}
    for point in [values, *points(others, values, MOST)]:
        for index in range(len(evaluated)):
            now = evaluated.evaluation(index, {**point, name: setting.values[name]})
            then = evaluated.evaluation(index, point)
            if isinstance(now, ExpressionError) or now.warnings:
                continue
            if isinstance(then, ExpressionError) or then.warnings:
                return True
    return False


def where_it_holds(
    array: ArrayAccesses, evaluated: Evaluated, values: Mapping[str, int], but: Collection[str] = ()
) -> str:
    """For which values of the knobs the array is free of conflicts: each turned with the others left, and at corners.

    evaluated: the scene with the fix. but: knobs that are not turned, since the fix is right for these values alone.
    """
    names = evaluated.names(array.members).difference(but)
    knobs = {name: knob for name, knob in used_knobs(array, evaluated).items() if name in names}
    if not knobs:
        return ""
    limits: dict[str, None] = {}
    for point in points(knobs, values, MOST):
        passes = max(_conflicting(array, evaluated, point, limits), default=0)
        if passes:
            turned_to = [name for name in knobs if point[name] != values[name]]
            takes = "take" if len(turned_to) > 1 else "takes"
            at = said_values(values, point) or ", ".join(f"{name} = {value}" for name, value in point.items())
            return f"not for every {_listed(turned_to or list(knobs))}: {at} {takes} {passes} passes"
    some = any(len(sample(knob, values[name], MOST)) < len(knob) for name, knob in knobs.items())
    said = " and ".join([*limits, *(["was tried"] if some else [])])
    return f"for every {_listed(list(knobs))}{f' that {said}' if said else ''}"


def _conflicting(
    array: ArrayAccesses, evaluated: Evaluated, values: Mapping[str, int], limits: dict[str, None]
) -> Iterator[int]:
    """The passes of the accesses that have conflicts. limits: takes up why others are of no account."""
    for member in array.members:
        evaluation, count = evaluated.evaluation(member, values), evaluated.count(member, values)
        if isinstance(evaluation, ExpressionError) or count is None:
            limits["can be evaluated"] = None
        elif evaluation.warnings:
            limits[f"stays inside {array.site.path}"] = None
        elif not count.is_least:
            yield count.now


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
