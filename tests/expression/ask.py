"""Short ways to ask the expression language something."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from warpviz.expression import Evaluation, ExpressionError, Launch, Pattern, parse

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "cases.json").read_text())

# An integer expression as an address: with `char* origin;` its value is the byte offset.
AS_OFFSET = "origin[(long long)({})]"


def ask(expression: str, declarations: str = "", values: dict[str, int] | None = None, **pattern: Any) -> Evaluation:
    """What an expression comes to."""
    return parse(Pattern(expression, declarations, **pattern)).evaluate(values or {})


def addresses(
    expression: str, declarations: str = "", values: dict[str, int] | None = None, **pattern: Any
) -> list[int]:
    """The 32 addresses, 0 for inactive lanes."""
    row: list[int] = ask(expression, declarations, values, **pattern).access.addresses[0].tolist()
    return row


def numbers(expression: str, declarations: str = "", values: dict[str, int] | None = None, **pattern: Any) -> list[int]:
    """The value of an integer expression in each lane, seen as a byte offset from a char pointer."""
    return addresses(AS_OFFSET.format(expression), declarations + "\nchar* origin;", values, **pattern)


def error(
    expression: str, declarations: str = "", values: dict[str, int] | None = None, **pattern: Any
) -> ExpressionError:
    """What is wrong."""
    with pytest.raises(ExpressionError) as caught:
        ask(expression, declarations, values, **pattern)
    return caught.value


def case_pattern(case: dict[str, Any]) -> Pattern:
    """One case of cases.json."""
    launch = Launch(tuple(case["block"]), tuple(case["block_index"]), None, case["warp"])
    return Pattern(case["expr"], case["decl"], case["where"], case["op"], None, case.get("matrices"), launch)
