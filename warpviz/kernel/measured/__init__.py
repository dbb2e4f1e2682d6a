"""A kernel launched on the GPU as it was interpreted, and what that shows beside what was predicted."""

from warpviz.kernel.measured.counters import CounterComparison
from warpviz.kernel.measured.lines import LineComparison
from warpviz.kernel.measured.measured import Measured, measure
from warpviz.kernel.measured.outputs import ArrayComparison
from warpviz.kernel.measured.reporting import as_json, as_text

__all__ = ["ArrayComparison", "CounterComparison", "LineComparison", "Measured", "as_json", "as_text", "measure"]
