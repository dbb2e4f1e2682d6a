"""What goes wrong with a measurement, as one sentence and a kind that a caller can act on."""

from __future__ import annotations

from typing import Literal

Kind = Literal["no_gpu", "no_counters", "refused", "failed", "timed_out", "cancelled"]


class GpuError(Exception):
    """A measurement that did not happen.

    sentence: one sentence for the user: what is wrong and, where there is one, the mend.
    kind: "no_gpu" (none is there, or none can be had), "no_counters" (they were required), "refused" (nothing was
    launched, because the access does not fit the hardware), "failed" (the GPU or its worker process failed),
    "timed_out", "cancelled".
    """

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind
        self.sentence = sentence
