"""What is told of a kernel that cannot be prepared or run: each of these says it in one sentence."""

from __future__ import annotations

from warpviz.kernel.launch import LaunchError
from warpviz.kernel.machine import Stopped
from warpviz.kernel.memory.faults import MemoryFault
from warpviz.kernel.program import CannotRun
from warpviz.kernel.ptx import PtxError
from warpviz.kernel.source import CompileError, SourceError

KERNEL_ERRORS = (SourceError, CompileError, LaunchError, PtxError, CannotRun, MemoryFault, Stopped)


def in_file(error: Exception, file: str) -> str:
    """One of these errors as a sentence that begins with the place: FILE, FILE:LINE or the option.

    file: the name of the user's file.
    """
    if not isinstance(error, PtxError | CannotRun | MemoryFault | Stopped):  # these say it themselves
        return str(error)
    place = f"{file}:{error.line}" if error.line else file
    return f"{place}: {str(error).removeprefix(f'line {error.line}: ')}"
