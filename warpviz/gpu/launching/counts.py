"""LaunchCounts: what the hardware counters show for a launch, by memory space and op and by line of the source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from warpviz.gpu.launching.metrics import counters_of, generic_instructions
from warpviz.gpu.measurement import Unavailable


@dataclass(frozen=True)
class LineCounts:
    """What the memory instructions of a line count together that are of one op, memory space and width.

    line: of the user's file, 0 where unknown; where a call was inlined, of the outermost. ptx_line: of the PTX, that of
    the instruction for which they stand; 0 where unknown. op: of the machine code, as an Access has it; "copy" from
    global to shared memory, which has a row for each; a compare-and-swap is an "atom". width: bytes a lane.
    instructions: executed by a warp, those too that are predicated off for all its lanes. sectors: of global and local
    memory, those that lanes touch. wavefronts, ideal_wavefronts: of shared memory. None for what was not counted.
    """

    line: int
    ptx_line: int
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

    def plus(self, other: LineCounts) -> LineCounts:
        """Both together, under this one's lines."""
        return replace(
            self,
            instructions=self.instructions + other.instructions,
            sectors=_plus(self.sectors, other.sectors),
            wavefronts=_plus(self.wavefronts, other.wavefronts),
            ideal_wavefronts=_plus(self.ideal_wavefronts, other.ideal_wavefronts),
        )


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def by_line(lines: Iterable[LineCounts]) -> tuple[LineCounts, ...]:
    """Those of a line, op, memory space and width put together, without their PTX lines; the first line first."""
    sums: dict[tuple[int, str, str, int], LineCounts] = {}
    for counts in lines:
        key = (counts.line, counts.op, counts.space, counts.width)
        sums[key] = sums[key].plus(counts) if key in sums else replace(counts, ptx_line=0)
    return tuple(sorted(sums.values(), key=lambda counts: counts.line))


@dataclass(frozen=True)
class LaunchCounts:
    """metrics: what ncu gives for each, by its full name. lines: by line and PTX line, or why they are not known. tool:
    with its version."""

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

    @property
    def generic(self) -> dict[str, int]:
        """By op, how many of the instructions are generic: see `generic_instructions`."""
        return generic_instructions(self.metrics)

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
