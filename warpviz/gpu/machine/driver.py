"""The CUDA driver: loaded and started, and its calls, whose failures are sentences."""

from __future__ import annotations

import re
import uuid
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from warpviz.gpu.code.compile import CUDA_12, too_new_for
from warpviz.gpu.errors import GpuError
from warpviz.gpu.machine.complaints import NO_DEVICE, DriverError, complaint, lacks_function
from warpviz.gpu.machine.missing import why_closed, why_no_gpu
from warpviz.gpu.machine.presence import NO_DRIVER

_VERSION_FILE = Path("/proc/driver/nvidia/version")


class Driver:
    """The driver, started, with at least one GPU to show.

    bindings: the module cuda.bindings.driver, for its enumerations. cuda: the newest CUDA version that the driver runs,
    (major, minor). Raises GpuError of kind "no_gpu": there is no driver, it does not start, it shows no GPU.
    """

    def __init__(self) -> None:
        self.bindings = _bindings()
        try:
            _, number = self.bindings.cuDriverGetVersion()  # loads the library
        except (RuntimeError, OSError) as error:
            raise GpuError("no_gpu", NO_DRIVER) from error
        self.cuda = (number // 1000, number % 1000 // 10)
        self._start()

    def check_compiler(self) -> None:
        """Raises GpuError of kind "no_gpu" when the driver is too old for what the compiler here makes."""
        too_new = too_new_for(self.cuda)
        if too_new is not None:
            raise GpuError("no_gpu", too_new)

    def call(self, function: str, *arguments: Any) -> Any:
        """What the function gives beside its status. Raises DriverError when that is not success."""
        status, *values = self._answer(function, *arguments)
        if int(status) != 0:
            raise complaint(function, int(status), self._said(status))
        return values[0] if len(values) == 1 else values

    def status(self, function: str, *arguments: Any) -> int:
        """The status alone, of a call that may well fail."""
        return int(self._answer(function, *arguments)[0])

    def name_of(self, device: Any) -> str:
        """What a GPU is called. device: as cuDeviceGet gives it."""
        return str(self.call("cuDeviceGetName", 256, device).split(b"\0")[0].decode(errors="replace"))

    def uuid_of(self, device: Any) -> uuid.UUID:
        """CUDA 12 has a second function, whose answer for a MIG slice is that slice's own."""
        newest = next(f for f in ("cuDeviceGetUuid_v2", "cuDeviceGetUuid") if hasattr(self.bindings, f))
        return uuid.UUID(bytes=bytes(self.call(newest, device).bytes))

    def arch_of(self, device: Any) -> str:
        """Such as sm_90."""
        major, minor = (self.attribute(device, f"COMPUTE_CAPABILITY_{part}") for part in ("MAJOR", "MINOR"))
        return f"sm_{major}{minor}"

    def attribute(self, device: Any, name: str) -> int:
        """name: without CU_DEVICE_ATTRIBUTE_."""
        number = getattr(self.bindings.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
        return int(self.call("cuDeviceGetAttribute", number, device))

    def _start(self) -> None:
        try:
            self.call("cuInit", 0)
            count = self.call("cuDeviceGetCount")
        except DriverError as error:
            why = why_no_gpu() if error.code == NO_DEVICE else why_closed()
            raise error if why is None else GpuError("no_gpu", why) from error
        if count == 0:
            raise GpuError("no_gpu", why_no_gpu())

    def _answer(self, function: str, *arguments: Any) -> tuple[Any, ...]:
        """The status, and what the function gives beside it."""
        try:
            answer: tuple[Any, ...] = getattr(self.bindings, function)(*arguments)
        except RuntimeError as error:  # the bindings' word for a function that the library lacks
            raise GpuError("no_gpu", self._lacks(function)) from error
        return answer

    def _said(self, status: Any) -> str:
        _, text = self.bindings.cuGetErrorString(status)
        return f"{text.decode()} ({status.name})" if text else str(status.name)

    def _lacks(self, function: str) -> str:
        (major, minor), bindings = self.cuda, _bindings_version()
        fitting = (
            CUDA_12 if bindings.split(".")[0] != str(major) else f"pip install 'cuda-bindings<{major}.{minor + 1}'"
        )
        return lacks_function(f"{major}.{minor}", bindings, function, fitting)


def module_version() -> str | None:
    """The version of the driver's kernel module (such as 580.159.04), where the system tells it."""
    try:
        text = _VERSION_FILE.read_text()
    except OSError:
        return None
    found = re.search(r"\b\d{3}\.\d+(\.\d+)?\b", text)
    return found[0] if found else None


def _bindings() -> Any:
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise GpuError("no_gpu", "the package cuda-bindings is not installed: pip install cuda-bindings") from error
    return driver


def _bindings_version() -> str:
    try:
        return version("cuda-bindings")
    except PackageNotFoundError:
        return "of an unknown version"
