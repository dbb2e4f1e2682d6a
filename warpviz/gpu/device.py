"""The GPU itself: a context, memory, kernels and their launches. Lives in the worker process alone."""

from __future__ import annotations

import ctypes
import time
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
    shared_bytes: the most shared memory of a block.
    Raises GpuError of kind "no_gpu" when there is none to be had, "failed" when a call of the driver fails.
    """

    def __init__(self) -> None:
        self._driver = Driver()
        self._driver.check_compiler()
        self._device = self.call("cuDeviceGet", 0)
        self.name = self._driver.name_of(self._device)
        self.uuid = f"{'MIG' if ' MIG ' in self.name else 'GPU'}-{self._driver.uuid_of(self._device)}"
        self._enter()
        self.arch = self._driver.arch_of(self._device)
        self.l2_bytes = self.attribute("L2_CACHE_SIZE")
        self.shared_bytes = self.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        self._function = lru_cache(maxsize=256)(self._load)

    def describe(self) -> Gpu:
        """Which GPU this is, and with which driver and compiler."""
        cuda = "{}.{}".format(*self._driver.cuda)
        return Gpu(self.name, self.arch, module_version() or f"CUDA {cuda}", cuda, nvrtc_version())

    def limits(self) -> Limits:
        """What a pattern may ask of this GPU now: the memory that is free changes."""
        free = self.free_bytes()
        return Limits(shared_bytes=self.shared_bytes, constant_bytes=_CONSTANT_BYTES, global_bytes=free // 2)

    def free_bytes(self) -> int:
        """Of its memory, now."""
        free, _ = self.call("cuMemGetInfo")
        return int(free)

    def resources(self, source: Source, kernel: str) -> Resources:
        """What the kernel takes of the GPU."""
        return self.resources_of(self._function(source, kernel))

    def resources_of(self, function: Any) -> Resources:
        """What a kernel that is loaded takes of the GPU. function: as the driver names it."""
        wanted = ("NUM_REGS", "SHARED_SIZE_BYTES", "LOCAL_SIZE_BYTES")
        return Resources(*(self.function_attribute(function, name) for name in wanted))

    def function_attribute(self, function: Any, name: str) -> int:
        """name: without CU_FUNC_ATTRIBUTE_."""
        attribute = getattr(self._driver.bindings.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
        return int(self.call("cuFuncGetAttribute", attribute, function))

    def allow_shared(self, function: Any, shared_bytes: int) -> None:
        """Let a block of a kernel have so much dynamic shared memory: without, 48 KiB are the most."""
        attribute = self._driver.bindings.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        self.call("cuFuncSetAttribute", function, attribute, shared_bytes)

    def launch(
        self, source: Source, kernel: str, *arguments: Any, blocks: int = 1, threads: int = 32, shared_bytes: int = 0
    ) -> None:
        """Compile when needed, and start a kernel. arguments: ctypes values, in the order of the parameters."""
        function = self._function(source, kernel)
        if shared_bytes:
            self.allow_shared(function, shared_bytes)
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        where = (blocks, 1, 1, threads, 1, 1, shared_bytes, 0)
        self.call("cuLaunchKernel", function, *where, ctypes.addressof(pointers), 0)

    def wait(self) -> None:
        """Until all that was started is done. Asks again and again, so that other threads of the process go on."""
        begin = time.perf_counter()
        while self.status("cuStreamQuery", 0) == _NOT_READY:
            if time.perf_counter() - begin > _SPIN_SECONDS:
                time.sleep(0.0005)
        self.call("cuStreamSynchronize", 0)

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        """Device memory of `size` bytes, given back at the end: its address. No byte of it is 0."""
        address = self.call("cuMemAlloc", size)
        try:
            self.overwrite(address, size)
            yield int(address)
        finally:
            self.status("cuMemFree", address)

    def overwrite(self, address: int, size: int) -> None:
        """Write so many bytes of device memory, none of them 0. Does not wait."""
        self.call("cuMemsetD8", address, 0xA5, size)

    def read(self, into: ctypes.Array[Any] | ctypes.Structure, address: int) -> None:
        """Fill a host array or structure from device memory, when all that was started is done."""
        self.copy_out(ctypes.addressof(into), address, ctypes.sizeof(into))

    def copy_out(self, host: int, address: int, size: int) -> None:
        """So many bytes from device memory to the address `host`, when all that was started is done."""
        self.wait()
        self.call("cuMemcpyDtoH", host, address, size)

    def copy_in(self, address: int, host: int, size: int) -> None:
        """So many bytes from the address `host` to device memory."""
        self.call("cuMemcpyHtoD", address, host, size)

    def seconds(self, start: Callable[[], None], before: Callable[[], None] | None = None) -> float:
        """How long the GPU takes for what `start` launches: between two events round it.

        before: starts other work in front of it, which is not timed. While the GPU is busy with that, the host gets
        ahead of it; else a short kernel's time has in it how long the host takes to launch.
        """
        begin, end = (self.call("cuEventCreate", 0) for _ in range(2))
        try:
            if before is not None:
                before()
            self.call("cuEventRecord", begin, 0)
            start()
            self.call("cuEventRecord", end, 0)
            self.wait()
            return float(self.call("cuEventElapsedTime", begin, end)) / 1000
        finally:
            self.status("cuEventDestroy", begin)
            self.status("cuEventDestroy", end)

    def attribute(self, name: str) -> int:
        """name: without CU_DEVICE_ATTRIBUTE_."""
        return self._driver.attribute(self._device, name)

    def call(self, function: str, *arguments: Any) -> Any:
        """A call of the driver: what it gives beside its status. Raises DriverError, GpuError for a full memory."""
        try:
            return self._driver.call(function, *arguments)
        except DriverError as error:
            if error.code == OUT_OF_MEMORY:
                raise GpuError("failed", memory_full(memory_of(self.uuid))) from error
            raise

    def status(self, function: str, *arguments: Any) -> int:
        """The status alone, of a call that may well fail."""
        return self._driver.status(function, *arguments)

    def _enter(self) -> None:
        """Make the primary context current."""
        try:
            self.call("cuCtxSetCurrent", self.call("cuDevicePrimaryCtxRetain", self._device))
        except DriverError as error:
            why = closed_by_mode(self.attribute("COMPUTE_MODE")) if error.code in UNAVAILABLE else None
            raise error if why is None else GpuError("no_gpu", why) from error

    def _load(self, source: Source, kernel: str) -> Any:
        module = self.call("cuModuleLoadData", compile_cubin(source, self.arch))
        return self.call("cuModuleGetFunction", module, kernel.encode())
