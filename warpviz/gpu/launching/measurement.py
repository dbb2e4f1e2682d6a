"""LaunchMeasurement: what a GPU showed for one launch of a kernel."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.launching.counts import LaunchCounts
from warpviz.gpu.measurement import Conditions, Gpu, Unavailable, either


@dataclass(frozen=True)
class Timing:
    """How long the launch takes on the GPU, between two events round it.

    seconds: the median of the repeats, which follow a first run that is not timed. Before each, other memory is
    written, more than L2 holds, so that none of the arrays is in the caches. spread: the largest less the smallest of
    them, over the median. restored: the arrays that were given their first contents again before each run, for the
    kernel changes them.
    """

    seconds: float
    spread: float
    repeats: int
    restored: tuple[str, ...]


@dataclass(frozen=True)
class Occupancy:
    """How many blocks of the kernel an SM holds at a time, the warps of all of them, and the most warps it can hold."""

    blocks: int
    warps: int
    most_warps: int


@dataclass(frozen=True)
class LaunchMeasurement:
    """What a GPU showed for a launch. The arrays that it left are in the files that the request names.

    date: when, in UTC, ISO 8601. resources: what the kernel takes. conditions: how the GPU stood while it was timed.
    counters: what Nsight Compute counted in one more run.
    """

    gpu: Gpu
    date: str
    timing: Timing
    resources: Resources
    occupancy: Occupancy
    conditions: Conditions | Unavailable
    counters: LaunchCounts | Unavailable

    def to_json(self) -> dict[str, Any]:
        """Only what JSON has. `from_json` makes an equal measurement of it."""
        counters = self.counters.to_json() if isinstance(self.counters, LaunchCounts) else asdict(self.counters)
        return asdict(replace(self, counters=Unavailable(""))) | {"counters": counters}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LaunchMeasurement:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        timing, counters = data["timing"], data["counters"]
        return cls(
            gpu=Gpu(**data["gpu"]),
            date=str(data["date"]),
            timing=Timing(**{**timing, "restored": tuple(timing["restored"])}),
            resources=Resources(**data["resources"]),
            occupancy=Occupancy(**data["occupancy"]),
            conditions=either(Conditions, data["conditions"]),
            counters=LaunchCounts.from_json(counters) if "metrics" in counters else Unavailable(**counters),
        )
