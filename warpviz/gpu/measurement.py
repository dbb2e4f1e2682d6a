"""Measurement: what a GPU showed for one access. JSON in and out, so that it can be recorded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from warpviz.gpu.from_json import tuples
from warpviz.gpu.frozen_access import FrozenAccess

Origin = Literal["measured", "recorded"]
Quantity = Literal["wavefronts", "sectors", "requests"]


@dataclass(frozen=True)
class Gpu:
    """name as the driver gives it; arch such as sm_90; driver such as 580.159.04; cuda: the newest CUDA version that
    the driver runs; nvrtc: the version of the compiler."""

    name: str
    arch: str
    driver: str
    cuda: str
    nvrtc: str

    @property
    def in_words(self) -> str:
        """The GPU with its driver and compiler."""
        return f"{self.name} ({self.arch}, driver {self.driver}, NVRTC {self.nvrtc})"


@dataclass(frozen=True)
class Unavailable:
    """A value that is not there. reason: one sentence: why and, where there is one, the mend."""

    reason: str


@dataclass(frozen=True)
class Run:
    """Every warp makes this many accesses: how many cycles that takes, the median of the repeats."""

    accesses: int
    cycles: float


@dataclass(frozen=True)
class Slope:
    """Cycles as the number of accesses grows, so without what a launch costs once.

    cycles_per_access: the slope between the two runs, the median of the repeats; in shared memory without the companion
    (see kernels/shared.cu), which the raw runs have. spread: the largest less the smallest slope of the repeats.
    unit_cycles: the cycles of one wavefront (1, by the rate of the data stage) or of one constant request (measured
    beside it). count: the wavefronts or requests of one access, a whole number; None when the time does not tell, for
    the reason in `doubt`.
    """

    cycles_per_access: float
    spread: float
    unit_cycles: float
    short: Run
    long: Run
    repeats: int
    count: int | None
    doubt: str | None = None

    @property
    def units(self) -> float:
        """The cycles of an access in wavefronts or requests, before rounding."""
        return self.cycles_per_access / self.unit_cycles

    @property
    def half_spread_units(self) -> float:
        """How far the repeats lie apart, as the number behind a ±, in wavefronts or requests."""
        return self.spread / self.unit_cycles / 2


@dataclass(frozen=True)
class Counts:
    """Hardware counters by Nsight Compute, divided by the accesses made; None where a counter does not apply.

    tool: with its version. lines: of global memory, as set accesses. instructions: that were executed for one access.
    """

    tool: str
    requests: float | None = None
    sectors: float | None = None
    lines: float | None = None
    wavefronts: float | None = None
    conflicts: float | None = None
    instructions: float | None = None


@dataclass(frozen=True)
class Code:
    """What the machine code of the kernel that was run makes of the access.

    kernel: its name. opcodes: the memory instructions in its loop that make the access, as the disassembler writes
    them, such as LDS.128, each with how many there are. asked: how many accesses the source makes there. registers: of
    a thread. shared_bytes: static, of a block. local_bytes: spilled, of a thread. tool: the disassembler with its
    version.
    """

    kernel: str
    opcodes: tuple[tuple[str, int], ...]
    asked: int
    registers: int
    shared_bytes: int
    local_bytes: int
    tool: str


@dataclass(frozen=True)
class Conditions:
    """How the GPU stood while it was timed or just after, by NVML; None for what it does not tell.

    sm_mhz, memory_mhz: the clocks. power_watts: drawn. throttled: what holds the clocks back, in words; empty when
    nothing does. other_processes: how many processes but this one compute on it.
    """

    sm_mhz: int | None
    memory_mhz: int | None
    temperature_celsius: int | None
    power_watts: float | None
    throttled: tuple[str, ...] | None
    other_processes: int | None


@dataclass(frozen=True)
class Bandwidth:
    """The pattern laid out side by side over more bytes than L2 holds, every copy accessed once.

    bytes_useful: distinct bytes that the lanes touch. bytes_moved: 32 for each distinct sector that they touch.
    seconds: the median of the repeats; spread: the largest less the smallest of them, over the median.
    copy_gb_per_second: what a plain copy of more bytes than L2 holds reads and writes on this GPU, measured in between,
    the median; copy_spread: as spread.
    """

    bytes_useful: int
    bytes_moved: int
    seconds: float
    spread: float
    repeats: int
    copy_gb_per_second: float
    copy_spread: float

    @property
    def useful_gb_per_second(self) -> float:
        return self.bytes_useful / self.seconds / 1e9

    @property
    def moved_gb_per_second(self) -> float:
        return self.bytes_moved / self.seconds / 1e9

    @property
    def of_copy(self) -> float:
        """The bytes moved a second as a share of what a plain copy reaches."""
        return self.moved_gb_per_second / self.copy_gb_per_second


@dataclass(frozen=True)
class Measurement:
    """What a GPU showed for `access`.

    origin: "measured" just now or "recorded" earlier. date: when, in UTC, ISO 8601. wavefronts: the slope, for shared
    memory (count: wavefronts) and constant memory (count: requests); None for global memory. counters: what Nsight
    Compute counted. bandwidth: for global memory; None elsewhere. addresses_agree: the GPU evaluated the expression
    itself and got the predicted addresses and active lanes (nothing is measured when it does not). conditions: how the
    GPU stood. code: what was compiled for the access; None as long as nobody has read it.
    """

    origin: Origin
    gpu: Gpu
    date: str
    access: FrozenAccess
    wavefronts: Slope | None
    counters: Counts | Unavailable
    bandwidth: Bandwidth | Unavailable | None
    addresses_agree: bool
    conditions: Conditions | Unavailable
    code: Code | Unavailable | None = None

    @property
    def timed_quantity(self) -> Literal["requests", "wavefronts"]:
        """What the slope counts."""
        return "requests" if self.access.space == "const" else "wavefronts"

    def count_of(self, quantity: Quantity) -> float | None:
        """What was measured of it for one access: by time before rounding, else by counters; None for neither."""
        slope = self.wavefronts
        if slope is not None and slope.count is not None and self.timed_quantity == quantity:
            return slope.units
        counted: float | None = getattr(self.counters, quantity) if isinstance(self.counters, Counts) else None
        return counted

    def to_json(self) -> dict[str, Any]:
        """Only what JSON has. `from_json` makes an equal Measurement of it."""
        return asdict(self) | {"access": self.access.to_json()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Measurement:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        slope = data["wavefronts"]
        bandwidth = data["bandwidth"]
        return cls(
            origin=data["origin"],
            gpu=Gpu(**data["gpu"]),
            date=str(data["date"]),
            access=FrozenAccess.from_json(data["access"]),
            wavefronts=None if slope is None else slope_from_json(slope),
            counters=either(Counts, data["counters"]),
            bandwidth=None if bandwidth is None else either(Bandwidth, bandwidth),
            addresses_agree=bool(data["addresses_agree"]),
            conditions=either(Conditions, data["conditions"]),
            code=None if data["code"] is None else either(Code, data["code"]),
        )


def slope_from_json(data: dict[str, Any]) -> Slope:
    return Slope(**{**data, "short": Run(**data["short"]), "long": Run(**data["long"])})


def either(kind: Any, data: dict[str, Any]) -> Any:
    """`kind`, or Unavailable when that is what the data holds."""
    if set(data) == {f.name for f in fields(Unavailable)}:
        return Unavailable(**data)
    return kind(**tuples(data))
