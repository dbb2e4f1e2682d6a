"""The reasons for an evaluated access."""

from __future__ import annotations

from warpviz.advice.why import Reason, why
from warpviz.expression import Evaluation
from warpviz.model import predict, schedule


def reasons(evaluation: Evaluation) -> tuple[Reason, ...]:
    return why(evaluation, predict(evaluation.access), schedule(evaluation.access))
