"""Which hardware counters tell what a kernel's accesses cost, by Nsight Compute's names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EXECUTED = "inst_executed"
WAVEFRONTS = "memory_l1_wavefronts_shared"
IDEAL_WAVEFRONTS = "memory_l1_wavefronts_shared_ideal"
GLOBAL_SECTORS = "memory_l2_theoretical_sectors_global"
LOCAL_SECTORS = "memory_l2_theoretical_sectors_local"
BY_INSTRUCTION = (EXECUTED, WAVEFRONTS, IDEAL_WAVEFRONTS, GLOBAL_SECTORS, LOCAL_SECTORS)
"""Those that tell each instruction's share."""

# Ops of the counters that add up to what the key names. The first is on every GPU, the others where there are such
# instructions: ldmatrix, stmatrix.
_SHARED_OPS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "shared_ld": (("shared_ld", "ldsm"), ("ld", "ldsm")),
    "shared_st": (("shared_st", "shared_stsm"), ("st", "stsm")),
    "shared_atom": (("shared_atom",), ("atom",)),
    "shared_copy": (("ldgsts",), ("ldgsts",)),
}
_Quantities = dict[str, list[str]]  # quantity -> the metrics that add up to it

_SECTORS = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem"
_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared"


_GENERIC = {op: f"smsp__inst_executed_op_generic_{op}.sum" for op in ("ld", "st", "atom")}


def _metrics() -> dict[str, _Quantities]:
    """The wavefronts and the sectors are those counted in the machine code (sass): the counters of the same name that
    are not have what other accesses of the same kernel cost among them."""
    shared = {
        key: {
            "instructions": [f"smsp__inst_executed_op_{op}.sum" for op in executed],
            "wavefronts": [f"{_WAVEFRONTS}_op_{op}.sum" for op in counted],
        }
        for key, (executed, counted) in _SHARED_OPS.items()
    }
    copy = {
        "requests": ["smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum"],
        "sectors": [f"{_SECTORS}_global_op_ldgsts.sum"],
    }
    of_global = {f"global_{op}": _sectors("global", op) for op in ("ld", "st", "red", "atom")}
    return {**of_global, "global_copy": copy, **shared, **{f"local_{op}": _sectors("local", op) for op in ("ld", "st")}}


def _sectors(space: str, op: str) -> _Quantities:
    return {
        "requests": [f"l1tex__t_requests_pipe_lsu_mem_{space}_op_{op}.sum"],
        "sectors": [f"{_SECTORS}_{space}_op_{op}.sum"],
    }


METRICS: Mapping[str, Mapping[str, Sequence[str]]] = _metrics()
"""By memory space and op: quantity -> the metrics that add up to it."""


def metric_names() -> list[str]:
    """All that are asked for."""
    names = {name for quantities in METRICS.values() for parts in quantities.values() for name in parts}
    return [*sorted(names), *_GENERIC.values(), *BY_INSTRUCTION]


def counters_of(values: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """values: what was counted, by metric. By memory space and op, the quantities that were counted.

    The requests of loads from global memory have those of copies among them.
    """
    counters: dict[str, dict[str, int]] = {}
    for key, quantities in METRICS.items():
        counted = {what: names for what, names in quantities.items() if names[0] in values}
        counters[key] = {what: sum(values.get(name, 0) for name in names) for what, names in counted.items()}
    return counters


def generic_instructions(values: Mapping[str, int]) -> dict[str, int]:
    """By op: executed with an address that alone tells the memory space. They are not among the others' instructions,
    though what they cost is."""
    return {op: values.get(name, 0) for op, name in _GENERIC.items()}
