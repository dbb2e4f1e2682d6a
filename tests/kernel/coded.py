"""A kernel's text interpreted with its machine code beside it, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.compiling import compiler
from warpviz.gpu import GpuError, Unavailable
from warpviz.gpu.code.disassembler import Disassembler, find_disassembler
from warpviz.kernel.code import Code, Finding, Fusing, code_of
from warpviz.kernel.counting import Count, Counter, totals
from warpviz.kernel.interpret import filled_memory
from warpviz.kernel.launch import LaunchOptions, parse_launch
from warpviz.kernel.machine import Geometry, Statistics, run
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import KernelSource


@dataclass(frozen=True)
class Coded:
    """code: of the kernel. counts: of the accesses of its machine code, by memory space and op. executed: instructions
    of shared memory. asked: the same counts of the PTX. fusing: what handed the accesses on."""

    code: Code
    counts: Mapping[str, Count]
    executed: Mapping[str, int]
    asked: Mapping[str, Count]
    fusing: Fusing

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.code.findings, *self.code.refusals(self.fusing.refused))

    def sentences(self, kind: str) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.kind == kind]

    @property
    def kinds(self) -> set[str]:
        return {finding.kind for finding in self.findings}


@cache
def coded(text: str, arch: str = "sm_90") -> Coded:
    """text: with a launch line. Skips the test where there is no NVRTC or no nvdisasm."""
    disassembler = find_disassembler()
    if not isinstance(disassembler, Disassembler):
        pytest.skip(disassembler.reason)
    try:
        source = KernelSource(Path("kernel.cu"), text, tuple(parse_launch(text)))
        prepared = prepare(source, LaunchOptions(), arch=arch, compiler=compiler())
    except GpuError as error:
        pytest.skip(error.sentence)
    code = code_of(prepared.compiled.source, prepared.kernel.symbol, arch, prepared.program, compiler())
    assert not isinstance(code, Unavailable), code
    asked, counter = Counter(arch), Counter(arch)
    _run(prepared, asked)
    fusing = Fusing(counter, code.fusions)
    statistics = _run(prepared, fusing)
    return Coded(code, totals(counter.counts), code.executed(statistics, counter.counts), totals(asked.counts), fusing)


def _run(prepared: Prepared, observer: Counter | Fusing) -> Statistics:
    launch = prepared.launch
    memory, _ = filled_memory(prepared.program, launch)
    return run(prepared.program, Geometry(launch.grid, launch.block, launch.shared_bytes), memory, observer)
