"""From a recorded access of a kernel back to a C expression of the lane's number."""

from __future__ import annotations

from warpviz.kernel.fitting.fitter import Fitter

__all__ = ["Fitter"]
