"""Everything that computes in registers: what each instruction makes of its sources, as a function of arrays."""

from __future__ import annotations

from warpviz.kernel.machine.arithmetic.operation import Operation, UnknownFormError
from warpviz.kernel.machine.arithmetic.table import operation_of

__all__ = ["Operation", "UnknownFormError", "operation_of"]
