"""CUDA C++ to machine code or to PTX, by NVRTC. What was compiled once is kept: see `warpviz.gpu.cache`."""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from warpviz.gpu.cache import default_cache, key_of
from warpviz.gpu.errors import GpuError
from warpviz.gpu.from_json import tuples
from warpviz.gpu.kernels import Source

CUDA_12 = "pip install 'cuda-bindings<13' 'cuda-toolkit[nvrtc]<13'"
"""What a machine needs whose driver runs CUDA 12 and not 13."""

_MOST_COMPILERS = 8  # threads
_OLDEST_CUDA = 12  # the major version
_OLDEST_DRIVER = 525  # that runs it


@dataclass(frozen=True)
class Ptx:
    """text: PTX for one architecture and all newer ones. names: (instance, its name in the text) of the source's
    instances. log: what the compiler says, warnings too."""

    text: str
    names: tuple[tuple[str, str], ...]
    log: str


class RejectedError(GpuError):
    """NVRTC does not accept a source. log: all that it says, in its own form."""

    def __init__(self, sentence: str, log: str) -> None:
        super().__init__("failed", sentence)
        self.log = log


@lru_cache(maxsize=512)
def compile_cubin(source: Source, arch: str) -> bytes:
    """Machine code for `arch` (sm_90, say): a PTX would depend on the driver's own compiler.

    Raises GpuError when NVRTC is missing or does not know the architecture, RejectedError when it rejects the text.
    """
    nvrtc = _nvrtc()
    _check_arch(arch)
    options = _options(source, arch)
    cache, key = default_cache(), cubin_key(source, options, compiler_identity())
    cubin = cache.get(key)
    if cubin is None:
        cubin = _compiled(nvrtc, source, options)
        cache.put(key, cubin)
    return cubin


def compile_ptx(source: Source, arch: str) -> Ptx:
    """PTX for `arch`. In this process, as `compile_cubin` is: see `warpviz.gpu.code.compiler` for a text of the user's.

    Raises what `compile_cubin` raises.
    """
    nvrtc = _nvrtc()
    _check_arch(arch)
    options = _options(source, arch.replace("sm_", "compute_"))  # with sm_ NVRTC would make machine code as well
    cache, key = default_cache(), _key("ptx", source, options, compiler_identity())
    kept = cache.get(key)
    if kept is not None:
        return Ptx(*tuples(json.loads(kept)))
    with _program(nvrtc, source, options) as program:
        text = _text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
        lowered = (_call(nvrtc.nvrtcGetLoweredName, program, instance.encode()) for instance in source.instances)
        names = tuple((instance, name.decode()) for instance, name in zip(source.instances, lowered, strict=True))
        ptx = Ptx(text, names, _log(nvrtc, program))
    cache.put(key, json.dumps(astuple(ptx)).encode())
    return ptx


def compile_ahead(sources: Iterable[Source], arch: str) -> None:
    """Begin to compile, in the background and on several cores, what `compile_cubin` is asked for next."""
    waiting = deque(sources)

    def compile_waiting() -> None:
        while True:
            try:
                compile_cubin(waiting.popleft(), arch)
            except IndexError:
                return
            except GpuError:
                continue  # whoever asks for it is told

    for _ in range(min(len(waiting), os.cpu_count() or 1, _MOST_COMPILERS)):
        threading.Thread(target=compile_waiting, daemon=True).start()


def cubin_key(source: Source, options: Sequence[str], compiler: Sequence[str]) -> str:
    """The key under which a cubin is kept: of all that determines it. compiler: see `compiler_identity`."""
    return _key("cubin", source, options, compiler)


def _key(what: str, source: Source, options: Sequence[str], compiler: Sequence[str]) -> str:
    headers = [part for header in source.headers for part in header]
    lengths = f"{len(compiler)} {len(options)} {len(headers)}"
    return key_of(what, lengths, *compiler, *options, *headers, source.name, source.text, *source.instances)


@lru_cache(maxsize=1)
def compiler_identity() -> tuple[str, ...]:
    """NVRTC's version, and which file it is: builds of one version differ. Raises GpuError when it is missing.

    The path, size in bytes and time of change in ns of the loaded library are left out where they cannot be told.
    """
    version = nvrtc_version()  # loads the library
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        path = load_nvidia_dynamic_lib("nvrtc").abs_path
        status = Path(path).stat()
    except (ImportError, RuntimeError, OSError, TypeError):
        return (version,)
    return (version, str(path), str(status.st_size), str(status.st_mtime_ns))


