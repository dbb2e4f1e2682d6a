"""LaunchCounts: what the hardware counters show for a launch, by memory space and op and by line of the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from warpviz.gpu.launching.metrics import counters_of
from warpviz.gpu.measurement import Unavailable


@dataclass(frozen=True)
class LineCounts:
    """What the memory instructions of a line count together that are of one op, memory space and width.

    line: of the user's file, 0 where unknown. op: of the machine code, as an Access has it; "copy" from global to
    shared memory, which has a row for each; a compare-and-swap is an "atom". width: bytes a lane. instructions:
    executed by a warp, those too that are predicated off for all its lanes. sectors: of global and local memory, those
    that lanes touch. wavefronts, ideal_wavefronts: of shared memory. None for what was not counted.
    """

    line: int
    op: str
    space: str
    width: int
    instructions: int
    sectors: int | None = None
    wavefronts: int | None = None
    ideal_wavefronts: int | None = None

    @property
    def key(self) -> str:
        """Which of the kernel's counters it is part of, such as "shared_ld"."""
        return f"{self.space}_{'ld' if self.op == 'ldmatrix' else self.op}"


@dataclass(frozen=True)
class LaunchCounts:
    """metrics: what ncu gives for each, by its full name. lines: or why they are not known. tool: with its version."""

    tool: str
    metrics: Mapping[str, int]
    lines: tuple[LineCounts, ...] | Unavailable

    @property
    def counters(self) -> dict[str, dict[str, int]]:
        """By memory space and op, such as "global_ld": those of its quantities that were counted.

        The ideal wavefronts, and so the conflicts, are known by line alone, and left out where the lines are not all.
        """
        counters = counters_of(self.metrics)
        for key, quantities in counters.items():
            of_key = [line for line in self.lines if line.key == key] if isinstance(self.lines, tuple) else []
            wavefronts, ideal = (
                sum(getattr(line, name) or 0 for line in of_key) for name in ("wavefronts", "ideal_wavefronts")
            )
            if isinstance(self.lines, tuple) and quantities.get("wavefronts") == wavefronts:
                quantities |= {"ideal_wavefronts": ideal, "conflicts": wavefronts - ideal}
        return counters

    def to_json(self) -> dict[str, Any]:
        """Only what JSON has. `from_json` makes an equal value of it."""
        lines = asdict(self.lines) if isinstance(self.lines, Unavailable) else [asdict(line) for line in self.lines]
        return {"tool": self.tool, "metrics": dict(self.metrics), "lines": lines}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LaunchCounts:
        """Raises KeyError, TypeError or ValueError for data that `to_json` does not make."""
        lines = data["lines"]
        read = Unavailable(**lines) if isinstance(lines, dict) else tuple(LineCounts(**line) for line in lines)
        return cls(str(data["tool"]), {name: int(value) for name, value in data["metrics"].items()}, read)
