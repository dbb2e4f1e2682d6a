"""ProbeRequest: what to measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from warpviz.access import Access
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Measurement

Counters = Literal["auto", "off", "require", "try"]
Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class ProbeRequest:
    """One access to measure; hashable.

    access: the predicted access. source: the text of access.cuh, with which the GPU evaluates the expression itself;
    empty for addresses that no expression made, so that there is nothing to evaluate.
    block, block_index, grid, warp: the launch that the expression speaks of: which warp of which block plays.
    counters: "auto" counts where time does not tell (global memory), "try" always, "require" always and fails without,
    "off" never.
    """

    access: FrozenAccess
    source: str
    block: Dim3 = (32, 1, 1)
    block_index: Dim3 = (0, 0, 0)
    grid: Dim3 = (1, 1, 1)
    warp: int = 0
    counters: Counters = "auto"

    @classmethod
    def of(cls, access: Access, source: str, **launch: Any) -> ProbeRequest:
        """From a batch of one; launch: the other fields. Raises ValueError for a larger batch."""
        return cls(FrozenAccess.of(access), source, **launch)

    def to_json(self) -> dict[str, Any]:
        return {
            "access": self.access.to_json(),
            "source": self.source,
            "block": list(self.block),
            "block_index": list(self.block_index),
            "grid": list(self.grid),
            "warp": self.warp,
            "counters": self.counters,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ProbeRequest:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        block, block_index, grid = ((int(x), int(y), int(z)) for x, y, z in (data[k] for k in _DIMENSIONS))
        access = FrozenAccess.from_json(data["access"])
        return cls(access, data["source"], block, block_index, grid, int(data["warp"]), data["counters"])


_DIMENSIONS = ("block", "block_index", "grid")


def wants_counters(counters: Counters, measurement: Measurement) -> bool:
    """Whether an access that was timed is to be counted too. counters: see ProbeRequest."""
    slope = measurement.wavefronts
    time_tells = slope is not None and slope.count is not None
    return counters in ("require", "try") or (counters == "auto" and not time_tells)
