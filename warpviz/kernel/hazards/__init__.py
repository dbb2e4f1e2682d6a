"""Hazards of a kernel: races in shared memory, barriers that not all reach, reads of what nobody has written."""

from warpviz.kernel.hazards.finder import HazardFinder
from warpviz.kernel.hazards.hazard import Hazard

__all__ = ["Hazard", "HazardFinder"]
