"""What CUDA, NVML and NVRTC each say of this machine.

`python -m warpviz.gpu.machine.inventory cuda`, or `nvml`, or `nvrtc CUDA ARCH…` prints one JSON object: a CudaView, an
NvmlView or a CompilerView, or {"reason": sentence} when there is none. A process for each: one whose library hangs or
crashes takes no other with it. CUDA: the version that the driver runs, or "".
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from warpviz.gpu.code.compile import compile_cubin, known_archs, nvrtc_version, too_new_for
from warpviz.gpu.conditions import ConditionsReader, told
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import timed_kernel
from warpviz.gpu.machine.driver import Driver
from warpviz.gpu.machine.listing import ListedGpu, list_gpus, memory_of
from warpviz.gpu.measurement import Conditions

_COMPUTE_MODES = ("default", "exclusive thread", "prohibited", "exclusive process")  # by the driver's numbers
_A_WORD_A_LANE = FrozenAccess("shared", "ld", 4, None, tuple(range(0, 128, 4)))


@dataclass(frozen=True)
class CudaGpu:
    """A GPU, or a slice of one, that CUDA shows. uuid: bare, without the GPU- or MIG- before it."""

    name: str
    arch: str
    uuid: str
    compute_mode: str
    total_bytes: int


@dataclass(frozen=True)
class CudaView:
    """version: the newest CUDA that the driver runs, such as "13.0"."""

    version: str
    gpus: tuple[CudaGpu, ...]


@dataclass(frozen=True)
class NvmlGpu:
    """A GPU of the machine, shown by CUDA or not; None for what NVML does not tell. listed: its number, name, UUIDs.

    processes: how many compute on it. conditions: how it stands now.
    """

    listed: ListedGpu
    arch: str | None
    compute_mode: str | None
    free_bytes: int | None
    total_bytes: int | None
    processes: int | None
    conditions: Conditions | None


@dataclass(frozen=True)
class NvmlView:
    """gpus: in the order of their numbers. count: how many there are, with those that do not answer."""

    driver: str
    count: int
    gpus: tuple[NvmlGpu, ...]


@dataclass(frozen=True)
class CompilerView:
    """archs: that NVRTC compiles for. too_new: why the driver does not load what it makes. refusals: (arch, sentence)
    of those asked for that it does not compile for."""

    version: str
    archs: tuple[str, ...]
    too_new: str | None
    refusals: tuple[tuple[str, str], ...]


def view_cuda(driver: Driver) -> CudaView:
    """Raises GpuError when a call of the driver fails."""
    devices = [driver.call("cuDeviceGet", number) for number in range(driver.call("cuDeviceGetCount"))]
    return CudaView(".".join(map(str, driver.cuda)), tuple(_cuda_gpu(driver, device) for device in devices))


def _cuda_gpu(driver: Driver, device: Any) -> CudaGpu:
    return CudaGpu(
        name=driver.name_of(device),
        arch=driver.arch_of(device),
        uuid=str(driver.uuid_of(device)),
        compute_mode=_compute_mode(driver.attribute(device, "COMPUTE_MODE")),
        total_bytes=int(driver.call("cuDeviceTotalMem", device)),
    )


def view_nvml(nvml: Any) -> NvmlView:
    """nvml: the module pynvml. Raises its NVMLError when it has no answer at all."""
    nvml.nvmlInit()
    reader = ConditionsReader(lambda: nvml)
    gpus = tuple(_nvml_gpu(nvml, reader, listed) for listed in list_gpus())
    return NvmlView(str(nvml.nvmlSystemGetDriverVersion()), int(nvml.nvmlDeviceGetCount()), gpus)


def _nvml_gpu(nvml: Any, reader: ConditionsReader, listed: ListedGpu) -> NvmlGpu:
    gpu = nvml.nvmlDeviceGetHandleByIndex(listed.index)
    capability = told(nvml, "nvmlDeviceGetCudaComputeCapability", gpu)
    mode = told(nvml, "nvmlDeviceGetComputeMode", gpu)
    processes = told(nvml, "nvmlDeviceGetComputeRunningProcesses", gpu)
    free, total = memory_of(listed.uuid) or (None, None)
    reader.begin(listed.uuid)
    conditions = reader.read(listed.uuid)
    return NvmlGpu(
        listed=listed,
        arch=None if capability is None else "sm_{}{}".format(*capability),
        compute_mode=None if mode is None else _compute_mode(int(mode)),
        free_bytes=free,
        total_bytes=total,
        processes=None if processes is None else len(processes),
        conditions=conditions if isinstance(conditions, Conditions) else None,
    )


def view_nvrtc(driver_cuda: str, archs: Sequence[str]) -> CompilerView:
    """driver_cuda: see CudaView; empty when no driver is asked. archs: to compile for. Raises GpuError."""
    too_new = None
    if driver_cuda:
        major, minor = map(int, driver_cuda.split("."))
        too_new = too_new_for((major, minor))
    refusals = {arch: _refusal(arch) for arch in archs}
    return CompilerView(
        nvrtc_version(), known_archs(), too_new, tuple((arch, said) for arch, said in refusals.items() if said)
    )


def _refusal(arch: str) -> str | None:
    """Why NVRTC does not compile a kernel for this architecture."""
    try:
        compile_cubin(timed_kernel(_A_WORD_A_LANE), arch)
    except GpuError as error:
        return error.sentence
    return None


def _compute_mode(number: int) -> str:
    return _COMPUTE_MODES[number] if 0 <= number < len(_COMPUTE_MODES) else f"mode {number}"


def _cuda(_: Sequence[str]) -> CudaView:
    return view_cuda(Driver())


def _nvml(_: Sequence[str]) -> NvmlView:
    try:
        import pynvml
    except ImportError as error:
        raise GpuError("no_gpu", "the package nvidia-ml-py is not installed") from error
    try:
        return view_nvml(pynvml)
    except pynvml.NVMLError as error:
        raise GpuError("no_gpu", str(error)) from error


def _nvrtc(arguments: Sequence[str]) -> CompilerView:
    os.environ["WARPVIZ_CACHE"] = "off"  # it is the compiler that is asked, not what it made earlier
    return view_nvrtc(arguments[0], arguments[1:])


_VIEWS: Mapping[str, Callable[[Sequence[str]], Any]] = {"cuda": _cuda, "nvml": _nvml, "nvrtc": _nvrtc}


def main(arguments: Sequence[str]) -> None:
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    try:
        answer = asdict(_VIEWS[arguments[0]](arguments[1:]))
    except GpuError as error:
        answer = {"reason": error.sentence}
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
