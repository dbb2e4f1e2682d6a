"""What ptxas makes of a kernel's accesses: the machine code read, and the counts of the PTX turned into its own."""

from __future__ import annotations

from warpviz.kernel.code.changes import Finding
from warpviz.kernel.code.code import Code, code_of
from warpviz.kernel.code.fusing import Fusing

__all__ = ["Code", "Finding", "Fusing", "code_of"]
