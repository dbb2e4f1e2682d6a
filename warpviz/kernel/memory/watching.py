"""What is told of a chunk's blocks to one who looks for hazards: who touches shared memory, and what orders that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from warpviz.kernel.memory.checks import Ints, Mask
from warpviz.kernel.memory.observing import Kind, Threads
from warpviz.kernel.memory.values import Values


@dataclass(frozen=True)
class Ended:
    """Threads have ended."""


@dataclass(frozen=True)
class Fenced:
    """membar and fence."""


@dataclass(frozen=True, eq=False)
class WarpsMet:
    """bar.warp.sync. named: the lanes that each thread names, as the bits of a number; uint32, broadcastable."""

    named: Values


@dataclass(frozen=True)
class Arrived:
    """bar.arrive, at a barrier of that number, for so many threads: these go on at once."""

    number: int
    threads: int


@dataclass(frozen=True)
class CopiesCommitted:
    """cp.async.commit_group."""


@dataclass(frozen=True)
class CopiesAwaited:
    """cp.async.wait_group: all but the last so many groups are done; wait_all: all copies, which is None."""

    but: int | None


Event = Ended | Fenced | WarpsMet | Arrived | CopiesCommitted | CopiesAwaited


@dataclass(frozen=True, eq=False)
class Arrival:
    """Threads that wait at a barrier instruction. line: of the user's file; ptx_line: tells instructions apart.
    number: of the barrier; threads: for how many it waits, 0: for the whole block."""

    line: int
    ptx_line: int
    number: int
    threads: int
    mask: Mask


@dataclass(frozen=True, eq=False)
class Meeting:
    """Threads that have met at one barrier of their block, and go on.

    arrivals: where they have waited. complete: the blocks of which all have come, broadcastable to (blocks, 1, 1);
    None: all. alive: the threads that have not ended.
    """

    arrivals: Sequence[Arrival]
    complete: Mask
    alive: Mask


class Watcher(Protocol):
    """Is told of what one chunk does, in its order; its blocks are those that `threads` of the chunk names.

    mask: the threads concerned, broadcastable to threads.shape; None: all of them.
    """

    def access(self, kind: Kind, addresses: Ints, values: Sequence[Values], mask: Mask, threads: Threads) -> None:
        """An access of shared memory, before it changes. values: of a plain store, the bits of each component."""

    def happens(self, event: Event, mask: Mask, threads: Threads) -> None:
        """Something that orders accesses."""

    def meets(self, meeting: Meeting) -> None:
        """Blocks go on behind a barrier."""

    def is_stuck(self, waiting: Sequence[Arrival], alive: Mask) -> None:
        """Threads wait at barriers for ever."""

    def finish(self) -> None:
        """Nothing more comes."""


# The chunk's threads -> who watches them; None: nobody
Watch = Callable[[Threads], Watcher | None]


def nobody(threads: Threads) -> None:
    """Watches no chunk."""
