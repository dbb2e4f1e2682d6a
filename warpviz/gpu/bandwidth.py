"""Global memory in time: the pattern laid out over more bytes than L2 holds, every copy accessed once."""

from __future__ import annotations

import ctypes
import statistics
from dataclasses import dataclass

from warpviz.gpu.device import Device
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import timed_kernel
from warpviz.gpu.lanes import Lanes
from warpviz.gpu.limits import global_origin
from warpviz.gpu.measurement import Bandwidth, Unavailable
from warpviz.hardware import LINE_BYTES, SECTOR_BYTES

_L2_SIZES_MOVED = 16  # so that the start and the end of a launch weigh little
_MOST_BYTES = 16 << 30  # allocated for one measurement: 5 ms for an H200
_REPEATS = 7
_THREADS = 256
COPIES_A_BLOCK = 64  # as kernels/global.cu has it


@dataclass(frozen=True)
class Layout:
    """copies of the pattern, pitch bytes apart: a multiple of what a block accesses."""

    pitch: int
    copies: int

    @property
    def size(self) -> int:
        return self.pitch * self.copies


def lay_out(pattern: FrozenAccess, l2_bytes: int, available: int) -> Layout | Unavailable:
    """Copies that move many times what L2 holds, within the bytes that are available."""
    span = pattern.end - global_origin(pattern)
    pitch = -(-span // LINE_BYTES) * LINE_BYTES
    moved = SECTOR_BYTES * pattern.distinct_sectors()
    copies = min(_L2_SIZES_MOVED * l2_bytes // moved, min(available, _MOST_BYTES) // pitch)
    copies -= copies % COPIES_A_BLOCK
    if copies * moved <= l2_bytes:
        return Unavailable(
            f"the lanes lie {span:,} bytes apart: as many copies as fit into memory move no more than L2 holds"
        )
    return Layout(pitch, copies)


def time_global(device: Device, pattern: FrozenAccess) -> Bandwidth | Unavailable:
    """Useful and moved bytes a second. The pattern fits the device."""
    layout = lay_out(pattern, device.l2_bytes, device.limits().global_bytes)
    if isinstance(layout, Unavailable):
        return layout
    source = timed_kernel(pattern)
    lanes = Lanes.of(pattern, global_origin(pattern))
    with device.memory(layout.size) as memory:
        arguments = (
            lanes,
            ctypes.c_ulonglong(memory),
            ctypes.c_ulonglong(layout.pitch),
            ctypes.c_void_p(),
        )

        def stream() -> None:
            device.launch(source, "stream", *arguments, blocks=layout.copies // COPIES_A_BLOCK, threads=_THREADS)

        device.seconds(stream)  # the first one also loads the code
        seconds = [device.seconds(stream) for _ in range(_REPEATS)]
    median = statistics.median(seconds)
    return Bandwidth(
        bytes_useful=pattern.distinct_bytes() * layout.copies,
        bytes_moved=SECTOR_BYTES * pattern.distinct_sectors() * layout.copies,
        seconds=median,
        spread=(max(seconds) - min(seconds)) / median,
        repeats=_REPEATS,
    )
