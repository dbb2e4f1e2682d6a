"""What an access costs, in the one number that its memory space is judged by."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.hardware import SECTOR_BYTES
from warpviz.model import Cost


@dataclass(frozen=True)
class Count:
    """What an access costs, and the least that its lanes and bytes could cost: wavefronts, sectors or requests."""

    now: int
    least: int

    @property
    def is_least(self) -> bool:
        return self.now <= self.least


def count_of(cost: Cost) -> Count:
    """The count that its memory space is judged by, of a batch of one."""
    if cost.wavefronts is not None and cost.ideal_wavefronts is not None:
        return Count(int(cost.wavefronts[0]), int(cost.ideal_wavefronts[0]))
    if cost.sectors is not None and cost.bytes_used is not None:
        return Count(int(cost.sectors[0]), -(-int(cost.bytes_used[0]) // SECTOR_BYTES))
    assert cost.requests is not None, "constant memory counts requests"
    requests = int(cost.requests[0])
    return Count(requests, min(requests, 1))
