"""A kernel as it is asked for on the screen: compiled, with its launch still open."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.gpu.code.compiler import Compiler
from warpviz.kernel.launch import LaunchOptions
from warpviz.kernel.prepare import FoundKernel, find_kernel
from warpviz.kernel.source import KernelSource
from warpviz.tui.opening import KernelToOpen


@dataclass(frozen=True, eq=False)
class AskedKernel(FoundKernel):
    """asked: as it was asked for, launch and all."""

    asked: KernelToOpen


def find_asked(asked: KernelToOpen, source: KernelSource, compiler: Compiler) -> AskedKernel:
    """Compile a file and choose its kernel. Raises what `find_kernel` does."""
    found = find_kernel(source, name=asked.name, arch=asked.arch, compiler=compiler)
    return AskedKernel(found.source, found.compiled, found.kernel, found.module, found.arch, asked)


def options_of(asked: KernelToOpen) -> LaunchOptions:
    """What is given beside the file."""
    return LaunchOptions(asked.grid, asked.block, asked.shared_bytes, asked.arguments)
