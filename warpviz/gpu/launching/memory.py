"""What a launch works on: its arrays and the module's variables, in device memory, as they are at first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as np
from numpy.typing import NDArray

from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.loaded import LoadedKernel
from warpviz.gpu.launching.request import ArrayFile, LaunchRequest

Bytes = NDArray[np.uint8]


@contextmanager
def launch_memory(device: Device, request: LaunchRequest, kernel: LoadedKernel) -> Iterator[LaunchMemory]:
    """Memory for the arrays, given back at the end."""
    with ExitStack() as stack:
        addresses = {array.name: stack.enter_context(device.memory(array.size)) for array in request.arrays}
        yield LaunchMemory(device, request, addresses, _variables(device, request, kernel))


class LaunchMemory:
    """parameters: what the kernel is given, with the addresses of the arrays in them."""

    def __init__(
        self, device: Device, request: LaunchRequest, addresses: dict[str, int], variables: list[tuple[int, Bytes]]
    ) -> None:
        """addresses: of the arrays. variables: the address of each, and what it holds at first."""
        self._device = device
        self._arrays = request.arrays
        self._addresses = addresses
        self._variables = variables
        self._changed: tuple[ArrayFile, ...] = ()
        self.parameters = request.parameters_with(addresses)

    @property
    def changed(self) -> tuple[str, ...]:
        """The arrays that were found changed when they were read back."""
        return tuple(array.name for array in self._changed)

    def fill(self) -> None:
        """Give all arrays their first contents."""
        self._write(self._arrays)

    def restore(self) -> None:
        """Give what a run has changed its first contents again."""
        self._write(self._changed)
        for address, contents in self._variables:
            self._device.copy_in(address, contents.ctypes.data, contents.nbytes)

    def save(self) -> None:
        """Write what the arrays hold into the files for it. Raises GpuError when the disk is full."""
        changed = []
        for array in self._arrays:
            contents = np.empty(array.size, np.uint8)
            self._device.copy_out(contents.ctypes.data, self._addresses[array.name], array.size)
            if not np.array_equal(contents, _given(array)):
                changed.append(array)
            _store(array, contents)
        self._changed = tuple(changed)

    def _write(self, arrays: tuple[ArrayFile, ...]) -> None:
        for array in arrays:
            contents = _given(array)  # the file is mapped for as long as this name is
            self._device.copy_in(self._addresses[array.name], contents.ctypes.data, array.size)


def _given(array: ArrayFile) -> Bytes:
    """Its first contents, still in the file. Raises GpuError when that is not there."""
    try:
        return np.memmap(array.given, np.uint8, "r", shape=(array.size,))
    except (OSError, ValueError) as error:
        raise GpuError("refused", f"the contents of {array.name} cannot be read from {array.given}: {error}") from error


def _store(array: ArrayFile, contents: Bytes) -> None:
    try:
        contents.tofile(array.result)
    except OSError as error:
        why = f"{array.result}: {error.strerror or error}"
        raise GpuError("refused", f"what {array.name} holds cannot be written to {why}") from error


def _variables(device: Device, request: LaunchRequest, kernel: LoadedKernel) -> list[tuple[int, Bytes]]:
    found = []
    for place in filter(None, map(kernel.variable, request.variables)):
        address, size = place
        contents = np.empty(size, np.uint8)
        device.copy_out(contents.ctypes.data, address, size)
        found.append((address, contents))
    return found
