"""A kernel that is compiled, with its launch still open: what is asked for it, and what is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpviz.kernel.launch import DeclaredParameter, Launch, LaunchOptions, launch_of
from warpviz.kernel.launch.line import Given
from warpviz.kernel.prepare import Prepared
from warpviz.kernel.program import build_program
from warpviz.kernel.ptx import read_module
from warpviz.kernel.ptx.syntax import Module
from warpviz.kernel.source import Chosen, Compiled, KernelSource, choose_kernel, declared_parameters, to_ptx
from warpviz.kernel.source.names import bare
from warpviz.tui.opening import KernelToOpen


@dataclass(frozen=True, eq=False)
class FoundKernel:
    """asked: as it was asked for, launch and all. source, compiled, module: of its file. kernel: the chosen one."""

    asked: KernelToOpen
    source: KernelSource
    compiled: Compiled
    kernel: Chosen
    module: Module

    @cached_property
    def parameters(self) -> tuple[DeclaredParameter, ...]:
        """Each with a name: where the file does not name all of them, one made of its place."""
        wanted = self.module.routines[self.kernel.symbol].parameters
        declared = self._declared or tuple(DeclaredParameter("", parameter.type) for parameter in wanted)
        if all(parameter.name for parameter in declared):
            return declared
        return tuple(DeclaredParameter(f"p{place}", one.type) for place, one in enumerate(declared, 1))

    @property
    def given(self) -> Mapping[str, Given]:
        """What the file states, by the option that would override it, such as --grid and --arg n."""
        line = self.kernel.line
        if line is None:
            return {}
        stated = {"--grid": line.grid, "--block": line.block, "--smem": line.shared_bytes}
        arguments = {f"--arg {name}": text for name, text in line.arguments}
        return {option: text for option, text in (stated | arguments).items() if text is not None}

    def launch(self, asked: KernelToOpen) -> Launch:
        """How it is run when that is asked. Raises LaunchError."""
        routine = self.module.routines[self.kernel.symbol]
        folder = self.source.path.parent
        line, name = self.kernel.line, self.kernel.name
        return launch_of(line, options_of(asked), routine, self._declared, name=name, folder=folder)

    def prepared(self, launch: Launch) -> Prepared:
        """Ready to be interpreted. Raises CannotRun."""
        program = build_program(self.module, self.kernel.symbol)
        return Prepared(self.source, self.compiled, self.kernel, program, launch, self.asked.arch)

    @cached_property
    def _declared(self) -> tuple[DeclaredParameter, ...] | None:
        texts = [self.compiled.source.text, *(text for _, text in self.compiled.source.headers)]
        routine = self.module.routines[self.kernel.symbol]
        return declared_parameters(texts, bare(self.kernel.name), len(routine.parameters))


def find_kernel(asked: KernelToOpen, source: KernelSource) -> FoundKernel | tuple[str, ...]:
    """Compile a file and choose its kernel. The names of all of them, when nothing tells which one is meant.

    Raises SourceError, CompileError, GpuError, PtxError: see `prepare`.
    """
    compiled = to_ptx(source, asked.arch, asked.name)
    if asked.name is None and not source.launches and len(compiled.names) > 1:
        return tuple(compiled.names.values())
    kernel = choose_kernel(compiled.names, source.launches, asked.name)
    return FoundKernel(asked, source, compiled, kernel, read_module(compiled.ptx, compiled.source.name))


def options_of(asked: KernelToOpen) -> LaunchOptions:
    """What is given beside the file."""
    return LaunchOptions(asked.grid, asked.block, asked.shared_bytes, asked.arguments)
