"""A kernel of the user's on the device: loaded, checked, launched."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.code.machine_code import Resources
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.measurement import Occupancy
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.hardware import LANES

_L2_SIZES = 3

# CU_LAUNCH_PARAM_…: all parameters as one buffer.
_END, _BUFFER, _BUFFER_SIZE = 0, 1, 2


@contextmanager
def loaded(device: Device, request: LaunchRequest) -> Iterator[LoadedKernel]:
    """The kernel in a module of its own, so that the module's variables hold what they hold at first.

    Raises GpuError: what the compiler and the driver say; "refused" for a launch that does not fit the GPU.
    """
    module = device.call("cuModuleLoadData", compile_cubin(request.source, device.arch))
    try:
        kernel = LoadedKernel(device, module, request)
        kernel.check()
        yield kernel
    finally:
        device.status("cuModuleUnload", module)


class LoadedKernel:
    """resources: what it takes of the GPU."""

    def __init__(self, device: Device, module: Any, request: LaunchRequest) -> None:
        self._device = device
        self._module = module
        self._request = request
        self._function = device.call("cuModuleGetFunction", module, request.symbol.encode())
        self.resources: Resources = device.resources_of(self._function)

    def check(self) -> None:
        """Raises GpuError of kind "refused" for a launch that does not fit the GPU. Nothing is launched."""
        request, resources, device = self._request, self.resources, self._device
        shared = resources.shared_bytes + request.shared_bytes
        if shared > device.shared_bytes:
            raise _refused(
                f"a block of {request.name} has {shared:,} bytes of shared memory; "
                f"{device.shared_bytes:,} are the most on this GPU"
            )
        threads = device.function_attribute(self._function, "MAX_THREADS_PER_BLOCK")
        if request.threads > threads:
            raise _refused(
                f"a block of {request.name} has {request.threads:,} threads; with {resources.registers} registers a "
                f"thread {threads:,} are the most on this GPU: __launch_bounds__({request.threads}) makes it fit"
            )
        free = device.free_bytes() - overwritten_bytes(device)
        if request.array_bytes > free:
            wanted = f"the arrays of {request.name} take {request.array_bytes:,} bytes"
            raise _refused(f"{wanted}; {max(free, 0):,} can be used on this GPU now")
        if request.shared_bytes:
            device.allow_shared(self._function, request.shared_bytes)

    def start(self, parameters: bytes) -> None:
        """Launch it, with these bytes as its parameters. Does not wait."""
        contents = ctypes.create_string_buffer(parameters, max(len(parameters), 1))
        size = ctypes.c_size_t(len(parameters))
        extra = (ctypes.c_void_p * 5)(_BUFFER, ctypes.addressof(contents), _BUFFER_SIZE, ctypes.addressof(size), _END)
        where = (*self._request.grid, *self._request.block, self._request.shared_bytes, 0)
        self._device.call("cuLaunchKernel", self._function, *where, 0, ctypes.addressof(extra) if parameters else 0)

    def occupancy(self) -> Occupancy:
        """Of an SM, with blocks of this launch alone."""
        threads, shared = self._request.threads, self._request.shared_bytes
        call = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        blocks = int(self._device.call(call, self._function, threads, shared))
        most = self._device.attribute("MAX_THREADS_PER_MULTIPROCESSOR")
        return Occupancy(blocks, blocks * -(-threads // LANES), most // LANES)

    def variable(self, symbol: str) -> tuple[int, int] | None:
        """The address and the bytes of a variable of the module; None for one that the compiler left out."""
        if self._device.status("cuModuleGetGlobal", self._module, symbol.encode()) != 0:
            return None
        address, size = self._device.call("cuModuleGetGlobal", self._module, symbol.encode())
        return int(address), int(size)


def overwritten_bytes(device: Device) -> int:
    """Of the memory that is written before each timed run, so that nothing of the arrays is left in L2."""
    return _L2_SIZES * device.l2_bytes


def _refused(sentence: str) -> GpuError:
    return GpuError("refused", sentence)
