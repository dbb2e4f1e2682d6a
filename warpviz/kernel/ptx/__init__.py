"""PTX text -> a Module: what the interpreter runs."""

from __future__ import annotations

from warpviz.kernel.ptx.errors import PtxError
from warpviz.kernel.ptx.modules import read_module

__all__ = ["PtxError", "read_module"]
