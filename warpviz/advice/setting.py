"""A scene as it stands: its accesses with their values and costs, against which every fix is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from warpviz.access import Access
from warpviz.expression import Evaluation, ExpressionError, Pattern, parse
from warpviz.expression.rewrite import with_assumed_tiles
from warpviz.expression.site import Site, site_of
from warpviz.hardware import SECTOR_BYTES, Space
from warpviz.model import Cost, predict

Unit = Literal["pass", "sector", "request"]
UNITS: dict[Space, Unit] = {"shared": "pass", "global": "sector", "const": "request"}


@dataclass(frozen=True)
class Count:
    """What an access costs, and the least that its lanes and bytes could cost: wavefronts, sectors or requests."""

    now: int
    least: int

    @property
    def is_least(self) -> bool:
        return self.now <= self.least


def count_of(cost: Cost) -> Count:
    """The count that its memory space is judged by, of a batch of one."""
    if cost.wavefronts is not None and cost.ideal_wavefronts is not None:
        return Count(int(cost.wavefronts[0]), int(cost.ideal_wavefronts[0]))
    if cost.sectors is not None and cost.bytes_used is not None:
        return Count(int(cost.sectors[0]), -(-int(cost.bytes_used[0]) // SECTOR_BYTES))
    assert cost.requests is not None, "constant memory counts requests"
    requests = int(cost.requests[0])
    return Count(requests, min(requests, 1))


class Setting:
    """patterns: the scene's accesses. values: of their names. knobs: the values that a name may take.

    Raises ExpressionError where a pattern does not evaluate, ValueError for an arch that is none.
    """

    def __init__(
        self, patterns: Sequence[Pattern], values: Mapping[str, int], arch: str, knobs: Mapping[str, range]
    ) -> None:
        self.patterns = tuple(patterns)
        self.values = dict(values)
        self.arch = arch
        self.knobs = {name: knobs[name] for name in knobs if name in values}
        self.programs = tuple(map(parse, self.patterns))
        self.evaluations: tuple[Evaluation, ...] = tuple(program.evaluate(values) for program in self.programs)
        self.counts = tuple(count_of(predict(evaluation.access, arch)) for evaluation in self.evaluations)

    @property
    def before(self) -> tuple[int, ...]:
        """What each access costs now."""
        return tuple(count.now for count in self.counts)

    def access(self, index: int) -> Access:
        """One of them, a batch of one."""
        return self.evaluations[index].access

    @cached_property
    def sites(self) -> tuple[Site | ExpressionError, ...]:
        """Where each access falls, or why that cannot be told."""
        return tuple(self._site(pattern) for pattern in self.patterns)

    def _site(self, pattern: Pattern) -> Site | ExpressionError:
        try:
            return site_of(with_assumed_tiles(pattern), self.values)
        except ExpressionError as error:
            return error

    def weigh(self, patterns: Sequence[Pattern], values: Mapping[str, int]) -> tuple[Count, ...] | None:
        """What the accesses cost when rewritten so; None where one is in error, or outside its array as it was not."""
        counts: list[Count] = []
        for pattern, old in zip(patterns, self.evaluations, strict=True):
            try:
                new = parse(pattern).evaluate(values)
            except ExpressionError:
                return None
            if len(new.warnings) > len(old.warnings):
                return None
            counts.append(count_of(predict(new.access, self.arch)))
        return tuple(counts)
