"""Who waits for whom: the order in which basic blocks run while threads wait for several of them.

The first one runs. So threads that have parted meet again where their ways join first, as ptxas lets them (BSSY and
BSYNC), and threads that have left a loop wait behind it for the others. Blocks on a way out of a loop that only some
threads take, such as the statements before a break, do not wait: they come before the loop.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpviz.kernel.program.graphs import (
    Next,
    components,
    first_on_every_path,
    reachable,
    reverse_postorder,
    reversed_edges,
)


def running_order(following: Sequence[Sequence[int]], is_empty: Sequence[bool]) -> list[int]:
    """All blocks, each by its number, in the order in which they run.

    following: of each block, those that may come next; all are reached from block 0. is_empty: whether a block does
    nothing but end.
    """
    ends = {node for node, targets in enumerate(following) if not targets and is_empty[node]}
    return _arranged(set(range(len(following))), 0, following, ends)


def _arranged(region: set[int], entry: int, following: Sequence[Sequence[int]], ends: set[int]) -> list[int]:
    """The order of a region's blocks. What leads back to its entry does not count."""
    nexts = {node: [each for each in following[node] if each in region and each != entry] for node in region}
    order = reverse_postorder(entry, nexts.__getitem__)
    left = components(order, nexts.__getitem__)
    return _laid_out(left, _Region(order, nexts, ends), following, ends)


def _laid_out(left: list[list[int]], region: _Region, following: Sequence[Sequence[int]], ends: set[int]) -> list[int]:
    laid_out: list[int] = []
    while left:
        component = left.pop(0)
        if not region.is_loop(component):
            laid_out += component
            continue
        early = region.side_ways(component)
        laid_out += _laid_out([each for each in left if each[0] in early], region, following, ends)
        left = [each for each in left if each[0] not in early]
        laid_out += _arranged(set(component), component[0], following, ends)
    return laid_out


class _Region:
    """Part of a graph: nodes in reverse postorder, their edges, and nodes that do nothing but end."""

    def __init__(self, order: list[int], nexts: dict[int, list[int]], ends: set[int]) -> None:
        self._order = order
        self._following: Next = nexts.__getitem__
        self._ends = ends
        self._before = reversed_edges(order, self._following)

    def is_loop(self, component: list[int]) -> bool:
        return len(component) > 1 or component[0] in self._following(component[0])

    def side_ways(self, loop: list[int]) -> set[int]:
        """What only threads run that leave the loop by a way on which they do not wait for the others.

        They wait at the first block that all ways out meet, or else behind the loop's last block.
        """
        targets = {target for node in loop for target in self._following(node)} - set(loop) - self._ends
        if len(targets) < 2:
            return set()
        meeting = first_on_every_path(targets, self._order, self._without_ends)
        if meeting is None or meeting in self._ends:
            meeting = self._main_way(loop, targets)
        side = reachable(targets - {meeting}, self._following, without=(meeting, *self._ends))
        return self._only_behind(set(loop), side)

    def _without_ends(self, node: int) -> list[int]:
        """A thread that may end at once, or go on, goes on."""
        nexts = list(self._following(node))
        return [each for each in nexts if each not in self._ends] or nexts

    def _main_way(self, loop: list[int], targets: set[int]) -> int:
        """Of ways out that never meet: one that leads round the loop as well, else where its condition leads."""
        inside, header = set(loop), loop[0]
        around = [target for target in targets if not inside.issuperset(self._before[target])]
        conditions = [node for node in loop if header in self._following(node)] + [header, *reversed(loop)]
        left_by = [target for node in conditions for target in self._following(node) if target in targets]
        return (around or left_by)[0]

    def _only_behind(self, loop: set[int], side: set[int]) -> set[int]:
        """Those of the side blocks that all lead back to the loop alone."""
        while True:
            known = loop | side
            kept = {node for node in side if known.issuperset(self._before[node])}
            if kept == side:
                return side
            side = kept
