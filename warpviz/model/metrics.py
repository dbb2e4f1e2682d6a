"""The hardware counters of an access, by Nsight Compute's names."""

from __future__ import annotations

from collections.abc import Mapping

from warpviz.hardware import Op, Space
from warpviz.model import constant

_SHARED_OPS: Mapping[Op, Op] = {"red": "atom", "ldmatrix": "ld"}


def shared_op(op: Op) -> Op:
    """The op under which the counters of shared memory sort an instruction; those of global memory have each apart."""
    return _SHARED_OPS.get(op, op)


def metric_names(space: Space, op: Op) -> Mapping[str, str]:
    """Field of Cost -> full name of the ncu metric that it predicts; a field that no metric counts is left out.

    The ideal wavefronts are what remains of the wavefronts without the conflicts. Lines are counted as set accesses:
    of an atomic or reduction, the lines of every round.
    """
    if space == "const":
        return {"requests": "idc__requests.sum"}
    if space == "global":
        unit = f"pipe_lsu_mem_global_op_{op}.sum"
        return {
            "requests": f"l1tex__t_requests_{unit}",
            "sectors": f"l1tex__t_sectors_{unit}",
            "lines": f"l1tex__t_set_accesses_{unit}",
        }
    counted_as = shared_op(op)
    return {
        "wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{counted_as}.sum",
        "conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{counted_as}.sum",
    }


def instruction_metric(space: Space, op: Op) -> str:
    """Full name of the ncu metric that counts the instructions executed for accesses of this kind."""
    if space == "const":
        return "smsp__inst_executed_op_ldc.sum"
    if space == "global":
        # Atomics that give a value back have no hardware counter of their own: ncu counts them in the machine code.
        source = "sass_inst" if op == "atom" else "inst"
        return f"smsp__{source}_executed_op_global_{op}.sum"
    if op == "ldmatrix":
        return "smsp__inst_executed_op_ldsm.sum"
    return f"smsp__inst_executed_op_shared_{shared_op(op)}.sum"


def instructions(space: Space, width: int) -> int:
    """How many instructions one access of so many bytes a lane takes."""
    return constant.loads(width) if space == "const" else 1
