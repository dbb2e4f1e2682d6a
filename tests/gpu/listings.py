"""Machine code of this machine's compiler, disassembled once for all tests: a listing takes a third of a second."""

from __future__ import annotations

from functools import cache

import pytest

from warpviz.gpu import Code, FrozenAccess, GpuError, Unavailable
from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.code.disassembler import Disassembler, find_disassembler
from warpviz.gpu.code.machine_code import Resources, code_in
from warpviz.gpu.code.sass import Routine, read_kernel
from warpviz.gpu.kernels import Source

RESOURCES = Resources(registers=32, shared_bytes=0, local_bytes=0)


@cache
def listing_of(source: Source, arch: str = "sm_90") -> str:
    """Skips the test where there is no NVRTC or no nvdisasm."""
    disassembler = find_disassembler()
    if not isinstance(disassembler, Disassembler):
        pytest.skip(disassembler.reason)
    try:
        cubin = compile_cubin(source, arch)
    except GpuError as error:
        pytest.skip(error.sentence)
    listing = disassembler.listing(cubin)
    assert isinstance(listing, str), listing
    return listing


def routine_of(source: Source, kernel: str, arch: str = "sm_90") -> Routine:
    routine = read_kernel(listing_of(source, arch), kernel)
    assert routine is not None
    return routine


def code_of(source: Source, kernel: str, pattern: FrozenAccess, arch: str = "sm_90") -> Code:
    code = code_in(listing_of(source, arch), kernel, pattern, RESOURCES, "nvdisasm")
    assert not isinstance(code, Unavailable), code
    return code
