"""A kernel's lines as Nsight Compute counts them beside those that were predicted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from warpviz.gpu.launching.counts import LineCounts, by_line
from warpviz.gpu.launching.metrics import METRICS
from warpviz.hardware import Op
from warpviz.kernel.code import Finding
from warpviz.kernel.counting import Count, LineKind
from warpviz.kernel.program import Program
from warpviz.model.metrics import shared_op

Widths = Mapping[int, int]  # bytes a lane -> how many accesses, or instructions


@dataclass(frozen=True)
class LineComparison:
    """What a line does in one memory space with one kind of access.

    key: such as "shared_ld". quantity: what is compared: "sectors" or "wavefronts". predicted, measured: of it.
    asked: the accesses that were predicted, by width. executed: the instructions that a warp executes, by width, those
    too that are predicated off.
    """

    line: int
    key: str
    quantity: str
    predicted: int
    measured: int
    asked: Widths
    executed: Widths

    @property
    def is_equal(self) -> bool:
        return self.predicted == self.measured

    @property
    def cause(self) -> str | None:
        """Why it differs, where the widths tell."""
        if self.is_equal:
            return None
        asked, executed = _in_words(self.asked), _in_words(self.executed)
        if not self.executed:
            return f"line {self.line}: none of {asked} is left in the machine code at this line"
        if not self.asked:
            return f"line {self.line}: the machine code has {executed} here that PTX has not"
        if self.key.endswith("atom") and sum(self.executed.values()) > sum(self.asked.values()):
            return f"line {self.line}: {asked} became {executed}: a loop, again where another thread came between"
        if max(self.executed) > max(self.asked):
            return f"line {self.line}: {asked} became {executed}: fused"
        if self.asked.keys() != self.executed.keys():
            return f"line {self.line}: {asked} became {executed}"
        return None


@dataclass
class _Line:
    predicted: int = 0
    measured: int = 0
    asked: dict[int, int] = field(default_factory=dict)
    executed: dict[int, int] = field(default_factory=dict)


def as_in_ptx(counted: Iterable[LineCounts], program: Program) -> tuple[LineCounts, ...]:
    """The counts by the lines that the program has for the same instructions, where the PTX line is known."""
    lines = {instruction.ptx_line: instruction.line.number for instruction in program.instructions}
    return by_line(replace(counts, line=lines.get(counts.ptx_line, counts.line)) for counts in counted)


def compare_lines(predicted: Mapping[LineKind, Count], measured: Sequence[LineCounts]) -> tuple[LineComparison, ...]:
    """The first line first. Constant memory is left out, which is not counted by line."""
    lines: dict[tuple[int, str], _Line] = {}
    for kind, count in predicted.items():
        key = key_of(kind)
        if key in METRICS:
            line = lines.setdefault((kind.line, key), _Line())
            line.predicted += getattr(count, _quantity(key))
            line.asked[kind.width] = line.asked.get(kind.width, 0) + count.accesses
    for row in measured:
        line = lines.setdefault((row.line, row.key), _Line())
        line.measured += getattr(row, _quantity(row.key)) or 0
        line.executed[row.width] = line.executed.get(row.width, 0) + row.instructions
    return tuple(
        LineComparison(number, key, _quantity(key), one.predicted, one.measured, one.asked, one.executed)
        for (number, key), one in sorted(lines.items())
    )


def causes_by_key(lines: Iterable[LineComparison], findings: Iterable[Finding]) -> dict[str, list[str]]:
    """The causes of what differs, by key. findings: on the machine code; those that say why the counts of a line are
    not its own go before what the widths tell."""
    known: dict[int, list[str]] = {}
    for finding in findings:
        for number in finding.lines if finding.kind == "not followed" else ():
            known.setdefault(number, []).append(finding.sentence)
    causes: dict[str, list[str]] = {}
    for line in lines:
        if not line.is_equal:
            causes.setdefault(line.key, []).extend(known.get(line.line) or filter(None, [line.cause]))
    return causes


def key_of(kind: LineKind) -> str:
    """Which of the kernel's counters its accesses are part of, such as "shared_ld"."""
    if kind.space != "shared" or kind.op == "copy":
        return f"{kind.space}_{kind.op}"
    return f"shared_{shared_op(cast(Op, kind.op))}"


def _quantity(key: str) -> str:
    return "wavefronts" if key.startswith("shared") else "sectors"


def _in_words(widths: Widths) -> str:
    return " and ".join(_each(widths))


def _each(widths: Widths) -> Iterator[str]:
    for width, count in sorted(widths.items()):
        yield f"{count:,} of {width} bytes" if width > 1 else f"{count:,} of 1 byte"
