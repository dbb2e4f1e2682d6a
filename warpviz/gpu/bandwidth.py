"""Global memory in time: the pattern laid out over more bytes than L2 holds, every copy accessed once.

Beside it, in the same run and the same memory, a plain copy: how many bytes this GPU reads and writes at these
clocks. What share of it a pattern moves says what its sectors do not. On an H200, L2 fetches memory in pairs of
sectors, so lanes that want one sector of each pair reach about half; and loads alone can pass the copy a little,
since they spare the memory the turns between reading and writing.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from warpviz.gpu.device import Device
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import copy_kernel, timed_kernel
from warpviz.gpu.lanes import Lanes
from warpviz.gpu.limits import global_origin
from warpviz.gpu.measurement import Bandwidth, Unavailable
from warpviz.hardware import LINE_BYTES, SECTOR_BYTES

_L2_SIZES_MOVED = 16  # so that the start and the end of a launch weigh little
_MOST_BYTES = 16 << 30  # allocated for one measurement: 5 ms for an H200
_REPEATS = 7
_THREADS = 256  # of a block, in both kernels
COPIES_A_BLOCK = 64  # of the pattern, as kernels/global.cu has it
COPIED_A_BLOCK = 4096  # bytes that a block of the plain copy reads, as kernels/copy.cu has it

Launch = Callable[[], None]


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
    room = min(available, _MOST_BYTES)
    copies = min(_L2_SIZES_MOVED * l2_bytes // moved, room // pitch)
    copies -= copies % COPIES_A_BLOCK
    if copies * moved <= l2_bytes:
        return Unavailable(
            f"no more than L2 holds would be moved: a copy of the pattern takes {pitch:,} bytes, and {room:,} bytes of "
            "GPU memory can be used for all of them"
        )
    return Layout(pitch, copies)


def copied_bytes(size: int, l2_bytes: int) -> int:
    """What the plain copy reads, and writes as well, in a memory of `size` bytes: as much as patterns move."""
    half = min(size, _L2_SIZES_MOVED * l2_bytes) // 2
    return half - half % COPIED_A_BLOCK


def time_global(device: Device, pattern: FrozenAccess, halfway: Callable[[], None]) -> Bandwidth | Unavailable:
    """Useful and moved bytes a second, beside a plain copy's. The pattern fits the device.

    halfway: called between two repeats, when the GPU has been busy for some milliseconds and stays so for as many.
    """
    layout = lay_out(pattern, device.l2_bytes, device.limits().global_bytes)
    if isinstance(layout, Unavailable):
        return layout
    copied = copied_bytes(layout.size, device.l2_bytes)
    with device.memory(layout.size) as memory:
        stream = _stream(device, pattern, layout, memory)
        copy = _copy(device, copied, memory)
        seconds, copy_seconds = _alternate(device, stream, copy, halfway)
    median = statistics.median(seconds)
    return Bandwidth(
        bytes_useful=pattern.distinct_bytes() * layout.copies,
        bytes_moved=SECTOR_BYTES * pattern.distinct_sectors() * layout.copies,
        seconds=median,
        spread=_spread(seconds),
        repeats=_REPEATS,
        copy_gb_per_second=2 * copied / statistics.median(copy_seconds) / 1e9,
        copy_spread=_spread(copy_seconds),
    )


def _stream(device: Device, pattern: FrozenAccess, layout: Layout, memory: int) -> Launch:
    """Access every copy of the pattern once."""
    source = timed_kernel(pattern)
    lanes = Lanes.of(pattern, global_origin(pattern))
    arguments = (lanes, ctypes.c_ulonglong(memory), ctypes.c_ulonglong(layout.pitch), ctypes.c_void_p())
    blocks = layout.copies // COPIES_A_BLOCK
    return lambda: device.launch(source, "stream", *arguments, blocks=blocks, threads=_THREADS)


def _copy(device: Device, copied: int, memory: int) -> Launch:
    """Copy the first so many bytes of the memory to the next."""
    source = copy_kernel()
    arguments = (ctypes.c_void_p(memory), ctypes.c_void_p(memory + copied))
    blocks = copied // COPIED_A_BLOCK
    return lambda: device.launch(source, "copy", *arguments, blocks=blocks, threads=_THREADS)


def _alternate(
    device: Device, stream: Launch, copy: Launch, halfway: Callable[[], None]
) -> tuple[list[float], list[float]]:
    """The seconds of every repeat of each, taken in turn, so that both see the same clocks."""
    launches = (stream, copy)
    for launch in launches:
        _warm_seconds(device, launch)  # loads the code and wakes the clocks
    rounds = []
    for number in range(_REPEATS):
        if number == _REPEATS // 2:
            halfway()
        rounds.append([_warm_seconds(device, launch) for launch in launches])
    streams, copies = zip(*rounds, strict=True)
    return list(streams), list(copies)


def _warm_seconds(device: Device, launch: Launch) -> float:
    """Of the second of two launches in a row.

    It finds L2 as the first has left it, not with what the other kernel has still to write back; and the GPU goes from
    the one to the other without waiting for the host.
    """
    launch()
    return device.seconds(launch)


def _spread(seconds: Sequence[float]) -> float:
    """The largest less the smallest, over the median."""
    return (max(seconds) - min(seconds)) / statistics.median(seconds)
