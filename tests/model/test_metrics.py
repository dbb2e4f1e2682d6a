"""The names of the hardware counters of an access."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import warpviz
from warpviz.hardware import Op, Space
from warpviz.model import Cost
from warpviz.model.metrics import instruction_metric, instructions, metric_names

KINDS: list[tuple[Space, Op]] = [
    *(("shared", op) for op in ("ld", "st", "atom", "red", "ldmatrix")),
    *(("global", op) for op in ("ld", "st", "atom", "red")),
    ("const", "ld"),
]


@pytest.mark.parametrize(("space", "op"), KINDS)
def test_every_named_quantity_is_one_that_the_cost_has(space: Space, op: Op) -> None:
    cost = warpviz.cost(np.zeros(32, int), space=space, op=op)
    counted = {field.name for field in fields(Cost) if getattr(cost, field.name) is not None}
    assert set(metric_names(space, op)) == counted - {"ideal_wavefronts", "bytes_used"}


@pytest.mark.parametrize(
    ("op", "counted_as"), [("ld", "ld"), ("ldmatrix", "ld"), ("st", "st"), ("atom", "atom"), ("red", "atom")]
)
def test_shared_memory_counts_reductions_as_atomics_and_matrices_as_loads(op: Op, counted_as: str) -> None:
    assert metric_names("shared", op) == {
        "wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{counted_as}.sum",
        "conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{counted_as}.sum",
    }


@pytest.mark.parametrize("op", ["ld", "st", "atom", "red"])
def test_global_memory_counts_each_op_apart(op: Op) -> None:
    assert metric_names("global", op) == {
        "requests": f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum",
        "sectors": f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum",
        "lines": f"l1tex__t_set_accesses_pipe_lsu_mem_global_op_{op}.sum",
    }


@pytest.mark.parametrize(
    ("space", "op", "metric"),
    [
        ("shared", "ld", "smsp__inst_executed_op_shared_ld.sum"),
        ("shared", "st", "smsp__inst_executed_op_shared_st.sum"),
        ("shared", "atom", "smsp__inst_executed_op_shared_atom.sum"),
        ("shared", "red", "smsp__inst_executed_op_shared_atom.sum"),
        ("shared", "ldmatrix", "smsp__inst_executed_op_ldsm.sum"),
        ("global", "ld", "smsp__inst_executed_op_global_ld.sum"),
        ("global", "st", "smsp__inst_executed_op_global_st.sum"),
        ("global", "atom", "smsp__sass_inst_executed_op_global_atom.sum"),
        ("global", "red", "smsp__inst_executed_op_global_red.sum"),
        ("const", "ld", "smsp__inst_executed_op_ldc.sum"),
    ],
)
def test_executed_instructions_are_counted_by_kind(space: Space, op: Op, metric: str) -> None:
    assert instruction_metric(space, op) == metric


def test_an_access_is_one_instruction_but_for_wide_constants() -> None:
    assert [instructions("const", width) for width in (1, 4, 8, 16)] == [1, 1, 1, 2]
    assert {instructions(space, 16) for space in ("shared", "global")} == {1}


def test_constant_memory_counts_requests() -> None:
    assert metric_names("const", "ld") == {"requests": "idc__requests.sum"}
