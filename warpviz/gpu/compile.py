"""CUDA C++ to machine code, by NVRTC."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from warpviz.gpu.errors import GpuError
from warpviz.gpu.kernels import Source

_MEND = "install it with: pip install nvidia-cuda-nvrtc"


@lru_cache(maxsize=512)
def compile_cubin(source: Source, arch: str) -> bytes:
    """Machine code for `arch` (sm_90, say): a PTX would depend on the driver's own compiler.

    Raises GpuError when NVRTC is missing, does not know the architecture, or rejects the text.
    """
    nvrtc = _nvrtc()
    _check_arch(nvrtc, arch)
    names = [name.encode() for name, _ in source.headers]
    texts = [text.encode() for _, text in source.headers]
    program = _call(nvrtc.nvrtcCreateProgram, source.text.encode(), source.name.encode(), len(names), texts, names)
    options = ["--std=c++17", f"--gpu-architecture={arch}", *(f"--define-macro={macro}" for macro in source.macros)]
    try:
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise GpuError("failed", f"NVRTC rejects {source.name}: {_first_error(nvrtc, program)}")
        cubin = bytes(_call(nvrtc.nvrtcGetCUBINSize, program))
        _call(nvrtc.nvrtcGetCUBIN, program, cubin)
        return cubin
    finally:
        nvrtc.nvrtcDestroyProgram(program)


@lru_cache(maxsize=1)
def nvrtc_version() -> str:
    """Such as "13.0". Raises GpuError when NVRTC is missing."""
    major, minor = _call(_nvrtc().nvrtcVersion)
    return f"{major}.{minor}"


def _nvrtc() -> Any:
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()  # loads the library
    except (ImportError, RuntimeError, OSError) as error:
        raise GpuError("failed", f"NVRTC, which compiles the kernels, is not there: {_MEND}") from error
    return nvrtc


def _check_arch(nvrtc: Any, arch: str) -> None:
    known = _call(nvrtc.nvrtcGetSupportedArchs)
    if arch.removeprefix("sm_") not in map(str, known):
        raise GpuError(
            "failed",
            f"NVRTC {nvrtc_version()} does not compile for {arch}, only for "
            f"{', '.join(f'sm_{n}' for n in known)}: a GPU that is newer needs a newer one",
        )


def _call(function: Any, *arguments: Any) -> Any:
    status, *values = function(*arguments)
    if int(status) != 0:
        raise GpuError("failed", f"NVRTC fails in {function.__name__}: {status.name}")
    return values[0] if len(values) == 1 else values


def _first_error(nvrtc: Any, program: Any) -> str:
    log = bytes(_call(nvrtc.nvrtcGetProgramLogSize, program))
    _call(nvrtc.nvrtcGetProgramLog, program, log)
    lines = log.rstrip(b"\0").decode(errors="replace").splitlines()
    return next((line for line in lines if "error" in line), "it gives no reason")
