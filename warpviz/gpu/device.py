"""The GPU itself: a context, memory, kernels and their launches. Lives in the worker process alone."""

from __future__ import annotations

import ctypes
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from warpviz.gpu.code.compile import compile_cubin, nvrtc_version
from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.errors import GpuError
from warpviz.gpu.kernels import Source
from warpviz.gpu.limits import Limits
from warpviz.gpu.machine.complaints import OUT_OF_MEMORY, UNAVAILABLE, DriverError, closed_by_mode, memory_full
from warpviz.gpu.machine.driver import Driver, module_version
from warpviz.gpu.machine.listing import memory_of
from warpviz.gpu.measurement import Gpu

_SPIN_SECONDS = 0.002  # how long a wait asks without pause; most kernels are done by then
_NOT_READY = 600  # the status of a stream that still works
_CONSTANT_BYTES = 65536  # the same on every CUDA GPU


class Device:
    """The first GPU that CUDA shows (see `warpviz.gpu.machine.choice`), with its primary context current.

    uuid: GPU-… or, for a MIG slice, MIG-…, as NVML and CUDA_VISIBLE_DEVICES name it. l2_bytes: what its L2 holds.
    Raises GpuError of kind "no_gpu" when there is none to be had, "failed" when a call of the driver fails.
    """

    def __init__(self) -> None:
        self._driver = Driver()
        self._driver.check_compiler()
        self._device = self._call("cuDeviceGet", 0)
        self.name: str = self._call("cuDeviceGetName", 256, self._device).split(b"\0")[0].decode(errors="replace")
        self.uuid = self._uuid()
        self._enter()
        attribute = self._attribute
        self.arch = f"sm_{attribute('COMPUTE_CAPABILITY_MAJOR')}{attribute('COMPUTE_CAPABILITY_MINOR')}"
        self.l2_bytes: int = attribute("L2_CACHE_SIZE")
        self._shared_bytes: int = attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        self._function = lru_cache(maxsize=256)(self._load)

    def describe(self) -> Gpu:
        """Which GPU this is, and with which driver and compiler."""
        cuda = "{}.{}".format(*self._driver.cuda)
        return Gpu(self.name, self.arch, module_version() or f"CUDA {cuda}", cuda, nvrtc_version())

    def limits(self) -> Limits:
        """What a pattern may ask of this GPU now: the memory that is free changes."""
        free, _ = self._call("cuMemGetInfo")
        return Limits(shared_bytes=self._shared_bytes, constant_bytes=_CONSTANT_BYTES, global_bytes=free // 2)

    def resources(self, source: Source, kernel: str) -> Resources:
        """What the kernel takes of the GPU."""
        function, names = self._function(source, kernel), self._driver.bindings.CUfunction_attribute
        wanted = ("NUM_REGS", "SHARED_SIZE_BYTES", "LOCAL_SIZE_BYTES")
        attributes = (getattr(names, f"CU_FUNC_ATTRIBUTE_{name}") for name in wanted)
        return Resources(*(int(self._call("cuFuncGetAttribute", attribute, function)) for attribute in attributes))

    def launch(
        self, source: Source, kernel: str, *arguments: Any, blocks: int = 1, threads: int = 32, shared_bytes: int = 0
    ) -> None:
        """Compile when needed, and start a kernel. arguments: ctypes values, in the order of the parameters."""
        function = self._function(source, kernel)
        if shared_bytes:
            attribute = self._driver.bindings.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call("cuFuncSetAttribute", function, attribute, shared_bytes)
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        where = (blocks, 1, 1, threads, 1, 1, shared_bytes, 0)
        self._call("cuLaunchKernel", function, *where, ctypes.addressof(pointers), 0)

    def wait(self) -> None:
        """Until all that was started is done. Asks again and again, so that other threads of the process go on."""
        begin = time.perf_counter()
        while self._driver.status("cuStreamQuery", 0) == _NOT_READY:
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
            self._driver.status("cuMemFree", address)

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
            self._driver.status("cuEventDestroy", begin)
            self._driver.status("cuEventDestroy", end)

    def _enter(self) -> None:
        """Make the primary context current."""
        try:
            self._call("cuCtxSetCurrent", self._call("cuDevicePrimaryCtxRetain", self._device))
        except DriverError as error:
            why = closed_by_mode(self._attribute("COMPUTE_MODE")) if error.code in UNAVAILABLE else None
            raise error if why is None else GpuError("no_gpu", why) from error

    def _uuid(self) -> str:
        """CUDA 12 has a second function, whose answer for a MIG slice is that slice's own."""
        function = next(f for f in ("cuDeviceGetUuid_v2", "cuDeviceGetUuid") if hasattr(self._driver.bindings, f))
        number = uuid.UUID(bytes=bytes(self._call(function, self._device).bytes))
        return f"{'MIG' if ' MIG ' in self.name else 'GPU'}-{number}"

    def _load(self, source: Source, kernel: str) -> Any:
        module = self._call("cuModuleLoadData", compile_cubin(source, self.arch))
        return self._call("cuModuleGetFunction", module, kernel.encode())

    def _attribute(self, name: str) -> int:
        attribute = getattr(self._driver.bindings.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
        return int(self._call("cuDeviceGetAttribute", attribute, self._device))

    def _call(self, function: str, *arguments: Any) -> Any:
        try:
            return self._driver.call(function, *arguments)
        except DriverError as error:
            if error.code == OUT_OF_MEMORY:
                raise GpuError("failed", memory_full(memory_of(self.uuid))) from error
            raise
