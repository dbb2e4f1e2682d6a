"""Is there a GPU to ask? Without loading CUDA, in microseconds."""

from __future__ import annotations

import os
from pathlib import Path

NO_DRIVER = "no NVIDIA driver is found on this machine"
_DEVICE_NODES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg")  # Linux, and Linux inside Windows
_WINDOWS_DRIVER = "System32/nvcuda.dll"


def gpu_present() -> bool:
    """Whether an NVIDIA driver shows itself. True promises nothing more: the worker finds out the rest."""
    if os.name == "nt":
        return (Path(os.environ.get("SYSTEMROOT", "C:/Windows")) / _WINDOWS_DRIVER).exists()
    return any(os.path.exists(node) for node in _DEVICE_NODES)
