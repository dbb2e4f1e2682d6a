"""Shared and constant memory by time: the slope in cycles an access, without any counter.

Two launches that differ only in how many accesses every warp makes: what a launch costs once cancels. On an H200 the
slopes of shared memory came out within 0.09 cycles of the wavefronts that its counters show, for every instruction.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpviz.gpu.device import Device
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import UNROLLED, Source, companion_kernel, timed_kernel
from warpviz.gpu.lanes import Lanes
from warpviz.gpu.measurement import Run, Slope
from warpviz.hardware import LANES
from warpviz.model import constant

_WARPS = 32  # of one block: the most there are, so that the memory is never idle
_REPEATS = 5
_SHORT, _LONG = 2, 34  # turns of a kernel's loop
_LONG_FOR_UNIT = 130  # a single request is what all others are divided by: it is timed longer
_COMPANION_BYTES = 1024  # of shared memory, as kernels/companion.cuh reaches
_NOT_WHOLE = 0.3  # further from a whole number than this, time does not tell the count
_MISSES = 1.1  # a single request that takes this much longer than one of a cached line misses the constant cache


@dataclass(frozen=True)
class Timed:
    """The cycles of a short and a long run of a kernel: turns of its loop, and the cycles of every repeat."""

    short_turns: int
    short: tuple[int, ...]
    long_turns: int
    long: tuple[int, ...]

    @property
    def slopes(self) -> tuple[float, ...]:
        """Cycles an access of one warp, one for each repeat."""
        accesses = (self.long_turns - self.short_turns) * UNROLLED * _WARPS
        return tuple((many - few) / accesses for few, many in zip(self.short, self.long, strict=True))

    @property
    def slope(self) -> float:
        return statistics.median(self.slopes)

    @property
    def runs(self) -> tuple[Run, Run]:
        return (
            Run(self.short_turns * UNROLLED, statistics.median(self.short)),
            Run(self.long_turns * UNROLLED, statistics.median(self.long)),
        )


def time_shared(device: Device, pattern: FrozenAccess) -> Slope:
    """The wavefronts of one access of shared memory. The pattern fits the device."""
    size = max(pattern.end, _COMPANION_BYTES)
    both = _time(device, timed_kernel(pattern), "timed", Lanes.of(pattern), shared_bytes=size)
    companion = _time(device, companion_kernel(), "timed", shared_bytes=_COMPANION_BYTES)
    return shared_slope(both, companion)


def time_constant(device: Device, pattern: FrozenAccess) -> Slope:
    """The requests of one access of constant memory. The pattern fits the device."""
    source = timed_kernel(pattern)
    touched = list(pattern.touched.values())
    everywhere = Lanes.everywhere([touched[lane % len(touched)] for lane in range(LANES)])
    accesses = _time(device, source, "timed", Lanes.of(pattern))
    one_line = _time(device, source, "timed", Lanes.everywhere([touched[0]] * LANES), long=_LONG_FOR_UNIT)
    singles = _time(device, source, "timed_singles", everywhere, long=_LONG_FOR_UNIT)
    return constant_slope(accesses, one_line, singles, constant.loads(pattern.width))


def shared_slope(both: Timed, companion: Timed) -> Slope:
    """both: the access and its companion. What the companion takes alone is subtracted; the rest are wavefronts."""
    own = [slope - companion.slope for slope in both.slopes]
    return _told(own, 1.0, both)


def constant_slope(accesses: Timed, one_line: Timed, singles: Timed, instructions: int) -> Slope:
    """one_line: single requests of one address; singles: of each of the pattern's, one after the other.

    instructions: how many loads the hardware makes of one access, each a request at least.
    """
    unit = one_line.slope / instructions
    slope = _told(accesses.slopes, unit, accesses)
    if singles.slope <= _MISSES * one_line.slope:
        return slope
    doubt = "the constant cache does not keep the lines that these lanes read, so the time is that of misses too"
    return replace(slope, count=None, doubt=doubt)


def _told(slopes: Sequence[float], unit: float, timed: Timed) -> Slope:
    """The median slope with its count, if it is near a whole number and most of the repeats say the same."""
    median = statistics.median(slopes)
    count: int | None = round(median / unit)
    agreeing = [slope for slope in slopes if abs(slope / unit - round(median / unit)) <= _NOT_WHOLE]
    doubt = None
    if 2 * len(agreeing) <= len(slopes) or median not in agreeing:
        count = None
        doubt = (
            f"the time is that of {median / unit:.2f} ({min(slopes) / unit:.2f} to {max(slopes) / unit:.2f}), which is "
            "no steady whole number: measure again when nothing else uses the GPU"
        )
    return Slope(median, max(slopes) - min(slopes), unit, *timed.runs, len(slopes), count, doubt)


class _Clocks(ctypes.Structure):
    """When each warp begins and ends, as kernels/clocks.cuh writes it."""

    _fields_ = (("warps", ctypes.c_longlong * 2 * _WARPS),)

    def cycles(self) -> int:
        """From the first warp's begin to the last one's end."""
        return int(max(end for _, end in self.warps) - min(begin for begin, _ in self.warps))


def _time(
    device: Device, source: Source, kernel: str, *lanes: Lanes, long: int = _LONG, shared_bytes: int = 0
) -> Timed:
    """lanes: of the kernels that have a pattern; they have a sink as well, which stays null."""
    sink = [ctypes.c_void_p() for _ in lanes]
    with device.memory(ctypes.sizeof(_Clocks)) as clocks:

        def cycles(turns: int) -> int:
            arguments = (*lanes, ctypes.c_uint(0), ctypes.c_int(turns), ctypes.c_void_p(clocks), *sink)
            device.launch(source, kernel, *arguments, threads=_WARPS * LANES, shared_bytes=shared_bytes)
            read = _Clocks()
            device.read(read, clocks)
            return read.cycles()

        cycles(_SHORT)  # the instruction cache is cold the first time
        runs = [(cycles(_SHORT), cycles(long)) for _ in range(_REPEATS)]
    return Timed(_SHORT, tuple(few for few, _ in runs), long, tuple(many for _, many in runs))
