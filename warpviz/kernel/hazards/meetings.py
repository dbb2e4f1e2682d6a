"""Barriers at which not all threads of a block are, or not all at the same one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.hazards.findings import Finding, Touch
from warpviz.kernel.machine.masks import Bools, Mask, without
from warpviz.kernel.memory.watching import Arrival, Meeting

Shape = tuple[int, int, int]

_BARRIER = "bar"


def met_in_parts(meeting: Meeting, present: Mask, shape: Shape, first_block: int) -> Iterator[Finding]:
    """What is wrong where blocks meet at a barrier of all their threads: some have ended before, or they wait at
    several instructions. Hardware lets both pass; CUDA leaves undefined what happens.

    present: the threads that there are from the beginning. shape: (blocks, warps, 32). Barriers for a count of threads
    are meant for some of them.
    """
    if meeting.arrivals[0].threads:
        return
    complete = np.broadcast_to(_full(meeting.complete, (shape[0], 1, 1)), (shape[0], 1, 1))
    ended = np.broadcast_to(without(present, meeting.alive), shape) & complete
    if ended.any():
        first = meeting.arrivals[0]
        waits = _full(first.mask, shape)
        rows = ended.any(axis=(1, 2)) & waits.any(axis=(1, 2))
        if rows.any():
            row = int(rows.argmax())
            counts = (int(_full(meeting.alive, shape)[row].sum()), int(ended[row].sum()))
            threads = (_first(waits[row]), _first(ended[row]))
            yield Finding("ended", (_touch(first),), threads, first_block + row, None, int(rows.sum()), False, counts)
    yield from _parted(meeting.arrivals, complete, shape, first_block)


def _parted(arrivals: Sequence[Arrival], complete: Bools, shape: Shape, first_block: int) -> Iterator[Finding]:
    by_touch = {_touch(arrival): arrival for arrival in arrivals}
    here: dict[Touch, Bools] = {}
    for touch in by_touch:
        masks = [_full(arrival.mask, shape) for arrival in arrivals if _touch(arrival) == touch]
        here[touch] = np.logical_or.reduce(masks) & complete
    touches = sorted(here, key=lambda touch: (touch.line, touch.index))
    for first, second in pairwise(touches):
        rows = here[first].any(axis=(1, 2)) & here[second].any(axis=(1, 2))
        if rows.any():
            row = int(rows.argmax())
            threads = (_first(here[first][row]), _first(here[second][row]))
            counts = (int(here[first][row].sum()), int(here[second][row].sum()))
            block = first_block + row
            yield Finding("parted", (first, second), threads, block, None, int(rows.sum()), False, counts)


def stuck(waiting: Sequence[Arrival], alive: Mask, shape: Shape, first_block: int) -> Finding:
    """Threads wait for ever: the first block's, at all its barriers. counts: at each barrier, then threads that have
    not ended and wait at none of them, then for how many threads the first barrier waits, 0 for the whole block."""
    masks = [_full(arrival.mask, shape) for arrival in waiting]
    row = min(int(mask.any(axis=(1, 2)).argmax()) for mask in masks)
    here: dict[Touch, Bools] = {}
    wants = 0
    for arrival, mask in zip(waiting, masks, strict=True):
        if mask[row].any():
            touch = _touch(arrival)
            wants = wants or arrival.threads
            here[touch] = here[touch] | mask[row] if touch in here else mask[row]
    touches = tuple(sorted(here, key=lambda touch: (touch.line, touch.index)))
    everyone = np.logical_or.reduce(list(here.values()))
    others = _full(alive, shape)[row] & ~everyone
    threads = [_first(here[touch]) for touch in touches]
    counts = (*(int(here[touch].sum()) for touch in touches), int(others.sum()), wants)
    if others.any():
        threads.append(_first(others))
    return Finding("stuck", touches, tuple(threads), first_block + row, counts=counts)


def _touch(arrival: Arrival) -> Touch:
    """Of one line: a compiler may make several instructions of one barrier."""
    return Touch(arrival.line, 0 if arrival.line else arrival.ptx_line, _BARRIER)


def _full(mask: Mask, shape: Shape) -> Bools:
    full: Bools = np.broadcast_to(True if mask is None else mask, shape)
    return full


def _first(threads: Bools) -> int:
    """The first thread of a block. threads: (warps, 32)."""
    assert threads.shape[-1] == LANES
    return int(threads.ravel().argmax())
