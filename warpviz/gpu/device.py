"""The GPU itself: a context, memory, kernels and their launches. Lives in the worker process alone."""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from warpviz.gpu.compile import compile_cubin, nvrtc_version
from warpviz.gpu.errors import GpuError
from warpviz.gpu.kernels import Source
from warpviz.gpu.limits import Limits
from warpviz.gpu.measurement import Gpu
from warpviz.gpu.presence import NO_DRIVER

_SPIN_SECONDS = 0.002  # how long a wait asks without pause; most kernels are done by then
_DRIVER_VERSION_FILE = Path("/proc/driver/nvidia/version")
_CONSTANT_BYTES = 65536  # the same on every CUDA GPU


class Device:
    """The first GPU that CUDA shows (CUDA_VISIBLE_DEVICES chooses), with its primary context current.

    Raises GpuError of kind "no_gpu" when there is none, "failed" when a call of the driver fails.
    """

    def __init__(self) -> None:
        self._cu = _driver()
        self._device = self._call("cuDeviceGet", 0)
        self._call("cuCtxSetCurrent", self._call("cuDevicePrimaryCtxRetain", self._device))
        attribute = self._attribute
        self.arch = f"sm_{attribute('COMPUTE_CAPABILITY_MAJOR')}{attribute('COMPUTE_CAPABILITY_MINOR')}"
        self.l2_bytes: int = attribute("L2_CACHE_SIZE")
        self._shared_bytes: int = attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        self._function = lru_cache(maxsize=256)(self._load)

    def describe(self) -> Gpu:
        """Which GPU this is, and with which driver and compiler."""
        name = self._call("cuDeviceGetName", 256, self._device).split(b"\0")[0].decode()
        cuda = self._call("cuDriverGetVersion")
        cuda_version = f"{cuda // 1000}.{cuda % 1000 // 10}"
        return Gpu(name, self.arch, _driver_version() or f"CUDA {cuda_version}", cuda_version, nvrtc_version())

    def limits(self) -> Limits:
        """What a pattern may ask of this GPU now: the memory that is free changes."""
        free, _ = self._call("cuMemGetInfo")
        return Limits(shared_bytes=self._shared_bytes, constant_bytes=_CONSTANT_BYTES, global_bytes=free // 2)

    def launch(
        self, source: Source, kernel: str, *arguments: Any, blocks: int = 1, threads: int = 32, shared_bytes: int = 0
    ) -> None:
        """Compile when needed, and start a kernel. arguments: ctypes values, in the order of the parameters."""
        function = self._function(source, kernel)
        if shared_bytes:
            attribute = self._cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call("cuFuncSetAttribute", function, attribute, shared_bytes)
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        where = (blocks, 1, 1, threads, 1, 1, shared_bytes, 0)
        self._call("cuLaunchKernel", function, *where, ctypes.addressof(pointers), 0)

    def wait(self) -> None:
        """Until all that was started is done. Asks again and again, so that other threads of the process go on."""
        begin = time.perf_counter()
        while self._cu.cuStreamQuery(0)[0] == self._cu.CUresult.CUDA_ERROR_NOT_READY:
            if time.perf_counter() - begin > _SPIN_SECONDS:
                time.sleep(0.0005)
        self._call("cuStreamSynchronize", 0)

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        """Device memory of `size` bytes, given back at the end: its address. No byte of it is 0."""
        address = self._call("cuMemAlloc", size)
        try:
            self._call("cuMemsetD8", address, 0xA5, size)
            yield int(address)
        finally:
            self._cu.cuMemFree(address)

    def read(self, into: ctypes.Array[Any] | ctypes.Structure, address: int) -> None:
        """Fill a host array or structure from device memory, when all that was started is done."""
        self.wait()
        self._call("cuMemcpyDtoH", ctypes.addressof(into), address, ctypes.sizeof(into))

    def seconds(self, start: Callable[[], None]) -> float:
        """How long the GPU takes for what `start` launches: between two events round it."""
        begin, end = (self._call("cuEventCreate", 0) for _ in range(2))
        try:
            self._call("cuEventRecord", begin, 0)
            start()
            self._call("cuEventRecord", end, 0)
            self.wait()
            return float(self._call("cuEventElapsedTime", begin, end)) / 1000
        finally:
            self._cu.cuEventDestroy(begin)
            self._cu.cuEventDestroy(end)

    def _load(self, source: Source, kernel: str) -> Any:
        module = self._call("cuModuleLoadData", compile_cubin(source, self.arch))
        return self._call("cuModuleGetFunction", module, kernel.encode())

    def _attribute(self, name: str) -> int:
        attribute = getattr(self._cu.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
        return int(self._call("cuDeviceGetAttribute", attribute, self._device))

    def _call(self, function: str, *arguments: Any) -> Any:
        status, *values = getattr(self._cu, function)(*arguments)
        if int(status) != 0:
            raise GpuError("failed", f"the GPU fails in {function}: {_reason(self._cu, status)}")
        return values[0] if len(values) == 1 else values


def _driver() -> Any:
    """The driver's bindings, initialised, with at least one device."""
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise GpuError("no_gpu", "the package cuda-bindings is not installed: pip install cuda-bindings") from error
    try:
        (status,) = driver.cuInit(0)
    except (RuntimeError, OSError) as error:
        raise GpuError("no_gpu", NO_DRIVER) from error
    if int(status) != 0:
        raise GpuError("no_gpu", f"the NVIDIA driver does not start: {_reason(driver, status)}")
    status, count = driver.cuDeviceGetCount()
    if int(status) != 0 or count == 0:
        raise GpuError("no_gpu", "the NVIDIA driver shows no GPU (does CUDA_VISIBLE_DEVICES hide it?)")
    return driver


def _reason(driver: Any, status: Any) -> str:
    _, text = driver.cuGetErrorString(status)
    return f"{text.decode()} ({status.name})" if text else str(status.name)


def _driver_version() -> str | None:
    """The version of the kernel driver (such as 580.159.04), where the system tells it."""
    try:
        text = _DRIVER_VERSION_FILE.read_text()
    except OSError:
        return None
    found = re.search(r"\b\d{3}\.\d+(\.\d+)?\b", text)
    return found[0] if found else None
