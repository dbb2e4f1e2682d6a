"""Why an access costs what it costs: in plain words, with its own numbers, and under the counters' own names."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.access import Access
from warpviz.advice.reason import Reason, Tone
from warpviz.advice.why_constant import constant_reasons
from warpviz.advice.why_global import global_reasons
from warpviz.advice.why_index import index_reasons
from warpviz.advice.why_shared import shared_reasons
from warpviz.expression import Evaluation
from warpviz.hardware import Space
from warpviz.model import Cost, Schedule
from warpviz.model.metrics import metric_names
from warpviz.wording import counted

__all__ = ["Reason", "Tone", "why"]

_EXPLAINED = 5  # more than so many sentences on one number are not read
_NOT_MODELLED: dict[Space, str] = {
    "shared": "which word of a bank goes first, and what other warps add",
    "global": "caches and DRAM: whether a sector is in L1 or L2, and how long it takes to come",
    "const": "whether the constant cache holds the words (a miss takes longer), and what other warps add",
}


def why(evaluation: Evaluation, cost: Cost, served: Schedule) -> tuple[Reason, ...]:
    """The reasons for a cost, the most telling first, then its numbers by metric and what is not modelled.

    cost and served: of the evaluation's access, a batch of one. At most nine.
    """
    access = evaluation.access
    about_memory = tuple(_about_memory(access, cost, served))
    about_index = tuple(index_reasons(evaluation.readings()))
    kept = about_memory[: _EXPLAINED - len(about_index)]
    last = Reason("not modelled", _NOT_MODELLED[access.space], "plain")
    return (*kept, *about_index, *_counted_as(access, cost), last)


def _about_memory(access: Access, cost: Cost, served: Schedule) -> Iterator[Reason]:
    if access.space == "shared":
        return shared_reasons(access, cost, served)
    if access.space == "global":
        return global_reasons(access, cost, served)
    return constant_reasons(access, cost, served)


def _counted_as(access: Access, cost: Cost) -> Iterator[Reason]:
    """Each number beside the metric that it predicts."""
    for quantity, metric in metric_names(access.space, access.op).items():
        number = int(getattr(cost, quantity)[0])
        yield Reason("counted as", f"{counted(number, quantity.removesuffix('s'))}: {metric}", "plain")
