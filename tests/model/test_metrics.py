"""The names of the hardware counters that a Cost predicts."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import warpviz
from warpviz.hardware import Op, Space
from warpviz.model import Cost
from warpviz.model.metrics import metric_names

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


def test_constant_memory_counts_requests() -> None:
    assert metric_names("const", "ld") == {"requests": "idc__requests.sum"}
