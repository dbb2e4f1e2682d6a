"""A kernel's predicted counters, under the names that the JSON output and the measurement have for them."""

from __future__ import annotations

from collections.abc import Mapping

from warpviz.kernel.counting import Count, totals
from warpviz.kernel.interpret import Outcome

_ALWAYS = ("global_ld", "global_st", "global_red", "shared_ld", "shared_st", "shared_atom")
_QUANTITIES: Mapping[str, tuple[str, ...]] = {
    "shared": ("wavefronts", "ideal_wavefronts", "conflicts"),
    "global": ("requests", "sectors"),
    "local": ("requests", "sectors"),
    "const": ("requests",),
}


def kernel_counters(outcome: Outcome) -> dict[str, dict[str, int]]:
    """By memory space and op, such as "shared_ld": quantity -> value. Those of _ALWAYS, and all others that occur.

    instructions: that warps execute, also with all lanes predicated off; without the machine code, the requests.
    """
    sums = totals(outcome.counts)
    counters = {key: _quantities(key, sums.get(key, Count())) for key in dict.fromkeys((*_ALWAYS, *sums))}
    # l1tex__t_requests_pipe_lsu_mem_global_op_ld has the requests of copies among those of loads, its sectors do not.
    counters["global_ld"]["requests"] += counters.get("global_copy", {}).get("requests", 0)
    for key, executed in (outcome.executed or {}).items():
        counters[key]["instructions"] = executed
    return counters


def _quantities(key: str, count: Count) -> dict[str, int]:
    space = key.partition("_")[0]
    instructions = {"instructions": count.accesses} if space == "shared" else {}
    return instructions | {name: getattr(count, name) for name in _QUANTITIES[space]}
