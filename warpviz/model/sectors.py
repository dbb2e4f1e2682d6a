"""Global memory: 32-byte sectors and 128-byte lines, counted as an H200 counts them."""

from __future__ import annotations

import numpy as np

from warpviz.access import Access
from warpviz.hardware import ATOMIC_OPS, LANES, LINE_BYTES, SECTOR_BYTES
from warpviz.model.rows import Ints, count_distinct, rank_among_equals


def rounds(access: Access) -> Ints:
    """The round in which each lane's address goes out. Shape (N, 32).

    Loads and stores go out in one round. Of an atomic or reduction, the n-th lane with the same address goes into
    round n.
    """
    if access.op in ATOMIC_OPS:
        return rank_among_equals(access.addresses, access.active)
    return np.zeros_like(access.addresses)


def counts(access: Access) -> tuple[Ints, Ints, Ints]:
    """(sectors, lines, bytes used) of each access, each (N,): the distinct ones of each round, over all rounds.

    Bytes used are those of the moved sectors that some lane asked for; a byte that lanes share counts once.

    Exact for loads and stores. A lower bound for atomics and reductions: now and then the hardware puts a lane into a
    later round though no other has its address. It depends on the addresses and their order alone, is the same for
    both, and was never seen with the lanes in the order of their addresses.
    """
    in_round = rounds(access)

    def distinct(size: int) -> Ints:
        return count_distinct(access.addresses // size * LANES + in_round, access.active)

    return distinct(SECTOR_BYTES), distinct(LINE_BYTES), distinct(access.width) * access.width
