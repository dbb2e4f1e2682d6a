"""Whether a scene means the same when an array is laid out anew: at its values, and at the others of its knobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import prod

from warpviz.advice.arrays import ArrayAccesses
from warpviz.advice.evaluated import Evaluated
from warpviz.advice.samples import points
from warpviz.advice.setting import Setting
from warpviz.expression import Evaluation, ExpressionError, Launch, Pattern
from warpviz.expression.arrangement import Arrangement
from warpviz.expression.site import Site
from warpviz.hardware import LANES

ArrangementAt = Callable[[Site], Arrangement | None]

MOST = 40  # values of a knob that are tried; a longer one is sampled
_NEXT_WARPS = 3  # so many are looked at, and the last


def obstacle(array: ArrayAccesses) -> str:
    """Why the array has to stay as it is: an access falls in it together with another array, or sees it otherwise.

    Empty where nothing is in the way, also with the other values of the knobs.
    """
    setting = array.setting
    evaluated = setting.evaluated
    for values in [setting.values, *points(used_knobs(array, evaluated), setting.values, MOST)]:
        for index in range(len(setting.patterns)):
            said = _seen_otherwise(array, index, evaluated.evaluation(index, values), evaluated.site(index, values))
            if said:
                at = said_values(setting.values, values)
                return f"{array.site.path} stays as it is: access {index + 1}{f', with {at},' if at else ''} {said}"
    return ""


def _seen_otherwise(
    array: ArrayAccesses, index: int, evaluation: Evaluation | ExpressionError, site: Site | ExpressionError
) -> str:
    """What an access does with the array that keeps it in its place."""
    if isinstance(evaluation, ExpressionError) or not evaluation.access.active.any():
        return ""
    path, member = array.site.path, index in array.members
    if isinstance(site, ExpressionError):
        reached = evaluation.object_name.split(", ")
        if path.split(".")[0] not in reached:
            return ""
        others = [name for name in reached if name != path]
        return f"falls in {path} and {others[0]} at once" if others else f"reaches more of {path} than one array"
    if evaluation.warnings:
        return ""
    if member:
        return "" if site.path == path else f"falls in {site.path}"
    if site.path == path:
        return "sees it in another shape, or not always"
    unsized = site.space == array.site.space == "shared" and site.extents[0] is array.site.extents[0] is None
    return f"falls in {site.path}, which begins at the same byte" if unsized else ""


def disagreement(array: ArrayAccesses, new: Evaluated, arrangement_at: ArrangementAt) -> tuple[str, frozenset[str]]:
    """Why the rewritten scene does not mean the same, empty where it does; and the knobs in the array's dimensions
    with whose present values alone it does.

    new: the scene with the array rewritten. arrangement_at: how the array of a site is then laid out, None where it
    cannot be.

    Every access is compared, lane by lane, with where it has to fall: in the array by the arrangement, elsewhere
    where it did. What is outside an array, or in error, before the change is of no account.
    """
    setting = array.setting
    old = setting.evaluated
    knobs = used_knobs(array, old)
    in_extents = array.site.extent_names().intersection(knobs)
    free = {name: knob for name, knob in knobs.items() if name not in in_extents}
    for values in [setting.values, *points(free, setting.values, MOST)]:
        if not _agree(array.site.path, old, new, values, arrangement_at):
            at = said_values(setting.values, values)
            return _crossing(array, f"with {at} " if at else ""), frozenset()
    for where, old_there, new_there in _elsewhere(setting, new):
        if not _agree(array.site.path, old_there, new_there, setting.values, arrangement_at):
            return _crossing(array, f"{where} "), frozenset()
    everywhere = points(knobs, setting.values, MOST) if in_extents else ()
    if all(_agree(array.site.path, old, new, values, arrangement_at) for values in everywhere):
        return "", frozenset()
    return "", in_extents


def used_knobs(array: ArrayAccesses, evaluated: Evaluated) -> dict[str, range]:
    """The knobs with several values that some access of the scene uses, in the scene's order."""
    names = evaluated.names(range(len(evaluated)))
    return {name: knob for name, knob in array.setting.knobs.items() if name in names and len(knob) > 1}


def _crossing(array: ArrayAccesses, where: str) -> str:
    return (
        f"{where}an index of {array.site.path} crosses its rows or is worked out by hand, "
        "so it would not move with them"
    )


def said_values(present: Mapping[str, int], values: Mapping[str, int]) -> str:
    """The values that are not the present ones, in words."""
    return " and ".join(f"{name} = {value}" for name, value in values.items() if value != present[name])


def _agree(path: str, old: Evaluated, new: Evaluated, values: Mapping[str, int], arrangement_at: ArrangementAt) -> bool:
    """Whether every access falls where it has to, with these values."""
    for index in range(len(old)):
        before, site = old.evaluation(index, values), old.site(index, values)
        if isinstance(before, ExpressionError) or before.warnings or isinstance(site, ExpressionError):
            continue
        after, moved = new.evaluation(index, values), new.site(index, values)
        if isinstance(after, ExpressionError) or after.warnings or isinstance(moved, ExpressionError):
            return False
        wanted = site.offsets
        if site.path == path:
            here = arrangement_at(site)
            if here is None:
                return False
            wanted = here.moved(site.offsets)
        lanes = site.active
        same_lanes = bool((moved.active == lanes).all()) and moved.path == site.path
        if not same_lanes or (moved.offsets != wanted)[lanes].any():
            return False
    return True


def _elsewhere(setting: Setting, new: Evaluated) -> Iterator[tuple[str, Evaluated, Evaluated]]:
    """The scene before and after in the next warps of its blocks, in the last, and in another block."""
    warps = max(_warps(pattern.launch) for pattern in setting.patterns)
    others = [("in another warp", step, 0) for step in sorted({*range(1, min(warps, _NEXT_WARPS)), warps - 1})]
    for where, warp, block in [*(other for other in others if other[1]), ("in another block", 0, 1)]:
        old_there, new_there = (
            Evaluated([_there(pattern, warp, block) for pattern in patterns], setting.arch)
            for patterns in (setting.patterns, new.patterns)
        )
        yield where, old_there, new_there


def _there(pattern: Pattern, warp: int, block: int) -> Pattern:
    """The pattern so many warps and blocks further on, round the end of either."""
    launch = pattern.launch
    x, y, z = launch.block_index
    x += block
    if launch.grid is not None:
        x %= launch.grid[0]
    warp = (launch.warp + warp) % _warps(launch)
    return replace(pattern, launch=replace(launch, warp=warp, block_index=(x, y, z)))


def _warps(launch: Launch) -> int:
    return -(-prod(launch.block) // LANES)
