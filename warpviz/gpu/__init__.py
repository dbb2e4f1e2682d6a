"""Measuring on the real GPU. Nothing here loads CUDA but the worker process that a Probe starts."""

from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.machine.presence import gpu_present
from warpviz.gpu.measurement import Bandwidth, Code, Conditions, Counts, Gpu, Measurement, Run, Slope, Unavailable
from warpviz.gpu.probe import Probe
from warpviz.gpu.recorded import find_recorded
from warpviz.gpu.request import ProbeRequest
from warpviz.gpu.verdict.comparison import Cause, Comparison
from warpviz.gpu.verdict.evidence import Evidence, evidence, origin_in_words
from warpviz.gpu.verdict.verdict import CountedRow, Verdict, compare, counted_rows

__all__ = [
    "Bandwidth",
    "Cause",
    "Code",
    "Comparison",
    "Conditions",
    "CountedRow",
    "Counts",
    "Evidence",
    "FrozenAccess",
    "Gpu",
    "GpuError",
    "Measurement",
    "Probe",
    "ProbeRequest",
    "Run",
    "Slope",
    "Unavailable",
    "Verdict",
    "compare",
    "counted_rows",
    "evidence",
    "find_recorded",
    "gpu_present",
    "origin_in_words",
]
