"""A probe that answers what the model predicts, as an H200 would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from tests.gpu.samples import H200, counts, measurement, slope
from warpviz.gpu import (
    Bandwidth,
    Code,
    Counts,
    FrozenAccess,
    Gpu,
    GpuError,
    Measurement,
    ProbeRequest,
    Unavailable,
)
from warpviz.model import predict


class FakeProbe:
    """gpu: what it measures on. faults: by how many were asked before, what is raised instead of a measurement.
    counters: what every access is answered that is counted; None for what the model predicts. runs: is given how many
    accesses are counted together."""

    gpu: Gpu = H200
    faults: dict[int, BaseException] = {}  # noqa: RUF012  set by each test's own class
    counters: Unavailable | GpuError | None = None
    runs: list[int] = []  # noqa: RUF012
    seconds = 1e-4

    def __init__(self, *arguments: Any) -> None:
        self.asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def measure(self, request: ProbeRequest, *, progress: Callable[[str], None] | None = None) -> Measurement:
        self.asked += 1
        if self.asked - 1 in self.faults:
            raise self.faults[self.asked - 1]
        return measured(request.access, self.gpu, self.seconds)

    def count(self, patterns: Sequence[FrozenAccess], **limits: Any) -> list[Counts | Unavailable]:
        self.runs.append(len(patterns))
        if isinstance(self.counters, GpuError):
            raise self.counters
        return [self.counters or counted(pattern) for pattern in patterns]

    def read_code(self, measurement: Measurement) -> Measurement:
        opcodes = ((_opcode(measurement.access), 16),)
        return replace(measurement, code=Code("timed", opcodes, 16, 24, 1024, 0, "nvdisasm 13.0"))


def _opcode(access: FrozenAccess) -> str:
    """As nvdisasm writes the instruction of an access, as far as the tests need it."""
    if access.matrices is not None:
        return "LDSM.16.M88" + {1: "", 2: ".2", 4: ".4"}[access.matrices]
    if access.op in ("atom", "red"):
        name = "ATOMS" if access.space == "shared" else {"atom": "ATOMG.E", "red": "REDG.E"}[access.op]
        return name + (".EXCH.64" if access.width == 8 else ".ADD")
    name = {"shared": "{}S", "global": "{}G.E", "const": "{}C"}[access.space].format(access.op.upper())
    return name + {1: ".U8", 2: ".U16", 4: "", 8: ".64", 16: ".128"}[access.width]


def measured(pattern: FrozenAccess, gpu: Gpu = H200, seconds: float = 1e-4) -> Measurement:
    """By time, as predicted."""
    if pattern.space == "global":
        moved = 32 * pattern.distinct_sectors()
        bandwidth = Bandwidth(pattern.distinct_bytes() * 10**6, moved * 10**6, seconds * moved, 0.02, 7, 4200.0, 0.01)
        return measurement(pattern, gpu=gpu, wavefronts=None, bandwidth=bandwidth)
    cost = predict(pattern.access())
    number = cost.wavefronts if cost.wavefronts is not None else cost.requests
    assert number is not None
    return measurement(pattern, gpu=gpu, wavefronts=slope(int(number[0])))


def counted(pattern: FrozenAccess) -> Counts:
    """As predicted."""
    cost = predict(pattern.access())
    names = ("requests", "sectors", "lines", "wavefronts", "conflicts")
    predicted = {name: getattr(cost, name) for name in names}
    return replace(counts(), **{name: float(value[0]) for name, value in predicted.items() if value is not None})
