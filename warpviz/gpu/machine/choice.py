"""Which GPU the processes that use CUDA see: the one that was chosen, among those that the user lets CUDA show."""

from __future__ import annotations

import os
import re

from warpviz.gpu.errors import GpuError
from warpviz.gpu.machine.listing import list_gpus

VISIBLE = "CUDA_VISIBLE_DEVICES"
_ORDER = "CUDA_DEVICE_ORDER"
_NUMBER = re.compile(r"[0-9]+")
_ENTRY = re.compile(r"[0-9]+|(GPU|MIG)-.*")


def environment(device: str | None) -> dict[str, str]:
    """What such a process has in its environment beside what this one has.

    device: a number from 0, counting what CUDA_VISIBLE_DEVICES shows where that is set, and else as nvidia-smi numbers
    the GPUs; the UUID of a GPU or a MIG slice, or how it begins; None for the first that CUDA shows.
    Raises GpuError of kind "no_gpu" when CUDA_VISIBLE_DEVICES hides that GPU.
    """
    order = {} if os.environ.get(_ORDER) else {_ORDER: "PCI_BUS_ID"}
    return order if device is None else order | {VISIBLE: _visible(device)}


def shown_entries(text: str) -> list[str]:
    """What a value of CUDA_VISIBLE_DEVICES shows: the numbers and UUIDs in it, up to the first that is neither.

    >>> shown_entries("2, GPU-8d5a,-1,0"), shown_entries("")
    (['2', 'GPU-8d5a'], [])
    """
    shown = []
    for entry in map(str.strip, text.split(",")):
        if not _ENTRY.fullmatch(entry):
            break
        shown.append(entry)
    return shown


def hides_all(text: str) -> str:
    """The sentence for a CUDA_VISIBLE_DEVICES of this value, which shows nothing."""
    value = f"is {text!r}" if text else "is empty"
    return f"{VISIBLE} {value}, so that CUDA shows no GPU: unset it, or name one in it"


def _visible(device: str) -> str:
    """The chosen GPU as CUDA_VISIBLE_DEVICES names it."""
    text = os.environ.get(VISIBLE)
    if text is None:
        return device
    shown = shown_entries(text)
    if not shown:
        raise GpuError("no_gpu", hides_all(text))
    if not _NUMBER.fullmatch(device):
        return _among(device, shown, text)
    if int(device) >= len(shown):
        numbers = "only 0" if len(shown) == 1 else f"0 to {len(shown) - 1}"
        raise GpuError("no_gpu", f"there is no GPU {device}: {VISIBLE}={text} shows {numbers}")
    return shown[int(device)]


def _among(uuid: str, shown: list[str], text: str) -> str:
    """The UUID, or what shows it."""
    found = {one for entry in shown for one in _uuids(entry, text) if one.startswith(uuid) or uuid.startswith(one)}
    if not found:
        raise GpuError("no_gpu", f"the GPU {uuid} is not among those that {VISIBLE}={text} shows")
    if len(found) > 1:
        raise GpuError("no_gpu", f"{uuid} is the beginning of {' and of '.join(sorted(found))}: write more of it")
    return max(uuid, *found, key=len)


def _uuids(entry: str, text: str) -> tuple[str, ...]:
    """The UUIDs behind an entry: of a number, those of that GPU and of its slices."""
    if not _NUMBER.fullmatch(entry):
        return (entry,)
    gpus = list_gpus()
    if not gpus:
        sentence = f"{VISIBLE}={text} names GPUs by number, and NVML does not tell their UUIDs: choose one by number"
        raise GpuError("no_gpu", sentence)
    return tuple(uuid for gpu in gpus if gpu.index == int(entry) for uuid in (gpu.uuid, *(gpu.slices or ())))
