"""Which accesses come before which, whatever the hardware does: by barriers, warp barriers and fences.

CUDA C++ Programming Guide, "Synchronization Functions" and "Memory Fence Functions"; PTX ISA, "Memory Consistency
Model". __syncthreads(), bar.red and __syncwarp() order memory among the threads that meet. bar.arrive hands on what its
threads have done. Shuffles, votes and ldmatrix make lanes meet and order no memory ("do not imply a memory barrier").
A fence orders nothing by itself: what a thread has done before one counts as over for a thread that meets a fence, or
gets an atomic's result, later. That takes locks and flags at their word rather than follow which value was read.
"""

from __future__ import annotations

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.hazards.entries import NEVER, Knowledge
from warpviz.kernel.machine.masks import ALL_THREADS, Bools, Mask, lanes_mask, lanes_of
from warpviz.kernel.memory.checks import Ints
from warpviz.kernel.memory.values import Values

_MOST_GROUPS = 64  # sets of lanes that are looked at one by one


class Order:
    """What the threads of a chunk know of each other now. Times go up.

    A warp that comes to a barrier with only some of its threads counts as a whole, as it does for the barrier.
    """

    def __init__(self, warps: int) -> None:
        self.knowledge = Knowledge(
            np.zeros((1, 1, 1, 1), dtype=np.int64),
            np.zeros((1, 1, 1), dtype=np.int64),
            np.zeros((1, 1), dtype=np.bool_),
        )
        self._warps = warps
        self._published: Ints | None = None  # what those know that have met a fence: (blocks, 1, warps)
        self._arrived: dict[tuple[int, int], Ints] = {}  # what those know that have arrived: likewise

    def blocks_meet(self, rows: Bools | None, now: int) -> None:
        """All threads of some blocks know all that has been. rows: which blocks, (blocks,); None: all."""
        lanes, warps, _ = self.knowledge
        if rows is None:
            self._published = None
            self._knows(np.full((1, 1, 1, 1), now), np.full((1, 1, 1), now))
        else:
            self._knows(np.where(rows[:, None, None, None], now, lanes), np.where(rows[:, None, None], now, warps))

    def some_meet(self, key: tuple[int, int], warps: Bools, now: int) -> None:
        """Warps meet at a barrier with a number and a count of threads. warps: which, (blocks or 1, warps)."""
        joined = self._joined(warps, now)
        if key in self._arrived:
            arrived, met = self._arrived[key], np.logical_or.reduce(warps, axis=1)[:, None, None]
            joined = np.where(met, np.maximum(joined, arrived), 0)
            self._arrived[key] = np.where(met, 0, arrived)
        lanes, known, _ = self.knowledge
        self._knows(
            np.where(warps[..., None, None], now, lanes),
            np.where(warps[..., None], np.maximum(known, joined), known),
        )

    def arrive(self, key: tuple[int, int], warps: Bools, now: int) -> None:
        """Warps arrive at such a barrier, and do not wait."""
        self._arrived[key] = np.maximum(self._arrived.get(key, 0), self._joined(warps, now))

    def acquire(self, warps: Bools) -> None:
        """Warps learn what those have known that have met a fence."""
        if self._published is None:
            return
        lanes, known, _ = self.knowledge
        own = self._published[:, 0, :, None, None]
        self._knows(
            np.where(warps[..., None, None], np.maximum(lanes, own), lanes),
            np.where(warps[..., None], np.maximum(known, self._published), known),
        )

    def publish(self, warps: Bools, now: int) -> None:
        """What warps know now, others learn that acquire it later."""
        joined = self._joined(warps, now)
        self._published = joined if self._published is None else np.maximum(self._published, joined)
        self.knowledge = self.knowledge._replace(fenced=self.knowledge.fenced | warps)

    def lanes_meet(self, named: Values, mask: Mask, alive: Mask, now: int) -> None:
        """Lanes meet that have named each other. named: the lanes, as bits, that each thread of the mask names.

        Where lanes that live are named and are not there, they meet elsewhere: then nothing is said of their warp any
        more. Nor where lanes name very many different sets.
        """
        living, running = lanes_of(alive), lanes_of(mask)
        if named.shape[2] == 1:
            self._group_meets(named & running, running, living, named, now)
            return
        names, who = np.broadcast_arrays(named, ALL_THREADS if mask is None else mask)
        values = np.unique(names[who])
        if len(values) > _MOST_GROUPS:
            lanes, warps, _ = self.knowledge
            self._knows(np.where((running != 0)[..., None], NEVER, lanes), warps)
            return
        for value in values:
            same = lanes_of((named == value) & who)
            self._group_meets(value & same, same, living, value, now)

    def _group_meets(self, group: Values, there: Values, living: Values, named: Values, now: int) -> None:
        lanes = self.knowledge.lanes
        absent = (there != 0) & ((named & living & ~group) != 0)
        whole = (group == living) & (group != 0)
        if not (whole | (group == 0)).all():
            bits = lanes_mask(group)
            joined = np.where(bits[..., None], lanes, 0).max(axis=2)
            joined = np.where(bits, now, joined)
            lanes = np.where(bits[..., None], np.maximum(lanes, joined[..., None, :]), lanes)
        lanes = np.where(whole[..., None], now, lanes)
        if absent.any():
            lanes = np.where(absent[..., None], NEVER, lanes)
        self._knows(lanes, self.knowledge.warps)

    def _joined(self, warps: Bools, now: int) -> Ints:
        """All that some warps know together: (blocks or 1, 1, warps)."""
        known = np.broadcast_to(self.knowledge.warps, (*self.knowledge.warps.shape[:1], self._warps, self._warps))
        joined = np.where(warps[..., None], known, 0).max(axis=1, keepdims=True)
        return np.where(warps[:, None, :], now, joined)

    def _knows(self, lanes: Ints, warps: Ints) -> None:
        self.knowledge = self.knowledge._replace(lanes=lanes, warps=warps)


def warps_of(mask: Mask, warps: int) -> Bools:
    """Which warps have a thread in a mask of a chunk. Shape (blocks or 1, warps)."""
    some = lanes_of(mask)[..., 0] != 0
    return np.broadcast_to(some, (len(some), warps))


def lane_of(thread: Ints) -> Ints:
    """The lane of a thread of a block."""
    return thread % LANES
