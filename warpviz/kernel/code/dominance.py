"""Which nodes of a graph every way leads through.

Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
"""

from __future__ import annotations

from collections.abc import Mapping

from warpviz.kernel.program.graphs import Next, reverse_postorder, reversed_edges


def dominators(entry: int, following: Next) -> dict[int, int]:
    """Of each node that is reached from the entry, but the entry: the last one that every way to it leads through."""
    order = reverse_postorder(entry, following)
    before = reversed_edges(order, following)
    rank = {node: place for place, node in enumerate(order)}
    above = {entry: entry}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            known = [each for each in before[node] if each in above]
            new = known[0]
            for each in known[1:]:
                new = _common(new, each, above, rank)
            if above.get(node) != new:
                above[node], changed = new, True
    del above[entry]
    return above


def is_above(one: int, other: int, above: Mapping[int, int]) -> bool:
    """Whether every way to the other node leads through the one. above: see `dominators`."""
    node: int | None = other
    while node is not None and node != one:
        node = above.get(node)
    return node == one


def _common(one: int, other: int, above: Mapping[int, int], rank: Mapping[int, int]) -> int:
    while one != other:
        while rank[one] > rank[other]:
            one = above[one]
        while rank[other] > rank[one]:
            other = above[other]
    return one
