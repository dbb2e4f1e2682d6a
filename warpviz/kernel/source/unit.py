"""A translation unit: a file and all that it includes, as texts that NVRTC is handed, so that it reads no others."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from warpviz.gpu.kernels import Source, kernel_text
from warpviz.gpu.toolkit import header_folders
from warpviz.resources import read_text

MOST_BYTES = 4_000_000
_MOST_FILES = 200
_LONGEST_PATH = 256
_STANDARD = "standard.cuh"
_PLAIN_NAME = re.compile(r"\w[\w.+-]*", re.ASCII)
_INCLUDE = re.compile(
    r'^(?P<before>[ \t]*#[ \t]*include[ \t]*)(?:"(?P<near>[^"\n]+)"|<(?P<far>[^>\n]+)>)', re.MULTILINE
)

HOST_HEADERS = frozenset(
    """algorithm any array atomic bitset cassert cctype cerrno cfloat charconv chrono cinttypes climits cmath complex
    condition_variable csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception filesystem fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator limits list locale map memory mutex
    new numbers numeric optional ostream queue random ratio regex set sstream stack stdexcept streambuf string
    string_view thread tuple type_traits typeinfo unordered_map unordered_set utility valarray variant vector
    assert.h ctype.h errno.h float.h inttypes.h limits.h math.h memory.h signal.h stdarg.h stdbool.h stddef.h stdint.h
    stdio.h stdlib.h string.h strings.h time.h fcntl.h getopt.h pthread.h sys/stat.h sys/time.h sys/types.h unistd.h
    builtin_types.h cuda.h cuda_device_runtime_api.h cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h
    device_atomic_functions.h device_functions.h device_launch_parameters.h driver_types.h host_defines.h
    math_functions.h nvtx3/nvToolsExt.h sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_35_intrinsics.h
    texture_fetch_functions.h texture_types.h vector_functions.h vector_types.h
    cublas.h cublas_v2.h cublasLt.h cudnn.h cufft.h curand.h cusolverDn.h cusparse.h mpi.h nccl.h nvml.h nvrtc.h
    nvToolsExt.h omp.h""".split()
)
"""What a file with host code includes. Of what is in them NVRTC has all that device code needs, or kernels/standard.cuh
has it."""


_THRUST = "thrust/"  # algorithms that the host calls; of its headers device code uses these
_THRUST_IN_KERNELS = frozenset(f"{_THRUST}{name}.h" for name in ("complex", "functional", "pair", "swap", "tuple"))

_WHOLE_CUB = "cub/cub.cuh"  # has the algorithms that the host calls, beside these, of a block and of a warp
_OF_BLOCKS = "adjacent_difference discontinuity exchange histogram load merge_sort radix_sort reduce scan shuffle store"
_OF_WARPS = "exchange load merge_sort reduce scan store"
_CUB_IN_KERNELS = "".join(
    f"#include <cub/{of}/{of}_{name}.cuh>\n"
    for of, names in (("block", _OF_BLOCKS), ("warp", _OF_WARPS))
    for name in names.split()
)


def is_for_host(header: str) -> bool:
    """Whether kernels need nothing of a header, or only what is there for them without it."""
    if header.startswith(_THRUST):
        return header not in _THRUST_IN_KERNELS
    return header in HOST_HEADERS or header == _WHOLE_CUB


@dataclass(frozen=True)
class Unit:
    """name: of the file, as the compiler is told it. texts: by name, of the file and of what it includes. stand_ins:
    headers that are taken for empty, or for what kernels use of them. instances: see `Source`. with_standard: as nvcc
    does, every file begins with the names that a host compiler has, and what says nothing is for the device."""

    name: str
    texts: Mapping[str, str]
    stand_ins: frozenset[str]
    instances: tuple[str, ...] = ()
    with_standard: bool = False

    @property
    def source(self) -> Source:
        """What NVRTC is handed. Raises GpuError when the installation lacks a file."""
        headers = {name: text for name, text in self.texts.items() if name != self.name}
        headers.update((name, _CUB_IN_KERNELS if name == _WHOLE_CUB else "") for name in sorted(self.stand_ins))
        options = ["-lineinfo", "--device-int128", *(f"--include-path={folder}" for folder in header_folders())]
        if self.with_standard:
            headers[_STANDARD] = kernel_text(_STANDARD)
            options += [f"--pre-include={_STANDARD}", "--device-as-default-execution-space", "--diag-suppress=47"]
        return Source(
            self.name, self.texts[self.name], tuple(headers.items()), (), tuple(options), instances=self.instances
        )

    def changed(self, texts: Mapping[str, str]) -> Unit:
        """With other texts in place of those of these names."""
        return replace(self, texts=MappingProxyType({**self.texts, **texts}))


def read_unit(path: Path, text: str, instances: tuple[str, ...]) -> Unit:
    """The unit of a file with this text. What it includes is looked for beside it, as a compiler does.

    Raises ValueError, with the name of an included file that cannot be read, or when there are too many.
    """
    name = path.name if _PLAIN_NAME.fullmatch(path.name) else "kernel.cu"
    reader = _Reader(path.parent, name)
    reader.read(name, text, path.parent)
    return Unit(name, MappingProxyType(reader.texts), frozenset(reader.stand_ins), instances)


class _Reader:
    """Reads what is included, each file once. Names are paths from the folder of the first one."""

    def __init__(self, folder: Path, main: str) -> None:
        self._folder = folder
        self._main = main
        self.texts: dict[str, str] = {}
        self.stand_ins: set[str] = set()
        self._bytes = 0

    def read(self, name: str, text: str, folder: Path) -> None:
        """folder: of this file."""
        self._bytes += len(text)
        if len(self.texts) >= _MOST_FILES or self._bytes > MOST_BYTES:
            raise ValueError(f"includes more than {_MOST_FILES} files or {MOST_BYTES:,} bytes")
        self.texts[name] = text  # before those it includes, which may include it
        self.texts[name] = _INCLUDE.sub(lambda include: self._include(include, folder), text)

    def _include(self, include: re.Match[str], folder: Path) -> str:
        """The line, with the name under which the file is known; as it is where there is none."""
        wanted: str = include["near"] or include["far"]
        places = [folder, self._folder] if include["near"] else [self._folder]
        for place in places:
            if include["far"] and is_for_host(wanted):
                break
            path = place / wanted
            if len(wanted) < _LONGEST_PATH and path.is_file():
                return f'{include["before"]}"{self._known(path)}"'
        if is_for_host(wanted):
            self.stand_ins.add(wanted)
        return include[0]

    def _known(self, path: Path) -> str:
        """The name of a file that is there."""
        name = Path(os.path.relpath(path, self._folder)).as_posix()
        if name not in self.texts and name != self._main:
            try:
                text = read_text(path, MOST_BYTES)
            except ValueError as error:
                raise ValueError(f"includes {name}, which {error}") from None
            self.read(name, text.replace("\r\n", "\n"), path.parent)
        return name
