"""Accesses at any values of their names, each evaluated once for the values that it depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from warpviz.advice.count import Count, count_of
from warpviz.expression import Evaluation, ExpressionError, Pattern, parse
from warpviz.expression.rewrite import with_assumed_tiles
from warpviz.expression.site import Site, site_in
from warpviz.model import predict

_Key = tuple[int, tuple[int | None, ...]]


class Evaluated:
    """patterns: accesses of one scene. Raises ExpressionError for a text that does not parse."""

    def __init__(self, patterns: Sequence[Pattern], arch: str) -> None:
        self.patterns = tuple(map(with_assumed_tiles, patterns))
        self._arch = arch
        self._programs = tuple(map(parse, self.patterns))
        self._evaluations: dict[_Key, Evaluation | ExpressionError] = {}
        self._sites: dict[_Key, Site | ExpressionError] = {}
        self._counts: dict[_Key, Count] = {}

    def names(self, indices: Iterable[int]) -> frozenset[str]:
        """The names of these accesses that need a value."""
        return frozenset(name for index in indices for name in self._programs[index].free_names)

    def __len__(self) -> int:
        return len(self.patterns)

    def evaluation(self, index: int, values: Mapping[str, int]) -> Evaluation | ExpressionError:
        """One access, or why it is none with these values."""
        key = self._key(index, values)
        if key not in self._evaluations:
            try:
                self._evaluations[key] = self._programs[index].evaluate(values)
            except ExpressionError as error:
                self._evaluations[key] = error
        return self._evaluations[key]

    def site(self, index: int, values: Mapping[str, int]) -> Site | ExpressionError:
        """Where one access falls, or why that cannot be told."""
        key = self._key(index, values)
        if key not in self._sites:
            self._sites[key] = self._found(index, self.evaluation(index, values))
        return self._sites[key]

    def count(self, index: int, values: Mapping[str, int]) -> Count | None:
        """What one access costs; None where it is in error."""
        key = self._key(index, values)
        if key not in self._counts:
            evaluation = self.evaluation(index, values)
            if isinstance(evaluation, ExpressionError):
                return None
            self._counts[key] = count_of(predict(evaluation.access, self._arch))
        return self._counts[key]

    def _found(self, index: int, evaluation: Evaluation | ExpressionError) -> Site | ExpressionError:
        if isinstance(evaluation, ExpressionError):
            return evaluation
        try:
            return site_in(self.patterns[index], evaluation)
        except ExpressionError as error:
            return error

    def _key(self, index: int, values: Mapping[str, int]) -> _Key:
        return index, tuple(values.get(name) for name in self._programs[index].free_names)
