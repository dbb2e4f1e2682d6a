"""What is found in one chunk of blocks while it runs."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import numpy as np

from warpviz.kernel.hazards.copies import Copies
from warpviz.kernel.hazards.entries import Entry, Spread
from warpviz.kernel.hazards.findings import Finding, Findings, Touch, distinct
from warpviz.kernel.hazards.meetings import met_in_parts, stuck
from warpviz.kernel.hazards.order import Order, warps_of
from warpviz.kernel.hazards.pairs import Effort
from warpviz.kernel.hazards.races import Extent, races
from warpviz.kernel.hazards.written import Written
from warpviz.kernel.machine.masks import Bools, Mask, either, without
from warpviz.kernel.memory.checks import Ints
from warpviz.kernel.memory.observing import Kind, Threads
from warpviz.kernel.memory.values import Values
from warpviz.kernel.memory.watching import (
    Arrival,
    Arrived,
    CopiesAwaited,
    CopiesCommitted,
    Ended,
    Event,
    Fenced,
    Meeting,
    WarpsMet,
)

_MOST_ENTRIES = 4096
_MOST_BYTES = 1 << 27  # that the accesses may hold which are kept


class ChunkWatcher:
    """Keeps the accesses between two barriers and looks at them when the second is reached; see Watcher.

    Of accesses without end between two barriers only the last are kept: a race between two that lie far apart may be
    missed.
    """

    def __init__(
        self,
        threads: Threads,
        extent: Extent,
        present: Mask,
        hoisted: Container[int],
        effort: Effort,
        tell: Callable[[Findings], None],
    ) -> None:
        """present: the threads that there are. hoisted: the instructions that are passed over. effort: for all that is
        found here. tell: is given what has been found, at the end."""
        self._threads, self._extent, self._hoisted = threads, extent, hoisted
        self._present = self._alive = present
        self._effort, self._tell = effort, tell
        self._findings = Findings()
        self._now = 0
        self._order = Order(threads.warps_per_block)
        self._written = Written(extent.blocks, extent.granules)
        self._copies = Copies()
        self._entries: list[Entry] = []
        self._judged = 0  # so many of the entries have been looked at
        self._bytes = 0

    def access(self, kind: Kind, addresses: Ints, values: Sequence[Values], mask: Mask, threads: Threads) -> None:
        """An access of shared memory."""
        if kind.index in self._hoisted:
            return
        warps = None
        if kind.op == "atom" or "acquire" in kind.name or "acq_rel" in kind.name:
            self._order.acquire(warps := self._warps(mask, threads))
        if "release" in kind.name or "acq_rel" in kind.name:
            self._order.publish(self._warps(mask, threads) if warps is None else warps, self._tick())
        copy = self._copies.start(self._of_chunk(mask, threads)) if kind.is_copy else None
        grain = self._extent.grain
        granules = addresses >> (grain.bit_length() - 1) if grain > 1 else addresses
        knowledge = self._order.knowledge
        entry = Entry(kind, self._tick(), granules, kind.width // grain, values, mask, threads, knowledge, copy)
        if not entry.is_store and (missing := self._written.unwritten(entry)) is not None:
            self._findings.add([self._unwritten(entry, *missing)])
        if not entry.is_load:
            self._written.write(entry)
        self._keep(entry)

    def happens(self, event: Event, mask: Mask, threads: Threads) -> None:
        """Something that orders accesses."""
        now = self._tick()
        match event:
            case Ended():
                self._alive = without(self._alive, self._of_chunk(mask, threads))
            case WarpsMet(named=named):
                self._order.lanes_meet(named, mask, self._alive, now)
            case Fenced():
                warps = self._warps(mask, threads)
                self._order.acquire(warps)
                self._order.publish(warps, now)
            case Arrived(number=number, threads=count):
                self._order.arrive((number, count), self._warps(mask, threads), now)
            case CopiesCommitted():
                self._copies.commit(self._of_chunk(mask, threads))
            case CopiesAwaited(but=but):
                self._copies.wait(but, self._of_chunk(mask, threads), now)

    def meets(self, meeting: Meeting) -> None:
        """Blocks go on behind a barrier."""
        now, shape = self._tick(), self._threads.shape
        several = len(meeting.arrivals) > 1
        if several or self._alive is not self._present:
            self._findings.add(met_in_parts(meeting, self._present, shape, self._extent.first_block))
        first = meeting.arrivals[0]
        if not first.threads:
            self._blocks_meet(meeting.complete, now)
            return
        met = meeting.arrivals[0].mask
        for arrival in meeting.arrivals[1:]:
            met = either(met, arrival.mask)
        complete = np.broadcast_to(True if meeting.complete is None else meeting.complete, (shape[0], 1, 1))
        missing = np.broadcast_to(without(meeting.alive, met), shape).any(axis=(1, 2), keepdims=True)
        if (complete & ~missing).any():
            self._blocks_meet(complete & ~missing, now)
        here = complete if met is None else complete & met
        self._order.some_meet((first.number, first.threads), warps_of(here, shape[1]), now)

    def is_stuck(self, waiting: Sequence[Arrival], alive: Mask) -> None:
        """Threads wait for ever."""
        self._findings.add([stuck(waiting, alive, self._threads.shape, self._extent.first_block)])

    def finish(self) -> None:
        """Nothing more comes."""
        self._judge(self._entries)
        self._tell(self._findings)

    def _blocks_meet(self, complete: Mask, now: int) -> None:
        """All that some blocks have done lies behind them, but for the copies under way."""
        if complete is None or complete.all():
            self._judge(self._entries)
            self._entries = self._copies.still_under_way(self._entries)
            self._judged = len(self._entries)
            self._order.blocks_meet(None, now)
        else:
            rows = np.broadcast_to(complete, (self._extent.blocks, 1, 1))[:, 0, 0]
            self._judge_blocks(rows)
            self._order.blocks_meet(rows, now)
        self._bytes = sum(entry.nbytes for entry in self._entries)

    def _judge_blocks(self, rows: Bools) -> None:
        """Look at what some blocks have done, and keep what the others have."""
        copies = {id(entry) for entry in self._copies.still_under_way(self._entries)}
        theirs, kept, judged = [], [], (0, 0)
        for number, entry in enumerate(self._entries):
            one, other = entry.of_blocks(rows), entry if id(entry) in copies else entry.of_blocks(~rows)
            theirs += [one] if one else []
            kept += [other] if other else []
            if number + 1 == self._judged:
                judged = len(theirs), len(kept)
        if theirs:
            self._findings.add(races(theirs, self._extent, judged[0], self._effort))
        self._entries, self._judged = kept, judged[1]

    def _judge(self, entries: Sequence[Entry]) -> None:
        if len(entries) > self._judged or any(entry.copy for entry in entries):
            self._findings.add(races(entries, self._extent, self._judged, self._effort))

    def _keep(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._bytes += entry.nbytes
        if len(self._entries) > _MOST_ENTRIES or self._bytes > _MOST_BYTES:
            self._judge(self._entries)
            half = len(self._entries) // 2
            under_way = self._copies.still_under_way(self._entries[:half])
            self._entries = [*under_way, *self._entries[half:]]
            self._judged = len(self._entries)
            self._bytes = sum(entry.nbytes for entry in self._entries)

    def _tick(self) -> int:
        self._now += 1
        return self._now

    def _of_chunk(self, mask: Mask, threads: Threads) -> Mask:
        """A mask of some of the chunk's warps, in arrays of their own, as one of the chunk."""
        if threads is self._threads:
            return mask
        full = np.zeros(self._threads.shape, dtype=np.bool_)
        part = np.broadcast_to(True if mask is None else mask, threads.shape)
        full[threads.block[:, 0, 0], threads.warp[:, 0, 0]] = part[:, 0]
        return full

    def _warps(self, mask: Mask, threads: Threads) -> Bools:
        return warps_of(self._of_chunk(mask, threads), self._threads.warps_per_block)

    def _unwritten(self, entry: Entry, missing: Spread, blocks: int) -> Finding:
        places = missing.row * self._extent.granules + missing.granules[:, 0]
        first = int(places.argmin())
        return Finding(
            "unwritten",
            (Touch.of(entry.kind),),
            (int(missing.thread[first]),),
            self._extent.first_block + int(missing.row[first]),
            int(missing.granules[first, 0]) * self._extent.grain,
            distinct(places) * blocks,
        )
