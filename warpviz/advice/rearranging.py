"""Trying one kind of arrangement on a shared array: the best one as a Fix, or a sentence on why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import numpy as np

from warpviz.advice.agreement import disagreement
from warpviz.advice.arrays import ArrayAccesses, Trial, arrange, try_out
from warpviz.advice.evaluated import Evaluated
from warpviz.advice.fix import Fix
from warpviz.advice.knobs import where_it_holds
from warpviz.expression import ExpressionError, Pattern
from warpviz.expression.arrangement import Padding, Swizzle
from warpviz.expression.site import Site

A = TypeVar("A", Padding, Swizzle)


@dataclass(frozen=True)
class Way(Generic[A]):
    """One kind of arrangement. arrangements: to try, the most wanted first. title: in few words, imperative.

    at: the arrangement of the array when its dimensions have other values; None where they cannot have it.
    """

    kind: Literal["pad", "swizzle"]
    arrangements: Sequence[A]
    rewrite: Callable[[Site, A], Pattern]
    at: Callable[[A, Site], A | None]
    title: Callable[[A], str]
    remark: Callable[[A], str]


@dataclass(frozen=True)
class Attempt:
    """fix: None where the way does not lead anywhere. free: of conflicts, in every access of the array.

    misaligned: the first arrangement that would have been free but for the alignment. sentence: what stands in the
    way, empty where it is only that no arrangement is better.
    """

    fix: Fix | None = None
    free: bool = False
    misaligned: Padding | Swizzle | None = None
    sentence: str = ""


def attempt(array: ArrayAccesses, way: Way[A]) -> Attempt:
    """The best arrangement of this kind, written into the patterns and evaluated."""
    if not way.arrangements:
        return Attempt()
    trial = try_out(array, way.arrangements)
    misaligned = _misaligned(trial, way.arrangements)
    best = trial.best(array.now)
    if best is None:
        return Attempt(misaligned=misaligned)
    chosen = way.arrangements[best]
    try:
        patterns, moved = arrange(array, chosen, lambda site: way.rewrite(site, chosen))
    except ExpressionError as error:
        return Attempt(misaligned=misaligned, sentence=error.sentence)
    setting = array.setting
    weighed = setting.weigh(patterns, setting.values)
    if weighed is None:
        return Attempt(misaligned=misaligned, sentence="an access of the scene would leave its array")
    new = Evaluated(patterns, setting.arch)
    sentence, only = disagreement(array, new, lambda site: way.at(chosen, site))
    if sentence:
        return Attempt(misaligned=misaligned, sentence=sentence)
    if not setting.is_cheaper(weighed):
        return Attempt(misaligned=misaligned)
    free = array.is_least(weighed)
    size, old = moved.size_bytes, array.site.size_bytes
    fix = Fix(
        way.kind,
        way.title(chosen),
        patterns,
        setting.values,
        setting.before,
        tuple(count.now for count in weighed),
        "pass",
        0 if way.kind == "swizzle" else None if size is None or old is None else size - old,
        "; ".join(filter(None, _remarks(array, way.remark(chosen), new, only, free=free))),
    )
    return Attempt(fix, free, misaligned)


def _misaligned(trial: Trial, arrangements: Sequence[A]) -> A | None:
    lost = np.flatnonzero(trial.free & ~trial.aligned)
    return arrangements[int(lost[0])] if lost.size else None


def _remarks(array: ArrayAccesses, own: str, new: Evaluated, only: frozenset[str], *, free: bool) -> list[str]:
    """only: the knobs with whose present values alone the array is laid out right."""
    widest = max(access.width for access in array.accesses)
    aligned = f"keeps {widest}-byte alignment" if widest > array.site.element_bytes else ""
    values = array.setting.values
    holds = where_it_holds(array, new, values, only) if free else "some conflicts stay"
    right = ", ".join(f"{name} = {values[name]}" for name in array.setting.knobs if name in only)
    return [own, aligned, holds, f"only for {right}" if right else ""]
