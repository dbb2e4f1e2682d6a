"""The GPU works out by itself where the expression sends the lanes, and that is held against the prediction."""

from __future__ import annotations

import ctypes

from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.kernels import address_kernel
from warpviz.gpu.lanes import Lanes
from warpviz.gpu.request import Dim3, ProbeRequest
from warpviz.hardware import LANES, lanes_read


def check_addresses(device: Device, request: ProbeRequest) -> None:
    """Raises GpuError of kind "refused", which names the lane, when the GPU gets another address than predicted."""
    seen = _evaluate(device, request)
    for lane, predicted in enumerate(request.access.addresses):
        address = seen.offset[lane] if seen.active >> lane & 1 else None
        if predicted is None and lane < lanes_read(request.access.matrices) and address is not None:
            raise _disagreement(lane, "it is active", "inactive")
        if predicted is not None and address is None:
            raise _disagreement(lane, "it is inactive", f"at byte {predicted}")
        if predicted is not None and address != predicted & 0xFFFF_FFFF_FFFF_FFFF:
            raise _disagreement(lane, f"it is at byte {address}", f"at byte {predicted}")


def _evaluate(device: Device, request: ProbeRequest) -> Lanes:
    seen = Lanes()
    with device.memory(ctypes.sizeof(Lanes)) as memory:
        dimensions = [_dim3(value) for value in (request.block, request.block_index, request.grid)]
        out = (ctypes.c_void_p(memory + Lanes.offset.offset), ctypes.c_void_p(memory + Lanes.active.offset))
        source = address_kernel(request.source)
        device.launch(source, "addresses", *dimensions, ctypes.c_uint(request.warp), *out, threads=LANES)
        device.read(seen, memory)
    return seen


def _dim3(value: Dim3) -> ctypes.Array[ctypes.c_uint]:
    return (ctypes.c_uint * 3)(*value)


def _disagreement(lane: int, seen: str, predicted: str) -> GpuError:
    return GpuError(
        "refused",
        f"the GPU evaluates the expression otherwise: for lane {lane} {seen}, predicted {predicted}; "
        "nothing was measured",
    )
