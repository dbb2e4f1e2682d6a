"""PTX as NVRTC writes it, for tests: of a source's text, or of the kernels whose counts on hardware are known."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

KERNELS = Path(__file__).parent.parent / "data" / "kernels"
GOLDEN = tuple(sorted(path.stem for path in KERNELS.glob("*.cu")))


class SourceRejectedError(ValueError):
    """NVRTC does not compile a source. str() is its log."""


@lru_cache(maxsize=256)
def ptx_of(source: str, *, name: str = "sample.cu", arch: str = "sm_90", options: tuple[str, ...] = ()) -> str:
    """The PTX of a source's text, with line numbers. name: the file's, as line numbers give it. Skips without NVRTC."""
    nvrtc = _nvrtc()
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), name.encode(), 0, None, None)
    assert int(status) == 0, status
    try:
        written = ("--std=c++17", "-lineinfo", f"--gpu-architecture=compute_{arch.removeprefix('sm_')}", *options)
        (status,) = nvrtc.nvrtcCompileProgram(program, len(written), [option.encode() for option in written])
        if int(status) != 0:
            raise SourceRejectedError(_text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program))
        return _text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def golden_ptx(kernel: str, arch: str = "sm_90") -> str:
    """The PTX of one of GOLDEN. Skips without NVRTC."""
    return ptx_of((KERNELS / f"{kernel}.cu").read_text(), name=f"{kernel}.cu", arch=arch)


def ptx_with_headers(source: str, arch: str = "sm_90") -> str:
    """As ptx_of, for a source that includes CUDA's headers. Skips where there are none that this NVRTC understands."""
    folders = _header_folders()
    if not folders:
        pytest.skip("the headers of CUDA (cuda_fp16.h) are in no toolkit and no Python package here")
    includes = tuple(f"--include-path={folder}" for top in folders for folder in (top, top / "cccl"))
    try:
        return ptx_of(source, arch=arch, options=includes)
    except SourceRejectedError as error:
        if str(error).lstrip().startswith(tuple(str(folder) for folder in folders)):
            pytest.skip(f"the headers of CUDA are of another version than NVRTC: {error}")
        raise


def _header_folders() -> list[Path]:
    toolkits = [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    places = [toolkit / "include" for toolkit in (*toolkits, Path("/usr/local/cuda"))]
    places += [folder for place in sys.path for folder in sorted(Path(place).glob("nvidia/*/include"))]
    return [place for place in places if (place / "cuda_fp16.h").is_file()]


@lru_cache(maxsize=1)
def _nvrtc() -> Any:
    bindings = pytest.importorskip(
        "cuda.bindings", reason="cuda-bindings, through which NVRTC compiles, is not installed"
    )
    assert bindings
    from cuda.bindings import nvrtc

    try:
        nvrtc.nvrtcVersion()
    except (RuntimeError, OSError) as error:
        pytest.skip(f"NVRTC is not installed: {error}")
    return nvrtc


def _text(size_of: Any, read: Any, program: Any) -> str:
    _, size = size_of(program)
    text = bytes(size)
    read(program, text)
    return text.rstrip(b"\0").decode()
