"""What would mend a scene: the smallest padding, a swizzle, and for global memory what coalescing would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from warpviz.advice import constant
from warpviz.advice.agreement import obstacle
from warpviz.advice.arrays import arrays_in
from warpviz.advice.coalescing import coalesced
from warpviz.advice.fix import Advice, Fix
from warpviz.advice.members import own_arrays
from warpviz.advice.setting import Setting
from warpviz.advice.sharing import mend
from warpviz.expression import ExpressionError, Pattern, parse
from warpviz.hardware import Space

__all__ = ["Advice", "Fix", "advise"]

_LEAST: dict[Space, str] = {
    "shared": "every access is free of conflicts",
    "global": "every access moves only the sectors that its bytes need",
    "const": "every access is one request",
}
Findings = tuple[list[Fix], list[str]]


def advise(
    patterns: Sequence[Pattern], values: Mapping[str, int], arch: str, knobs: Mapping[str, range] | None = None
) -> Advice:
    """Look for what makes every access of a scene cheaper.

    values: of the patterns' names. knobs: all the values that a name may take; fixes are checked over them, and a
    knob that stands in a dimension may be the fix. A fix is evaluated before it is given: `after` is its real cost,
    and it is less, over all the accesses of a memory space. Where an access cannot be evaluated with these values,
    nothing is known of what it reaches, so that is all that is said.

    Raises ExpressionError for a text that does not parse, ValueError for an arch that is none.
    """
    errors = _errors(patterns, values)
    if errors:
        return Advice((), tuple(errors), "")
    setting = Setting(patterns, values, arch, knobs or {})
    found = [_shared(setting), _global(setting), _constant(setting)]
    fixes = [fix for part, _ in found for fix in part]
    refusals = [sentence for _, part in found for sentence in part]
    mended = not refusals and all(count.is_least for count in setting.counts)
    already = _already(setting) if mended else ""
    return Advice(tuple(sorted(fixes, key=_rank)), tuple(dict.fromkeys(refusals)), already)


def _errors(patterns: Sequence[Pattern], values: Mapping[str, int]) -> list[str]:
    """A sentence on each access that cannot be evaluated with these values."""
    sentences = []
    for number, pattern in enumerate(patterns, 1):
        program = parse(pattern)
        try:
            program.evaluate(values)
        except ExpressionError as error:
            sentences.append(f"access {number} cannot be evaluated: {error.sentence}")
    return sentences


def _rank(fix: Fix) -> tuple[bool, int, float]:
    """Wider loads last, since they mend nothing; else by cost, then by bytes."""
    return fix.kind == "wider", sum(fix.after), inf if fix.extra_bytes is None else fix.extra_bytes


def _already(setting: Setting) -> str:
    spaces = {evaluation.access.space for evaluation in setting.evaluations}
    return _LEAST[spaces.pop()] if len(spaces) == 1 else "every access costs as little as it can"


def _shared(setting: Setting) -> Findings:
    arrays = [array for array in arrays_in(setting, "shared") if not array.is_least(setting.counts)]
    found = [mend(array) for array in arrays]
    nowhere = [f"no padding and no swizzle is looked for: {sentence}" for sentence in _unplaced(setting, "shared")]
    return [fix for fixes, _ in found for fix in fixes], [s for _, sentences in found for s in sentences] + nowhere


def _global(setting: Setting) -> Findings:
    fixes: list[Fix] = []
    sentences: list[str] = []
    apart: set[int] = set()
    for array in arrays_in(setting, "global"):
        if not array.is_least(setting.counts):
            fix, why_not = own_arrays(array)
            stays = obstacle(array) if fix is not None else ""
            fix, why_not = (None, [stays]) if stays else (fix, why_not)
            fixes += [fix] if fix is not None else []
            sentences += why_not
            apart |= set(array.members) if fix is not None else set()
    for index, evaluation in enumerate(setting.evaluations):
        if evaluation.access.space == "global" and index not in apart:
            more, why_not = coalesced(setting, index)
            fixes += more
            sentences += why_not
    return fixes, sentences


def _constant(setting: Setting) -> Findings:
    arrays = [array for array in arrays_in(setting, "const") if not array.is_least(setting.counts)]
    costly = any(
        evaluation.access.space == "const" and not count.is_least
        for evaluation, count in zip(setting.evaluations, setting.counts, strict=True)
    )
    obstacles = [obstacle(array) for array in arrays]
    moved = [constant.moved(array) for array, stays in zip(arrays, obstacles, strict=True) if not stays]
    refusals = [*filter(None, obstacles), *([constant.UNIFORM_ALONE] if costly else [])]
    return [fix for fix in moved if fix is not None], refusals


def _unplaced(setting: Setting, space: Space) -> list[str]:
    """Why accesses of a space that cost more than they have to fall in no one array."""
    return [
        site.sentence
        for site, count, evaluation in zip(setting.sites, setting.counts, setting.evaluations, strict=True)
        if isinstance(site, ExpressionError) and not count.is_least and evaluation.access.space == space
    ]
