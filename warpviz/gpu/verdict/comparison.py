"""Comparison: one quantity, predicted and measured, and why the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["equal", "off", "unmeasured"]
Method = Literal["time", "counters"]
CauseKind = Literal[
    "folded",
    "fused",
    "split",
    "other",
    "gone",
    "arbitration",
    "lower bound",
    "assumed rule",
    "noise",
    "doubt",
    "open",
]


@dataclass(frozen=True)
class Cause:
    """Why measured is not predicted. sentence: with the evidence.

    kind: what the compiler made of the access ("folded", "fused", "split", "other" instructions, "gone"); "arbitration"
    (waits for other traffic are counted too); "lower bound" (the prediction is one); "assumed rule" (on an architecture
    that no rule was measured on); "noise"; "doubt" (the time tells no whole number); "open": none of these.
    """

    kind: CauseKind
    sentence: str


@dataclass(frozen=True)
class Comparison:
    """One quantity, such as "wavefronts", predicted and measured.

    by: "time" or "counters". measured: None when it could not be, for the `reason`. cause: why the two differ, or why
    the time tells nothing; None when they are equal, and where nothing was measured at all.
    """

    quantity: str
    predicted: int
    measured: float | None
    by: Method
    reason: str = ""
    cause: Cause | None = None

    @property
    def outcome(self) -> Outcome:
        if self.measured is None:
            return "unmeasured"
        return "equal" if self.measured == self.predicted else "off"

    @property
    def off_by(self) -> float:
        """measured less predicted; 0 when it was not measured."""
        return 0.0 if self.measured is None else self.measured - self.predicted
