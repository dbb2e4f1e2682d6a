"""What would make a scene's accesses cheaper, and why something would not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from warpviz.expression import Pattern

Kind = Literal["turn", "pad", "swizzle", "soa", "wider", "align", "coalesce", "move"]
Unit = Literal["pass", "sector", "request"]


@dataclass(frozen=True)
class Fix:
    """One way to make accesses cheaper.

    title: short and imperative. patterns: all the scene's accesses, rewritten; empty where the text cannot be
    rewritten for the user. values: the names' values after it. before, after: the cost of each access, in the order
    of the patterns: wavefronts of shared memory, sectors of global memory, requests of constant memory; where the unit
    is a request, requests for the same bytes. unit: of the accesses that the fix is about. extra_bytes: how much
    larger the array becomes; None where it has no size. remark: what else it costs, and for which values it holds.
    """

    kind: Kind
    title: str
    patterns: tuple[Pattern, ...]
    values: Mapping[str, int]
    before: tuple[int, ...]
    after: tuple[int, ...]
    unit: Unit
    extra_bytes: int | None
    remark: str = ""


@dataclass(frozen=True)
class Advice:
    """fixes: best first. refusals: a sentence each on what cannot help. already: said where nothing is to mend."""

    fixes: tuple[Fix, ...]
    refusals: tuple[str, ...]
    already: str
