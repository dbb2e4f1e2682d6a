"""What is told of a kernel that cannot be prepared or run: each of these says it in one sentence."""

from __future__ import annotations

from warpviz.kernel.launch import LaunchError
from warpviz.kernel.machine import Stopped
from warpviz.kernel.memory.faults import MemoryFault
from warpviz.kernel.program import CannotRun
from warpviz.kernel.ptx import PtxError
from warpviz.kernel.source import CompileError, SourceError

KERNEL_ERRORS = (SourceError, CompileError, LaunchError, PtxError, CannotRun, MemoryFault, Stopped)
