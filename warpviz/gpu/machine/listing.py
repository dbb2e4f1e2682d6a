"""The GPUs of this machine as NVML lists them: whatever CUDA_VISIBLE_DEVICES hides, and without a context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ListedGpu:
    """index: as nvidia-smi numbers it. uuid: GPU-…. slices: the UUIDs (MIG-…) of its MIG slices; None when it is not in
    MIG mode."""

    index: int
    name: str
    uuid: str
    slices: tuple[str, ...] | None


def list_gpus() -> tuple[ListedGpu, ...]:
    """In the order of their numbers; empty where NVML, or the package nvidia-ml-py, is missing or fails."""
    with _nvml() as nvml:
        if nvml is None:
            return ()
        try:
            count = nvml.nvmlDeviceGetCount()
        except nvml.NVMLError:
            return ()
        return tuple(gpu for index in range(count) if (gpu := _listed(nvml, index)) is not None)


def memory_of(uuid: str) -> tuple[int, int] | None:
    """The bytes of memory that are free on this GPU or slice, and all that it has; None when NVML does not tell."""
    with _nvml() as nvml:
        if nvml is None:
            return None
        try:
            memory = nvml.nvmlDeviceGetMemoryInfo(nvml.nvmlDeviceGetHandleByUUID(uuid.encode()))
        except nvml.NVMLError:
            return None
        return int(memory.free), int(memory.total)


@contextmanager
def _nvml() -> Iterator[Any]:
    """The module pynvml, initialised, or None."""
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:  # the library's own errors depend on the module that may be missing
        yield None
        return
    try:
        yield pynvml
    finally:
        pynvml.nvmlShutdown()


def _listed(nvml: Any, index: int) -> ListedGpu | None:
    """None for one that does not answer."""
    try:
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
        name, uuid = _text(nvml.nvmlDeviceGetName(handle)), _text(nvml.nvmlDeviceGetUUID(handle))
    except nvml.NVMLError:
        return None
    return ListedGpu(index, name, uuid, _slices(nvml, handle))


def _slices(nvml: Any, handle: Any) -> tuple[str, ...] | None:
    try:
        mode, _ = nvml.nvmlDeviceGetMigMode(handle)
        most = nvml.nvmlDeviceGetMaxMigDeviceCount(handle) if mode else 0
    except nvml.NVMLError:  # what a GPU without MIG answers
        return None
    if not mode:
        return None
    found = []
    for number in range(most):
        try:
            found.append(_text(nvml.nvmlDeviceGetUUID(nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number))))
        except nvml.NVMLError:  # none with this number
            continue
    return tuple(found)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
