"""One GPU: how to choose it, and how it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpviz.cli.doctor.check import Check, degraded, missing, ok
from warpviz.gpu.machine.inventory import CudaGpu, CudaView, NvmlGpu, NvmlView
from warpviz.gpu.measurement import Unavailable
from warpviz.gpu.verdict.figures import conditions_in_words
from warpviz.model.rules import MEASURED_ARCH
from warpviz.wording import counted

_GIBIBYTE = 1 << 30
_ROOM_BYTES = 1 << 30  # global memory is measured on more data than L2 holds, some 10 times it


@dataclass(frozen=True)
class SeenGpu:
    """A GPU as CUDA and NVML show it, or one of the two. index: as nvidia-smi numbers it, where NVML tells.

    shown: CUDA shows it, or a slice of it. arch: None when neither tells.
    """

    index: int
    name: str
    arch: str | None
    uuid: str
    shown: bool
    cuda: CudaGpu | None
    nvml: NvmlGpu | None


def gpus_of(cuda: CudaView | Unavailable, nvml: NvmlView | Unavailable) -> list[SeenGpu]:
    """Those that can be chosen: that CUDA shows, or where CUDA fails all that NVML lists."""
    by_cuda = {gpu.uuid: gpu for gpu in cuda.gpus} if isinstance(cuda, CudaView) else {}
    if isinstance(nvml, Unavailable):
        return [
            SeenGpu(number, gpu.name, gpu.arch, f"GPU-{gpu.uuid}", True, gpu, None)
            for number, gpu in enumerate(by_cuda.values())
        ]
    seen = [_seen(gpu, by_cuda) for gpu in nvml.gpus]
    return [gpu for gpu in seen if gpu.shown or isinstance(cuda, Unavailable)]


def _seen(gpu: NvmlGpu, by_cuda: dict[str, CudaGpu]) -> SeenGpu:
    uuids = (gpu.listed.uuid, *(gpu.listed.slices or ()))
    shown = next((by_cuda[bare] for uuid in uuids if (bare := uuid.partition("-")[2]) in by_cuda), None)
    arch = shown.arch if shown else gpu.arch
    return SeenGpu(gpu.listed.index, gpu.listed.name, arch, gpu.listed.uuid, shown is not None, shown, gpu)


def one_gpu_checks(gpu: SeenGpu) -> Iterator[Check]:
    title = f"GPU {gpu.index}"
    yield ok(title, f"{gpu.name}{f', {gpu.arch}' if gpu.arch else ''}, {gpu.uuid}")
    for uuid in (gpu.nvml.listed.slices or ()) if gpu.nvml else ():
        yield ok(f"{title} MIG slice", f"--device {uuid}")
    if gpu.arch is not None:
        yield _rules(title, gpu.arch)
    yield _memory(title, gpu)
    yield _access(title, gpu)
    if gpu.nvml is not None and gpu.nvml.conditions is not None:
        yield _state(title, gpu.nvml)


def _rules(title: str, arch: str) -> Check:
    if arch == MEASURED_ARCH:
        return ok(f"{title} rules", f"measured on {arch}")
    return degraded(
        f"{title} rules",
        f"measured on {MEASURED_ARCH}; that they hold on {arch} is assumed",
        "`warpviz record FILE` tries them here, `warpviz compare FILE` tells where they fail",
    )


def _memory(title: str, gpu: SeenGpu) -> Check:
    name = f"{title} memory"
    if gpu.nvml is None or gpu.nvml.free_bytes is None or gpu.nvml.total_bytes is None:
        total = f"{gpu.cuda.total_bytes / _GIBIBYTE:,.1f} GiB, " if gpu.cuda else ""
        return ok(name, f"{total}how much is free is not told")
    value = f"{gpu.nvml.free_bytes / _GIBIBYTE:,.1f} of {gpu.nvml.total_bytes / _GIBIBYTE:,.1f} GiB free"
    if gpu.nvml.free_bytes >= _ROOM_BYTES:
        return ok(name, value)
    return degraded(name, value, "end what fills it (nvidia-smi lists it), or choose another GPU with --device")


def _access(title: str, gpu: SeenGpu) -> Check:
    """Who may compute on it, and who does."""
    mode = (gpu.nvml and gpu.nvml.compute_mode) or (gpu.cuda and gpu.cuda.compute_mode) or "not told"
    processes = (gpu.nvml and gpu.nvml.processes) or 0
    name, value = f"{title} use", f"compute mode {mode}, {counted(processes, 'process') if processes else 'no process'}"
    if mode == "prohibited" or (mode.startswith("exclusive") and processes):
        return missing(name, value, f"the administrator opens it: nvidia-smi -i {gpu.index} -c DEFAULT")
    if processes:
        return degraded(name, value, "measure when it is idle: others lengthen the times and blur the counters")
    return ok(name, value)


def _state(title: str, gpu: NvmlGpu) -> Check:
    assert gpu.conditions is not None
    name, value = f"{title} state", conditions_in_words(gpu.conditions)
    if not gpu.conditions.throttled:
        return ok(name, value)
    return degraded(name, value, f"nvidia-smi -i {gpu.listed.index} -q -d PERFORMANCE tells more; GB/s are lower")
