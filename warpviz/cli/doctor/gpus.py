"""The GPUs: the driver, and what CUDA and NVML show through it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from warpviz.cli.doctor.check import Check, Waiting, degraded, missing, ok
from warpviz.cli.doctor.one_gpu import gpus_of, one_gpu_checks
from warpviz.gpu.machine.choice import VISIBLE, hides_all, shown_entries
from warpviz.gpu.machine.driver import module_version
from warpviz.gpu.machine.health import Examination
from warpviz.gpu.machine.inventory import CudaView, NvmlView
from warpviz.gpu.machine.missing import why_closed
from warpviz.gpu.machine.presence import NO_DRIVER, device_nodes, gpu_present
from warpviz.gpu.measurement import Unavailable
from warpviz.wording import counted

_WITHOUT = "all else works without; to measure, install NVIDIA's driver"
_VISIBLE_NAME = "visible GPUs"
_TELL_MORE = "mend that; nvidia-smi shows whether the driver works at all"


def gpu_checks(examination: Examination, waiting: Waiting) -> Iterator[Check]:
    if not gpu_present():
        yield missing("driver", NO_DRIVER, _WITHOUT)
        return
    with waiting("asking CUDA and NVML"):
        cuda, nvml = examination.cuda, examination.nvml
    yield _driver(nvml)
    yield from _nodes()
    yield _cuda(cuda)
    yield _nvml(nvml)
    if VISIBLE in os.environ:
        yield _visible(os.environ[VISIBLE], cuda, nvml)
    for gpu in gpus_of(cuda, nvml):
        yield from one_gpu_checks(gpu)


def _driver(nvml: NvmlView | Unavailable) -> Check:
    version = module_version() or (nvml.driver if isinstance(nvml, NvmlView) else None)
    if version is None:
        return degraded("driver", "there, but its version is not told", "update it if measuring fails")
    return ok("driver", version)


def _nodes() -> Iterator[Check]:
    """The device files of Linux."""
    nodes = [node.removeprefix("/dev/") for node in device_nodes()]
    if not nodes:
        return
    closed = why_closed()
    if closed is None:
        yield ok("device files", f"{', '.join(nodes)} can be opened")
    else:
        yield missing("device files", closed, "mend that; until then CUDA shows no GPU, and nothing can be measured")


def _cuda(cuda: CudaView | Unavailable) -> Check:
    if isinstance(cuda, Unavailable):
        return missing("CUDA", cuda.reason, _TELL_MORE)
    value = f"{cuda.version}, shows {counted(len(cuda.gpus), 'GPU')}"
    return ok("CUDA", value) if cuda.gpus else missing("CUDA", value, f"unset {VISIBLE}, or see nvidia-smi")


def _nvml(nvml: NvmlView | Unavailable) -> Check:
    if isinstance(nvml, Unavailable):
        return degraded("NVML", nvml.reason, "mend that; until then measurements have no clocks beside them")
    value = counted(nvml.count, "GPU")
    silent = nvml.count - len(nvml.gpus)
    if silent:
        return degraded("NVML", f"{value}, of which {silent} does not answer", "nvidia-smi and dmesg (Xid) tell more")
    return ok("NVML", value)


def _visible(text: str, cuda: CudaView | Unavailable, nvml: NvmlView | Unavailable) -> Check:
    if not shown_entries(text):
        return missing(_VISIBLE_NAME, hides_all(text), f"unset {VISIBLE}")
    shown = {gpu.index for gpu in gpus_of(cuda, nvml) if gpu.shown}
    all_ = {gpu.listed.index for gpu in nvml.gpus} if isinstance(nvml, NvmlView) else shown
    hidden = ", ".join(map(str, sorted(all_ - shown)))
    return ok(_VISIBLE_NAME, f"{VISIBLE}={text}{f' hides GPU {hidden}' if hidden else ''}")
