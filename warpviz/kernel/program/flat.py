"""A routine with its calls put in, as one list of instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpviz.kernel.ptx.syntax import Instruction, Variable


@dataclass(frozen=True)
class Flat:
    """instructions: calls inlined; of control instructions, only bra has a guard. labels: name -> index of the
    instruction that follows. tables: of brx.idx, name -> labels. registers: name -> type. variables: of the kernel and
    of the functions that it calls. notices: sentences on what is passed over.
    """

    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]
    tables: Mapping[str, tuple[str, ...]]
    registers: Mapping[str, str]
    variables: tuple[Variable, ...]
    notices: tuple[str, ...]
