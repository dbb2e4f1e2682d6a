"""Graphs of basic blocks: what is reached, and what goes round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

Next = Callable[[int], Iterable[int]]  # a node -> those that its edges lead to


def reachable(starts: Iterable[int], following: Next, without: Collection[int] = ()) -> set[int]:
    """The starts and all that is reached from them by ways that do not meet the nodes to be left out."""
    found = {start for start in starts if start not in without}
    todo = list(found)
    while todo:
        new = {node for node in following(todo.pop()) if node not in without} - found
        found |= new
        todo += new
    return found


def reverse_postorder(start: int, following: Next) -> list[int]:
    """What is reached from the start, in an order in which every edge leads forwards, but for those that go round."""
    order: list[int] = []
    seen = {start}
    path = [(start, iter(following(start)))]
    while path:
        edges = path[-1][1]
        found = next((target for target in edges if target not in seen), None)
        if found is None:
            order.append(path.pop()[0])
        else:
            seen.add(found)
            path.append((found, iter(following(found))))
    return order[::-1]


def reversed_edges(nodes: Iterable[int], following: Next) -> dict[int, list[int]]:
    """node -> the nodes whose edges lead to it. All edges lead to one of the nodes."""
    before: dict[int, list[int]] = {node: [] for node in nodes}
    for node in before:
        for target in following(node):
            before[target].append(node)
    return before


def components(order: Sequence[int], following: Next) -> list[list[int]]:
    """The strongly connected components of nodes in reverse postorder; topologically sorted. The nodes of each stand
    in the order given."""
    before = reversed_edges(order, following)
    assigned: set[int] = set()
    found = []
    for node in order:
        if node not in assigned:
            component = reachable((node,), before.__getitem__, without=assigned)
            assigned |= component
            found.append([each for each in order if each in component] if len(component) > 1 else [node])
    return found


def first_on_every_path(starts: Collection[int], order: Sequence[int], following: Next) -> int | None:
    """The first node in the order that all ways meet that lead from the starts to an end; None if there is none.

    An end is a node without edges.
    """
    reached = reachable(starts, following)
    for node in order:
        if node in reached and all(list(following(each)) for each in reachable(starts, following, without=(node,))):
            return node
    return None
