"""A user's .cu file: read, compiled to PTX by NVRTC, its kernels and their parameters by name."""

from __future__ import annotations

from warpviz.kernel.source.choosing import Chosen, SeveralKernels, choose_kernel
from warpviz.kernel.source.compiling import Compiled, to_ptx
from warpviz.kernel.source.complaints import CompileError, Message
from warpviz.kernel.source.reading import KernelSource, SourceError, read_source
from warpviz.kernel.source.signatures import declared_parameters

__all__ = [
    "Chosen",
    "CompileError",
    "Compiled",
    "KernelSource",
    "Message",
    "SeveralKernels",
    "SourceError",
    "choose_kernel",
    "declared_parameters",
    "read_source",
    "to_ptx",
]
