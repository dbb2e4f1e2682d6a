"""Run the program in this process and look at what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from warpviz.cli import main


@dataclass(frozen=True)
class Answer:
    """The exit code and what went to the two streams."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects on standard output, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the program with these arguments."""

    def call(*arguments: str) -> Answer:
        code = main(arguments)
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return call
