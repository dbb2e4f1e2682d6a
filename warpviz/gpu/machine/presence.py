"""Is there a GPU to ask? Without loading CUDA, in microseconds."""

from __future__ import annotations

import glob
import os
from pathlib import Path

NO_DRIVER = "no NVIDIA driver is found on this machine (a container is given the GPU with --gpus all)"
_CONTROL_NODES = ("/dev/nvidiactl", "/dev/nvidia-uvm")
_GPU_NODES = "/dev/nvidia[0-9]*"
_WINDOWS_INSIDE = "/dev/dxg"  # of Linux inside Windows
_WINDOWS_DRIVER = "System32/nvcuda.dll"


def gpu_present() -> bool:
    """Whether an NVIDIA driver shows itself. True promises nothing more: the worker finds out the rest."""
    if os.name == "nt":
        return (Path(os.environ.get("SYSTEMROOT", "C:/Windows")) / _WINDOWS_DRIVER).exists()
    return bool(device_nodes()) or os.path.exists(_WINDOWS_INSIDE)


def device_nodes() -> list[str]:
    """The files in /dev through which the driver is asked, of those that are there."""
    return [node for node in _CONTROL_NODES if os.path.exists(node)] + sorted(glob.glob(_GPU_NODES))
