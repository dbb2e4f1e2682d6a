"""A kernel made ready to run: calls inlined, basic blocks in the order in which threads wait for one another."""

from __future__ import annotations

from warpviz.kernel.program.building import build_program
from warpviz.kernel.program.errors import CannotRun, UnsupportedInstruction
from warpviz.kernel.program.program import Program

__all__ = ["CannotRun", "Program", "UnsupportedInstruction", "build_program"]
