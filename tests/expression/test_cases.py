"""Accesses from real questions, with the answers that hardware and a C compiler gave."""

from __future__ import annotations

from typing import Any

import pytest

from tests.expression.ask import CASES, case_pattern
from warpviz.expression import parse
from warpviz.model.cost import predict

COLUMNS = {"ideal": "ideal_wavefronts"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    evaluation = parse(case_pattern(case)).evaluate(case["set"])
    access = evaluation.access
    assert (access.space, access.op, access.width) == (case["space"], case["op"], case["width"])
    cost = predict(access)
    assert {name: int(getattr(cost, COLUMNS.get(name, name))[0]) for name in case["expect"]} == case["expect"]
    assert evaluation.warnings == ()
