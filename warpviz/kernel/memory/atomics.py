"""Atomics of many threads at once, with the results of one thread after the other: blocks, warps, lanes in order.

Threads are given by the index of their cell, shape (n,), in the order in which they come.
"""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.memory.updates import Cells, Update

Indices = NDArray[np.int64]


def reduce(cells: Cells, index: Indices, values: Cells, update: Update) -> None:
    """Update the cells; nobody wants to know what they held. values: (n,)."""
    if update.ufunc is None or update.flushes:
        fetch(cells, index, values, update)
    else:
        update.ufunc.at(cells, index, values)


def fetch(cells: Cells, index: Indices, values: Cells, update: Update) -> Cells:
    """Update the cells; gives what each thread found in its cell, (n,). values: (n,).

    Threads that share a cell take turns, the n-th of every cell at once. Cells with many threads are run through one
    after the other instead, so that n threads need no more than about 2 √n steps, however they meet.
    """
    order, starts, lengths = _by_cell(index)
    sorted_index, sorted_values = index[order], values[order]
    found = np.empty_like(sorted_values)
    few = lengths <= isqrt(len(index))
    for start, length in zip(starts[~few].tolist(), lengths[~few].tolist(), strict=True):
        cell = sorted_index[start]
        states = update.run(cells[cell : cell + 1], sorted_values[start : start + length])
        found[start : start + length] = states[:-1]
        cells[cell] = states[-1]
    starts, lengths = starts[few], lengths[few]
    for turn in range(int(lengths.max(initial=0))):
        now = starts[lengths > turn] + turn
        before = cells[sorted_index[now]]
        found[now] = before
        cells[sorted_index[now]] = update.apply(before, sorted_values[now])
    return _in_order_given(found, order)


def compare_and_swap(cells: Cells, index: Indices, expected: Cells, values: Cells) -> Cells:
    """Replace a cell where it holds what its thread expects; gives what each thread found, (n,).

    Each step runs to the next change of every cell; a thread that would put back what is there changes nothing.
    """
    order, starts, lengths = _by_cell(index)
    owner = np.repeat(np.arange(len(starts)), lengths)
    place = np.arange(len(index))
    expected, values, held = expected[order], values[order], cells[index[order][starts]]
    found = held[owner]
    changes = expected != values
    resumes = starts.copy()  # of each cell: the place of the first thread that comes after its last change
    while True:
        fits = changes & (place >= resumes[owner]) & (expected == held[owner])
        winners = place[fits]
        if not len(winners):
            break
        swapped, first = np.unique(owner[winners], return_index=True)
        winners = winners[first]
        held[swapped] = values[winners]
        resumes[swapped] = winners + 1
        after = place >= resumes[owner]
        found[after] = held[owner[after]]
    cells[index[order][starts]] = held
    return _in_order_given(found, order)


def _by_cell(index: Indices) -> tuple[Indices, Indices, Indices]:
    """The order that sorts threads by cell and else keeps them; of each cell the place of its first thread in that
    order, and how many there are."""
    order = np.argsort(index, kind="stable")
    ordered = index[order]
    first = np.ones(len(index), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    return order, starts, np.diff(starts, append=len(index))


def _in_order_given(values: Cells, order: Indices) -> Cells:
    given = np.empty_like(values)
    given[order] = values
    return given
