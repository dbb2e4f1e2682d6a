"""Looks for hazards while a kernel runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from threading import Lock

from warpviz.kernel.hazards.chunk import ChunkWatcher
from warpviz.kernel.hazards.findings import Finding, Findings, Manner, Touch
from warpviz.kernel.hazards.grain import grain_of
from warpviz.kernel.hazards.hazard import Hazard, HazardKind
from warpviz.kernel.hazards.hoisted import hoisted_loads
from warpviz.kernel.hazards.naming import element
from warpviz.kernel.hazards.pairs import Effort
from warpviz.kernel.hazards.races import Extent
from warpviz.kernel.hazards.sentences import Case, sentence_of
from warpviz.kernel.machine.geometry import Geometry, unravelled
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import Threads
from warpviz.kernel.program import Program
from warpviz.kernel.program.program import Meet

_KINDS: dict[Manner, HazardKind] = {
    "unwritten": "uninitialised",
    "ended": "barrier",
    "parted": "barrier",
    "stuck": "barrier",
}
_MOST_PAIRS = 1 << 24  # of touches that are held against each other in a launch: some seconds
_TELLING: tuple[Manner, ...] = ("read", "overwritten", "written", "copied", "unwritten", "stuck", "parted", "ended")


class HazardFinder:
    """Finds races in shared memory, barriers that part of a block does not reach, and reads of what nobody has written:
    `run(…, watch=finder.watch)`. Chunks may run in several threads.

    A race: two threads of a block touch the same bytes, at least one writes, and nothing orders the two (see
    `hazards.order`). No race: a thread with itself; atomics among each other; writes of the same value, as of a flag
    that many threads set; volatile accesses and atomics behind a fence, which are signals. Lanes of one warp race as
    threads of two do. Where an address comes from data, what is found holds for these data. Where very much races, not
    all blocks are looked at, and `times` is what has been seen.
    """

    def __init__(self, program: Program, geometry: Geometry, memory: Memory) -> None:
        """memory: of the launch, of which the layout is read."""
        self._program, self._geometry, self._layout = program, geometry, memory.layout
        self._grain = grain_of(program)
        self._hoisted = hoisted_loads(program)
        self._findings = Findings()
        self._lock = Lock()

    def watch(self, threads: Threads) -> ChunkWatcher | None:
        """Who watches a chunk of all its blocks' threads; None where nothing can go wrong."""
        shared_bytes = self._layout.sizes["shared"]
        if not shared_bytes and not any(isinstance(block.ending, Meet) for block in self._program.blocks):
            return None
        extent = Extent(threads.shape[0], threads.first_block, -(-shared_bytes // self._grain), self._grain)
        effort = Effort(_MOST_PAIRS * extent.blocks // self._geometry.blocks)
        return ChunkWatcher(threads, extent, self._geometry.present(), self._hoisted, effort, self._add)

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """What has been found so far, each two instructions once; sorted by line."""
        with self._lock:
            found = sorted(self._findings, key=lambda finding: _TELLING.index(finding.manner))
        merged: dict[tuple[HazardKind, tuple[tuple[int, int, str], ...]], Finding] = {}
        for finding in found:
            key = _KINDS.get(finding.manner, "race"), tuple(sorted(_identity(touch) for touch in finding.touches))
            merged[key] = merged[key].with_other(finding) if key in merged else finding
        hazards = [self._hazard(finding) for finding in _mended_together(merged.values())]
        return tuple(sorted(hazards, key=lambda hazard: (min(hazard.lines), hazard.lines, hazard.ops)))

    def _add(self, findings: Findings) -> None:
        with self._lock:
            self._findings.add(findings)

    def _hazard(self, finding: Finding) -> Hazard:
        threads = tuple(unravelled(thread, self._geometry.block) for thread in finding.threads)
        block = unravelled(finding.block, self._geometry.grid)
        variable, what = None, ""
        kind = finding.touches[-1].kind
        if finding.byte is not None and kind is not None:
            variable, what = element(finding.byte, kind, self._program.variables, self._layout)
        order = _writer_first(finding.touches)
        touches = [finding.touches[place] for place in order]
        return Hazard(
            _KINDS.get(finding.manner, "race"),
            tuple(touch.line for touch in touches),
            tuple(touch.op for touch in touches),
            tuple(threads[place] for place in (*order, *range(len(order), len(threads)))),
            block,
            None if finding.byte is None else "shared",
            variable,
            finding.byte,
            finding.times,
            sentence_of(Case(finding, threads, block, what)),
        )


def _mended_together(findings: Iterable[Finding]) -> list[Finding]:
    """A race within warps is mended by the barrier for the block that another race before the same line needs."""
    found = list(findings)
    lines = {finding.touches[-1].line for finding in found if finding.across_warps}
    return [replace(each, across_warps=True) if each.touches[-1].line in lines else each for each in found]


def _identity(touch: Touch) -> tuple[int, int, str]:
    """What tells an instruction apart: its line, or else its place in the program; and what it does."""
    return touch.line, 0 if touch.line else touch.index, touch.op


def _writer_first(touches: tuple[Touch, ...]) -> list[int]:
    """Their order: those that write before those that read, then by line."""
    reads = ("ld", "ldmatrix")
    return sorted(range(len(touches)), key=lambda place: (touches[place].op in reads, touches[place].line))
