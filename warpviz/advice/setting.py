"""A scene as it stands: its accesses with their values and costs, against which every fix is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpviz.access import Access
from warpviz.advice.count import Count, count_of
from warpviz.advice.evaluated import Evaluated
from warpviz.advice.fix import Unit
from warpviz.expression import Evaluation, ExpressionError, Pattern, parse
from warpviz.expression.site import Site
from warpviz.hardware import Space
from warpviz.model import predict

UNITS: dict[Space, Unit] = {"shared": "pass", "global": "sector", "const": "request"}


class Setting:
    """patterns: the scene's accesses. values: of their names. knobs: the values that a name may take.

    sites: where each access falls, or why that cannot be told.

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
        self.evaluated = Evaluated(self.patterns, arch)
        self.sites: tuple[Site | ExpressionError, ...] = tuple(
            self.evaluated.site(index, values) for index in range(len(self.patterns))
        )
        self.counts = tuple(count_of(predict(evaluation.access, arch)) for evaluation in self.evaluations)

    @property
    def before(self) -> tuple[int, ...]:
        """What each access costs now."""
        return tuple(count.now for count in self.counts)

    def access(self, index: int) -> Access:
        """One of them, a batch of one."""
        return self.evaluations[index].access

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

    def is_cheaper(self, weighed: Sequence[Count]) -> bool:
        """Whether the accesses cost less together, and those of no memory space cost more."""
        change = dict.fromkeys(UNITS, 0)
        for evaluation, old, new in zip(self.evaluations, self.counts, weighed, strict=True):
            change[evaluation.access.space] += new.now - old.now
        return max(change.values()) <= 0 and min(change.values()) < 0
