"""One access with the values that made it and its cost: the object that `predict --json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warpviz.expression import Evaluation
from warpviz.hardware import LANES
from warpviz.model import Cost, assumptions, predict
from warpviz.wording import counted, printable


@dataclass(frozen=True)
class Prediction:
    """One access with the values that made it and its cost."""

    expression: str
    values: Mapping[str, int]
    arch: str
    evaluation: Evaluation
    cost: Cost

    @classmethod
    def of(cls, expression: str, values: Mapping[str, int], arch: str, evaluation: Evaluation) -> Prediction:
        """Predict this access on `arch`."""
        return cls(expression, values, arch, evaluation, predict(evaluation.access, arch))

    def count(self, name: str) -> int | None:
        """The count of this name in Cost, None where it does not apply."""
        counts = getattr(self.cost, name)
        return None if counts is None else int(counts[0])

    def efficiency(self) -> float | None:
        """Bytes used over bytes moved, None where it does not apply or nothing moves."""
        efficiency = self.cost.sector_efficiency
        return None if efficiency is None or self.count("sectors") == 0 else float(efficiency[0])

    def assumptions(self) -> tuple[str, ...]:
        """What the expression's text left open and what the model takes for granted."""
        return (
            *self.evaluation.assumptions,
            *assumptions(self.evaluation.access, self.arch, self.evaluation.element_type),
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `predict --json` prints."""
        access = self.evaluation.access
        lanes = zip(access.addresses[0].tolist(), access.active[0].tolist(), strict=True)
        return {
            "expression": self.expression,
            "set": dict(self.values),
            "space": access.space,
            "op": access.op,
            "width": access.width,
            "arch": self.arch,
            "active_lanes": int(access.active.sum()),
            "requests": self.count("requests"),
            "sectors": self.count("sectors"),
            "lines": self.count("lines"),
            "sector_efficiency": self.efficiency(),
            "wavefronts": self.count("wavefronts"),
            "ideal_wavefronts": self.count("ideal_wavefronts"),
            "conflicts": self.count("conflicts"),
            "addresses": [address if active else None for address, active in lanes],
            "assumptions": list(self.assumptions()),
        }

    def heading(self) -> str:
        """What kind of access this is, in a line."""
        access = self.evaluation.access
        kind = "ldmatrix" if access.op == "ldmatrix" else f"{self.evaluation.element_type} {access.op}"
        lanes = int(access.active.sum())
        who = "" if lanes == LANES else f", {lanes} of {LANES} lanes active"
        size = counted(access.width, "byte")
        expression = printable(self.expression)
        return f"{expression}   {access.space} {kind}, {size} a lane{who}, {self.arch}"

    def row(self) -> dict[str, str]:
        """The counts for a table, by column heading."""
        headings = {
            "requests": "requests",
            "sectors": "sectors",
            "lines": "lines",
            "wavefronts": "wavefronts",
            "ideal_wavefronts": "ideal",
            "conflicts": "conflicts",
        }
        counts = {heading: str(n) for name, heading in headings.items() if (n := self.count(name)) is not None}
        if (efficiency := self.efficiency()) is not None:
            counts["bytes used"] = f"{efficiency:.1%}"
        return {name: str(value) for name, value in self.values.items()} | counts
