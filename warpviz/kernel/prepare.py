"""A user's .cu file made ready to run: compiled, its kernel chosen, its launch settled."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.launch import Launch, LaunchOptions, launch_of
from warpviz.kernel.program import Program, build_program
from warpviz.kernel.ptx import read_module
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


def prepare(
    source: KernelSource, options: LaunchOptions, *, name: str | None = None, arch: str = DEFAULT_ARCH
) -> Prepared:
    """name: of the kernel, when the file does not tell which one.

    Raises SourceError, CompileError for the file; GpuError for NVRTC; PtxError, CannotRun for what is not interpreted;
    LaunchError for how it is run, MissingArguments when a parameter has no value.
    """
    compiled = to_ptx(source, arch, name)
    kernel = choose_kernel(compiled.names, source.launches, name)
    module = read_module(compiled.ptx, compiled.source.name)
    routine = module.routines[kernel.symbol]
    texts = [compiled.source.text, *(text for _, text in compiled.source.headers)]
    declared = declared_parameters(texts, bare(kernel.name), len(routine.parameters))
    launch = launch_of(kernel.line, options, routine, declared, name=kernel.name, folder=source.path.parent)
    return Prepared(source, compiled, kernel, build_program(module, kernel.symbol), launch, arch)
