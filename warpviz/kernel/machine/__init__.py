"""The machine: runs a Program on the threads of many blocks at once, each register one array."""

from __future__ import annotations

from warpviz.kernel.machine.errors import BarrierNotReached, Cancelled, DoesNotEnd, Stopped, Trapped
from warpviz.kernel.machine.geometry import Geometry
from warpviz.kernel.machine.running import Statistics, run

__all__ = [
    "BarrierNotReached",
    "Cancelled",
    "DoesNotEnd",
    "Geometry",
    "Statistics",
    "Stopped",
    "Trapped",
    "run",
]