@lru_cache(maxsize=1)
def nvrtc_version() -> str:
    """Such as "13.0". Raises GpuError when NVRTC is missing."""
    major, minor = _call(_nvrtc().nvrtcVersion)
    return f"{major}.{minor}"


@lru_cache(maxsize=1)
def known_archs() -> tuple[str, ...]:
    """The architectures that NVRTC compiles for, such as "sm_90", oldest first. Raises GpuError when it is missing."""
    return tuple(f"sm_{number}" for number in sorted(_call(_nvrtc().nvrtcGetSupportedArchs)))


def too_new_for(driver_cuda: tuple[int, int]) -> str | None:
    """Why the driver does not load what NVRTC compiles, in a sentence with the mend; None when it does.

    driver_cuda: the version of CUDA that the driver runs, as (major, minor). Machine code of a newer minor version of
    the same major version loads, of a newer major version it does not: NVIDIA, "CUDA Compatibility", chapter "Minor
    Version Compatibility". Raises GpuError when NVRTC is missing.
    """
    major, minor = driver_cuda
    version = nvrtc_version()
    if int(version.split(".")[0]) <= major:
        return None
    mend = f"update it to {_OLDEST_DRIVER} or newer"
    if major >= _OLDEST_CUDA:  # where both are installed, the newer NVRTC is the one that is loaded
        mend = f"update it, or pip uninstall nvidia-cuda-nvrtc and then {CUDA_12}"
    return f"the driver runs CUDA {major}.{minor}, which does not load what NVRTC {version} compiles: {mend}"


def _nvrtc() -> Any:
    try:
        from cuda.bindings import nvrtc
    except ImportError as error:
        mend = f"pip install cuda-bindings 'cuda-toolkit[nvrtc]', or for a driver of CUDA 12 {CUDA_12}"
        raise GpuError("failed", f"cuda-bindings, through which NVRTC compiles, is not installed: {mend}") from error
    try:
        nvrtc.nvrtcVersion()  # loads the library
    except (RuntimeError, OSError) as error:
        major = _bindings_major()
        mend = f"pip install 'cuda-toolkit[nvrtc]=={major}.*'"
        raise GpuError("failed", f"NVRTC {major}, which compiles the kernels, is not there: {mend}") from error
    return nvrtc


def _bindings_major() -> int:
    """The major version of CUDA that cuda-bindings is made for."""
    from cuda import bindings

    return int(bindings.__version__.split(".")[0])


def _check_arch(arch: str) -> None:
    if arch not in (known := known_archs()):
        raise GpuError(
            "failed",
            f"NVRTC {nvrtc_version()} does not compile for {arch}, only for {', '.join(known)}: "
            f"a GPU that is newer needs a newer one",
        )


def _options(source: Source, arch: str) -> list[str]:
    macros = (f"--define-macro={macro}" for macro in source.macros)
    return ["--std=c++17", f"--gpu-architecture={arch}", *macros, *source.options]


def _compiled(nvrtc: Any, source: Source, options: Sequence[str]) -> bytes:
    with _program(nvrtc, source, options) as program:
        cubin = bytes(_call(nvrtc.nvrtcGetCUBINSize, program))
        _call(nvrtc.nvrtcGetCUBIN, program, cubin)
        return cubin


@contextmanager
def _program(nvrtc: Any, source: Source, options: Sequence[str]) -> Iterator[Any]:
    """The source, compiled."""
    names = [name.encode() for name, _ in source.headers]
    texts = [text.encode() for _, text in source.headers]
    program = _call(nvrtc.nvrtcCreateProgram, source.text.encode(), source.name.encode(), len(names), texts, names)
    try:
        for instance in source.instances:
            _call(nvrtc.nvrtcAddNameExpression, program, instance.encode())
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            log = _log(nvrtc, program)
            reason = next((line for line in log.splitlines() if "error" in line), status.name)
            raise RejectedError(f"NVRTC rejects {source.name}: {reason}", log)
        yield program
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _log(nvrtc: Any, program: Any) -> str:
    return _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)


def _text(size_of: Any, read: Any, program: Any) -> str:
    text = bytes(_call(size_of, program))
    _call(read, program, text)
    return text.rstrip(b"\0").decode(errors="replace")


def _call(function: Any, *arguments: Any) -> Any:
    status, *values = function(*arguments)
    if int(status) != 0:
        raise GpuError("failed", f"NVRTC fails in {function.__name__}: {status.name}")
    return values[0] if len(values) == 1 else values
