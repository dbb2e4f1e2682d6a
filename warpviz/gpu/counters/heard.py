"""What comes out of a run of Nsight Compute: the answers of the process that it counts, and the table."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpviz.gpu.counters.complaints import without_unknown

_MOST_LINES = 10_000  # of what is neither an answer nor a count

_VALUE = re.compile(r"[\d,]+(\.\d+)?")
_INSTANCE = re.compile(r"(0x[0-9a-f]+): ([\d,]+)")

Row = dict[str, float]  # metric -> its value for one launch


@dataclass
class Heard:
    """One run of ncu. answers: of the counted process. said: all else, line by line.

    keys: one of them is in every answer.
    """

    keys: frozenset[str]
    answers: list[dict[str, Any]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.said)

    @property
    def rows(self) -> list[Row]:
        return read_rows(self.text)

    def listen(self, line: bytes) -> None:
        """Takes a line that the counted process, or ncu itself, prints."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and answer.keys() & self.keys:
            self.answers.append(answer)
        elif len(self.said) < _MOST_LINES:
            self.said.append(line.decode(errors="replace"))


def run_with_known(run: Callable[[Sequence[str]], Heard], wanted: Sequence[str]) -> Heard:
    """Run ncu for the wanted metrics; again without those that it does not know, while it counts nothing for them."""
    heard = run(wanted)
    while not heard.rows and (known := without_unknown(heard.text, wanted)) not in (list(wanted), []):
        wanted = known
        heard = run(wanted)
    return heard


def read_table(text: str) -> list[dict[str, str]]:
    """Column -> cell, for each launch, from ncu's `--csv --page raw`: a header, a row of units, then the launches."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    return [
        {name: value for name, value in row.items() if name and value}
        for row in csv.DictReader(lines[start:])
        if (row.get("ID") or "").isdigit()
    ]


def read_rows(text: str) -> list[Row]:
    """Metric -> value, for each launch."""
    return [
        {name: float(value.replace(",", "")) for name, value in row.items() if _is_number(name, value)}
        for row in read_table(text)
    ]


def read_values(cells: Mapping[str, str], metrics: Iterable[str]) -> dict[str, int]:
    """Those of the metrics that have a value in a row of the table, which their instances may follow."""
    found = {name: _VALUE.match(cells.get(name, "")) for name in metrics}
    return {name: round(float(value[0].replace(",", ""))) for name, value in found.items() if value}


def read_instances(cell: str) -> dict[int, int]:
    """The values of single instructions, by their address on the GPU, as --print-metric-instances details shows them.

    >>> read_instances("1,034 (0x7f00: 1,024; 0x7f10: 10)") == {0x7F00: 1024, 0x7F10: 10}
    True
    """
    return {int(address, 16): int(value.replace(",", "")) for address, value in _INSTANCE.findall(cell)}


def _is_number(name: str, value: str) -> bool:
    return "__" in name and _VALUE.fullmatch(value) is not None
