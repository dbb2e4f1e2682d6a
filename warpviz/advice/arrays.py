"""The accesses of a scene that fall in one array, and what other arrangements of that array would cost them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.advice.count import Count
from warpviz.advice.setting import Setting
from warpviz.expression import ExpressionError, Pattern
from warpviz.expression.arrangement import Arrangement
from warpviz.expression.layout import Record
from warpviz.expression.site import Site, site_of
from warpviz.hardware import WORD_BYTES, Space
from warpviz.model import predict

Rewrite = Callable[[Site], Pattern]


@dataclass(frozen=True, eq=False)
class ArrayAccesses:
    """An array, and the accesses of the setting that fall in it. members: their indices. sites: one for each."""

    setting: Setting
    members: tuple[int, ...]
    sites: tuple[Site, ...]

    @property
    def site(self) -> Site:
        """One of the sites: what the array is, they agree on."""
        return self.sites[0]

    @property
    def accesses(self) -> tuple[Access, ...]:
        return tuple(map(self.setting.access, self.members))

    @property
    def now(self) -> int:
        """What the accesses cost together."""
        return sum(self.setting.counts[member].now for member in self.members)

    def unit_bytes(self) -> int:
        """Bytes that have to stay together: the widest access, the longest step of an index, and a bank's word."""
        return max(WORD_BYTES, *(a.width for a in self.accesses), *(site.step_bytes for site in self.sites))

    def is_least(self, counts: Sequence[Count]) -> bool:
        """Whether the accesses cost no more than they have to."""
        return all(counts[member].is_least for member in self.members)

    def with_patterns(self, patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
        """All the scene's accesses, the members rewritten. The others take over the declarations they shared."""
        changed = {
            self.setting.patterns[member].declarations: pattern.declarations
            for member, pattern in zip(self.members, patterns, strict=True)
        }
        scene = [
            replace(pattern, declarations=changed.get(pattern.declarations, pattern.declarations))
            for pattern in self.setting.patterns
        ]
        for member, pattern in zip(self.members, patterns, strict=True):
            scene[member] = pattern
        return tuple(scene)


@dataclass(frozen=True, eq=False)
class Trial:
    """Arrangements tried, of shape (N,). wavefronts: of all accesses together. free: of conflicts in every access.

    aligned: every address stays a multiple of its access's width.
    """

    wavefronts: NDArray[np.int64]
    free: NDArray[np.bool_]
    aligned: NDArray[np.bool_]

    def best(self, now: int) -> int | None:
        """The first one that is free of conflicts, else the first of the cheapest; None where none is below now."""
        free = np.flatnonzero(self.free & self.aligned)
        if free.size:
            return int(free[0])
        possible = np.flatnonzero(self.aligned & (self.wavefronts < now))
        return int(possible[self.wavefronts[possible].argmin()]) if possible.size else None


def try_out(array: ArrayAccesses, arrangements: Sequence[Arrangement]) -> Trial:
    """What each arrangement of the array costs, by its addresses alone."""
    count = len(arrangements)
    wavefronts = np.zeros(count, np.int64)
    free, aligned = np.ones(count, np.bool_), np.ones(count, np.bool_)
    for site, access in zip(array.sites, array.accesses, strict=True):
        moved = [site.start + arrangement.moved(site.offsets) for arrangement in arrangements]
        addresses = np.where(access.active, np.stack(moved), 0)
        misplaced = access.pointing & (addresses % access.width != 0)
        aligned &= ~misplaced.any(axis=1)
        batch = replace(access, addresses=addresses, active=np.repeat(access.active, count, axis=0))
        cost = predict(batch, array.setting.arch)
        assert cost.wavefronts is not None, "the array is in shared memory"
        assert cost.conflicts is not None, "as above"
        wavefronts += cost.wavefronts
        free &= cost.conflicts == 0
    return Trial(wavefronts, free, aligned)


def arrange(array: ArrayAccesses, arrangement: Arrangement, rewrite: Rewrite) -> tuple[tuple[Pattern, ...], Site]:
    """All the scene's accesses with the array rewritten, and the array as it is then. rewrite: one access's text.

    Raises ExpressionError where the text cannot be rewritten, or would not put every lane where the arrangement does.
    """
    patterns = tuple(map(rewrite, array.sites))
    for site, access, pattern in zip(array.sites, array.accesses, patterns, strict=True):
        reached = site_of(pattern, array.setting.values)
        lanes = access.active[0]
        if (reached.offsets[lanes] != arrangement.moved(site.offsets)[lanes]).any():
            raise ExpressionError(
                f"an index of {site.path} crosses its rows or is worked out by hand, so it would not move with them",
                site.unit.lvalue.place,
            )
    return array.with_patterns(patterns), reached


def arrays_in(setting: Setting, space: Space) -> list[ArrayAccesses]:
    """The arrays of a memory space, in the order of their first access; those accesses left out that fall in no one."""
    groups: dict[tuple[object, ...], list[tuple[int, Site]]] = {}
    for index, site in enumerate(setting.sites):
        if isinstance(site, Site) and site.space == space:
            groups.setdefault((site.path, site.extents, site.element_bytes, site.start), []).append((index, site))
    return [ArrayAccesses(setting, tuple(i for i, _ in g), tuple(site for _, site in g)) for g in groups.values()]


def elements(count: int, site: Site) -> str:
    """So many elements of the array, in words."""
    name = "element" if isinstance(site.element, Record) and site.element.kind != "vector" else str(site.element)
    if count == 1:
        return f"1 {name}"
    return f"{count} {'halves' if name == 'half' else f'{name}s'}"
