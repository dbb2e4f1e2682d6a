"""Interpreted: everything about one interpreted kernel that the screen needs, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from warpviz.kernel.counters import kernel_counters
from warpviz.kernel.interpret import Outcome
from warpviz.kernel.lines import line_costs
from warpviz.kernel.prepare import Prepared
from warpviz.tui.code_table import CodeTable
from warpviz.tui.code_text import code_lines
from warpviz.tui.kernel_launch import AskedKernel


@dataclass(frozen=True, eq=False)
class Interpreted:
    """found: the kernel, with all others of its file. prepared: as it was run. outcome: what it did."""

    found: AskedKernel
    prepared: Prepared
    outcome: Outcome

    @property
    def name(self) -> str:
        """Of the kernel, as people write it."""
        return self.prepared.kernel.name

    @cached_property
    def table(self) -> CodeTable:
        """The file, and what its lines cost."""
        lines = code_lines("\n".join(self.prepared.lines).removesuffix("\n"))
        dangerous = frozenset(line for hazard in self.outcome.hazards for line in hazard.lines)
        return CodeTable(lines, line_costs(self.outcome.counts), dangerous)

    @cached_property
    def counters(self) -> dict[str, dict[str, int]]:
        """By memory space and op, such as "global_ld": quantity -> value."""
        return kernel_counters(self.outcome)

    def text(self, line: int) -> str:
        """The text of a line, without the blanks around it; empty where the line is not known."""
        lines = self.prepared.lines
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    def said_of(self, line: int) -> tuple[tuple[str, str], ...]:
        """What else is known of a line, each as a word and a sentence: its hazards, what the compiler makes of it."""
        of_line = f"line {line}: "
        hazards = [("hazard", one.sentence) for one in self.outcome.hazards if line in one.lines]
        findings = [("compiler", one.sentence) for one in self.outcome.findings if line in one.lines]
        return tuple((word, sentence.removeprefix(of_line)) for word, sentence in (*hazards, *findings))
