"""Global memory: 32-byte sectors and 128-byte lines, counted as an H200 counts them."""

from __future__ import annotations

import numpy as np

from warpviz.access import Access
from warpviz.hardware import LANES, LINE_BYTES, SECTOR_BYTES
from warpviz.model.rows import Ints, count_distinct, rank_among_equals


def rounds(access: Access) -> Ints:
    """The round in which each lane's address goes out. Shape (N, 32).

    Loads and stores go out in one round. Of an atomic or reduction, the n-th lane with the same address goes into
    round n.
    """
    if access.op in ("atom", "red"):
        return rank_among_equals(access.addresses, access.active)
    return np.zeros_like(access.addresses)


def sectors_and_lines(access: Access) -> tuple[Ints, Ints]:
    """(sectors, lines) of each access, both of shape (N,): the distinct ones of each round, added up over rounds.

    Exact for loads and stores. A lower bound for atomics and reductions: now and then the hardware puts a lane into a
    later round though no other has its address. It depends on the addresses and their order alone, is the same for
    both, and was never seen with the lanes in the order of their addresses.
    """
    in_round = rounds(access)
    return (
        count_distinct(access.addresses // SECTOR_BYTES * LANES + in_round, access.active),
        count_distinct(access.addresses // LINE_BYTES * LANES + in_round, access.active),
    )


def bytes_used(access: Access) -> Ints:
    """The bytes of the moved sectors that some lane asked for. Shape (N,). A byte that lanes share counts once."""
    return count_distinct(access.addresses * LANES + rounds(access), access.active) * access.width
