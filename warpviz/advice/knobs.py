"""A fix and the other values of the scene's knobs: turning one that is there already, and whether a fix still holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.fix import Fix
from warpviz.advice.setting import Count, count_of
from warpviz.expression import ExpressionError, Pattern, Program, parse
from warpviz.expression.site import site_of
from warpviz.model import predict

_EVALUATIONS = 200  # so many keep an answer well under the time in which a reader notices a wait


def turned(array: ArrayAccesses) -> Fix | None:
    """A knob in the array's innermost dimension turned so that every access is free of conflicts.

    Of the values that do, the one with the smallest array, then the nearest.
    """
    setting = array.setting
    found: list[tuple[int, int, str, int]] = []
    names = [name for name in setting.knobs if name in array.site.dimension_names()]
    programs = [setting.programs[member] for member in array.members]
    for name in names:
        for value in _thinned(setting.knobs[name], _EVALUATIONS // len(programs) // len(names)):
            counts = _counts(array, programs, {**setting.values, name: value})
            if counts and all(count.is_least for count in counts):
                size = site_of(array.site.pattern, {**setting.values, name: value}).size_bytes
                found.append((size or 0, abs(value - setting.values[name]), name, value))
    for size, _, name, value in sorted(found):
        values = {**setting.values, name: value}
        weighed = setting.weigh(setting.patterns, values)
        if weighed is not None:
            after = tuple(count.now for count in weighed)
            extra = size - (array.site.size_bytes or 0)
            remark = where_it_holds(array, setting.patterns, values, name)
            title = f"turn {name} to {value}"
            return Fix("turn", title, setting.patterns, values, setting.before, after, "pass", extra, remark)
    return None


@dataclass(frozen=True)
class _Exception:
    name: str
    value: int
    passes: int


def where_it_holds(array: ArrayAccesses, patterns: Sequence[Pattern], values: Mapping[str, int], but: str = "") -> str:
    """For which values of the knobs, each turned with the others left as they are, the array is free of conflicts.

    but: a knob that is not turned, since its value is the fix.
    """
    knobs = array.setting.knobs
    programs = [parse(patterns[member]) for member in array.members]
    used = {name for program in programs for name in program.free_names}
    names = [name for name in knobs if name in used and name != but and len(knobs[name]) > 1]
    if not names:
        return ""
    most = max(_EVALUATIONS // len(programs) // len(names), 1)
    exception = next(_exceptions(array, programs, values, {name: _thinned(knobs[name], most) for name in names}), None)
    if exception is not None:
        name, value, passes = exception.name, exception.value, exception.passes
        return f"not for every {name}: {name} = {value} takes {passes} passes"
    some = " that was tried" if any(len(knobs[name]) > most for name in names) else ""
    return f"for every {_listed(names)}{some}"


def _exceptions(
    array: ArrayAccesses, programs: Sequence[Program], values: Mapping[str, int], tried: Mapping[str, range]
) -> Iterator[_Exception]:
    for name, knob in tried.items():
        for value in knob:
            counts = _counts(array, programs, {**values, name: value})
            conflicting = [count.now for count in counts if not count.is_least]
            if conflicting:
                yield _Exception(name, value, max(conflicting))


def _counts(array: ArrayAccesses, programs: Sequence[Program], values: Mapping[str, int]) -> list[Count]:
    """What the accesses cost with these values; empty where one is in error."""
    try:
        accesses = [program.evaluate(values).access for program in programs]
    except ExpressionError:
        return []
    return [count_of(predict(access, array.setting.arch)) for access in accesses]


def _thinned(knob: range, most: int) -> range:
    """At most so many of the knob's values, evenly spread."""
    return knob[:: -(-len(knob) // max(most, 1)) or 1]


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
