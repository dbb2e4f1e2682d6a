"""Measuring on the real GPU. Nothing here loads CUDA but the worker process that a Probe starts."""

from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Bandwidth, Counts, Gpu, Measurement, Run, Slope, Unavailable
from warpviz.gpu.presence import gpu_present
from warpviz.gpu.probe import Probe
from warpviz.gpu.recorded import find_recorded
from warpviz.gpu.request import ProbeRequest
from warpviz.gpu.verdict import Comparison, Verdict, compare

__all__ = [
    "Bandwidth",
    "Comparison",
    "Counts",
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
    "find_recorded",
    "gpu_present",
]
