"""A user's .cu file made ready to run: compiled, its kernel chosen, its launch settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpviz.gpu.code.compiler import Compiler
from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.launch import DeclaredParameter, Launch, LaunchOptions, launch_of
from warpviz.kernel.launch.line import Given
from warpviz.kernel.program import Program, build_program
from warpviz.kernel.ptx import read_module
from warpviz.kernel.ptx.syntax import Module
from warpviz.kernel.source import Chosen, Compiled, KernelSource, choose_kernel, declared_parameters, to_ptx
from warpviz.kernel.source.names import bare


@dataclass(frozen=True)
class Prepared:
    """A kernel that can be interpreted, and compiled to machine code.

    source: the file. compiled: it, with all its kernels. kernel: the chosen one. program: what is interpreted. launch:
    how it is run. arch: such as sm_90.
    """

    source: KernelSource
    compiled: Compiled
    kernel: Chosen
    program: Program
    launch: Launch
    arch: str

    @property
    def lines(self) -> list[str]:
        """The lines of the file, as the accesses' line numbers count them from 1."""
        return self.source.text.split("\n")


@dataclass(frozen=True, eq=False)
class FoundKernel:
    """A kernel that is compiled, with its launch still open. source, compiled, module: of its file. kernel: the chosen
    one. arch: such as sm_90."""

    source: KernelSource
    compiled: Compiled
    kernel: Chosen
    module: Module
    arch: str

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

    def launch(self, options: LaunchOptions) -> Launch:
        """How it is run with these options. Raises LaunchError; MissingArguments when a parameter has no value."""
        routine = self.module.routines[self.kernel.symbol]
        folder = self.source.path.parent
        line, name = self.kernel.line, self.kernel.name
        return launch_of(line, options, routine, self._declared, name=name, folder=folder)

    def prepared(self, launch: Launch) -> Prepared:
        """Ready to be interpreted. Raises CannotRun."""
        program = build_program(self.module, self.kernel.symbol)
        return Prepared(self.source, self.compiled, self.kernel, program, launch, self.arch)

    @cached_property
    def _declared(self) -> tuple[DeclaredParameter, ...] | None:
        texts = [self.compiled.source.text, *(text for _, text in self.compiled.source.headers)]
        routine = self.module.routines[self.kernel.symbol]
        return declared_parameters(texts, bare(self.kernel.name), len(routine.parameters))


def find_kernel(
    source: KernelSource,
    *,
    name: str | None = None,
    arch: str = DEFAULT_ARCH,
    compiler: Compiler | None = None,
) -> FoundKernel:
    """Compile a file and choose its kernel. name: None when the file tells which one. compiler: see `to_ptx`.

    Raises CompileError, PtxError for the file, GpuError for NVRTC, SourceError for no such kernel, and SeveralKernels
    when nothing tells which one is meant.
    """
    compiled = to_ptx(source, arch, name, compiler=compiler)
    kernel = choose_kernel(compiled.names, source.launches, name)
    return FoundKernel(source, compiled, kernel, read_module(compiled.ptx, compiled.source.name), arch)


def prepare(
    source: KernelSource,
    options: LaunchOptions,
    *,
    name: str | None = None,
    arch: str = DEFAULT_ARCH,
    compiler: Compiler | None = None,
) -> Prepared:
    """A kernel ready to be interpreted. Raises what `find_kernel` does, LaunchError, and CannotRun."""
    found = find_kernel(source, name=name, arch=arch, compiler=compiler)
    return found.prepared(found.launch(options))
