"""What the accesses of a kernel cost: each by the model of one access, summed up over all warps."""

from warpviz.kernel.counting.counter import Count, Counter
from warpviz.kernel.counting.recorder import Recorded, Recorder
from warpviz.kernel.counting.totals import LineKind, by_line, totals

__all__ = ["Count", "Counter", "LineKind", "Recorded", "Recorder", "by_line", "totals"]
