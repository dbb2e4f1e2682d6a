"""A program beside its machine code."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from warpviz.gpu.code.compiler import Compiler
from warpviz.gpu.kernels import Source
from warpviz.gpu.measurement import Unavailable
from warpviz.kernel.code.changes import Change, Finding, Split
from warpviz.kernel.code.following import Followed, follow
from warpviz.kernel.code.machine import read_code
from warpviz.kernel.code.telling import refusal
from warpviz.kernel.counting import Count
from warpviz.kernel.machine import Statistics
from warpviz.kernel.memory.observing import Kind
from warpviz.kernel.program import Program
from warpviz.model.metrics import shared_op


@dataclass(frozen=True, eq=False)
class Code:
    """What ptxas makes of a program's accesses. tool: what disassembled the machine code.

    fusions: by the index of the instruction, for `Fusing`. findings: the differences between PTX and machine code.
    """

    tool: str
    fusions: Mapping[int, Change]
    findings: tuple[Finding, ...]
    followed: Followed

    def refusals(self, refused: Collection[int]) -> tuple[Finding, ...]:
        """What is found only when the kernel runs. refused: see `Fusing`."""
        return tuple(refusal(each.asked) for each in self.followed.matched if each.asked.index in refused)

    def executed(self, statistics: Statistics, counts: Mapping[Kind, Count]) -> dict[str, int]:
        """How many instructions of shared memory warps execute, by op: "shared_ld", "shared_st", "shared_atom".

        Also those of which all lanes are predicated off, as the counters smsp__inst_executed_op_shared_* have it.
        counts: of the same run, by `Fusing`.
        """
        executed = dict.fromkeys(("shared_ld", "shared_st", "shared_atom"), 0)
        shared = {
            each.asked.index: each.asked.op
            for each in self.followed.matched
            if each.asked.space == "shared" and each.asked.op != "copy"
        }
        predicated = {index: home for index, home in self.followed.homes.items() if index in shared}
        counted_apart = {*predicated, *self._generic()}
        for kind, count in counts.items():
            if kind.space == "shared" and not kind.is_copy and kind.index not in counted_apart:
                executed[f"shared_{shared_op(kind.op)}"] += count.accesses
        for block, times in self.followed.idle.items():
            executed["shared_ld"] += statistics.warps_run[block] * times
        for index, home in predicated.items():
            executed[f"shared_{shared_op(shared[index])}"] += statistics.warps_run[home] * self._pieces(index)
        return executed

    def _generic(self) -> set[int]:
        """Accesses that are generic instructions, which are no instructions of shared memory to the counters."""
        return {
            each.asked.index for each in self.followed.matched if any(m.memory.space == "generic" for m in each.own)
        }

    def _pieces(self, index: int) -> int:
        """How many instructions of the machine code an access is."""
        change = self.fusions.get(index)
        return len(change.pieces) if isinstance(change, Split) else 1


def code_of(
    source: Source, symbol: str, arch: str, program: Program, compiler: Compiler | None = None
) -> Code | Unavailable:
    """The machine code of a kernel beside its program.

    source: what its PTX was compiled from, with -lineinfo. symbol: the kernel, as PTX names it. compiler: one that
    is running; None for one of its own. Unavailable without nvdisasm, and when NVRTC does not compile it for the
    architecture: then the counts are those of the PTX.
    """
    machine = read_code(source, symbol, arch, compiler)
    if isinstance(machine, Unavailable):
        return machine
    followed = follow(program, machine)
    return Code(machine.tool, followed.changes, followed.findings, followed)
