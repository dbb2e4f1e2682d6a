"""The kernels that measuring compiles: where their text is, and which macros make one fit a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.resources import resource_folder

UNROLLED = 16  # accesses in one turn of a kernel's loop, as access_instruction.cuh has it
COPIES_A_WARP = 8  # accesses of a warp in `stream`, as global.cu has it
_HEADERS = ("access_instruction.cuh", "lanes.cuh", "memory.cuh", "clocks.cuh", "companion.cuh")


@dataclass(frozen=True)
class Source:
    """A translation unit. headers: (name, text) of what it includes. macros: NAME=VALUE. options: more of the
    compiler's, such as -lineinfo. instances: of templates, to be compiled with it, such as f<float>."""

    name: str
    text: str
    headers: tuple[tuple[str, str], ...] = ()
    macros: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()


def counted_kernel(pattern: FrozenAccess) -> Source:
    """`accesses`: the pattern's instruction again and again, for the hardware counters."""
    return _with_instruction("accesses.cu", pattern)


def timed_kernel(pattern: FrozenAccess) -> Source:
    """The kernels that time the pattern's memory space, set to its instruction."""
    file = {"shared": "shared.cu", "const": "constant.cu", "global": "global.cu"}[pattern.space]
    return _with_instruction(file, pattern)


def companion_kernel() -> Source:
    """What goes beside every timed access of shared memory, alone: the same for every pattern."""
    return Source("companion.cu", kernel_text("companion.cu"), _headers(), ("SPACE=SHARED",))


def copy_kernel() -> Source:
    """`copy`: a plain copy of global memory, the same for every pattern."""
    return Source("copy.cu", kernel_text("copy.cu"))


def address_kernel(fragment: str) -> Source:
    """`addresses`: evaluates an expression on the GPU. fragment: the text of access.cuh, made from the expression."""
    return Source("addresses.cu", kernel_text("addresses.cu"), (("access.cuh", fragment),))


@cache
def kernel_text(file: str) -> str:
    """The text of a file of kernels/. Raises GpuError when the installation lacks it."""
    try:
        return (resource_folder("kernels") / file).read_text(encoding="utf-8")
    except OSError as error:
        sentence = f"the kernel {file} is missing from this installation: install warpviz again"
        raise GpuError("failed", sentence) from error


def _with_instruction(file: str, pattern: FrozenAccess) -> Source:
    values = {"OP": pattern.op.upper(), "SPACE": pattern.space.upper(), "WIDTH": pattern.width}
    if pattern.matrices is not None:
        values["MATRICES"] = pattern.matrices
    return Source(file, kernel_text(file), _headers(), tuple(f"{name}={value}" for name, value in values.items()))


def _headers() -> tuple[tuple[str, str], ...]:
    return tuple((name, kernel_text(name)) for name in _HEADERS)
