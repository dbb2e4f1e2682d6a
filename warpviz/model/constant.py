"""Constant memory: one request for each distinct address of 4 bytes, as an H200's constant cache counts them."""

from __future__ import annotations

from warpviz.access import WORD_BYTES, Access
from warpviz.model.rows import Ints, count_distinct


def words(access: Access) -> Ints:
    """Each lane's place in units of one request: a word, or the lane's whole 8 or 16 bytes. Shape (N, 32)."""
    return access.addresses // max(access.width, WORD_BYTES)


def requests(access: Access) -> Ints:
    """Requests of each access: its distinct places. Shape (N,)."""
    return count_distinct(words(access), access.active)
