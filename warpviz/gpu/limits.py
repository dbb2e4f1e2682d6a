"""What is refused before anything is launched: an access that does not fit the memory it goes to."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.hardware import lanes_read

_ORIGIN_BYTES = 1024  # a global pattern may be moved by multiples of this and keeps its sectors and lines


@dataclass(frozen=True)
class Limits:
    """The most bytes that one block, the constant bank and one global buffer may have."""

    shared_bytes: int
    constant_bytes: int
    global_bytes: int


def global_origin(pattern: FrozenAccess) -> int:
    """The byte address where the buffer of a global pattern begins: so that it holds the touched bytes alone."""
    return pattern.start // _ORIGIN_BYTES * _ORIGIN_BYTES


def check(pattern: FrozenAccess, limits: Limits) -> None:
    """Raises GpuError of kind "refused", with a sentence that names the lane, for a pattern that does not fit."""
    if not pattern.touched:
        raise _refused("no lane is active, so there is nothing to measure")
    if pattern.op == "ldmatrix" and len(pattern.touched) < lanes_read(pattern.matrices):
        raise _refused("ldmatrix is executed by the whole warp; a lane whose row it reads is inactive here")
    for lane, address in pattern.touched.items():
        if address % pattern.width:
            raise _refused(f"lane {lane} is at byte {address}, which is not a multiple of {pattern.width}")
    if pattern.space == "global":
        _check_span(pattern, limits.global_bytes)
    else:
        _check_range(pattern, limits)


def _check_span(pattern: FrozenAccess, available: int) -> None:
    span = pattern.end - global_origin(pattern)
    if span > available:
        raise _refused(
            f"the lanes spread over {span:,} bytes of global memory; at most {available:,} can be used on this GPU now"
        )


def _check_range(pattern: FrozenAccess, limits: Limits) -> None:
    place, size = {
        "shared": ("shared memory", limits.shared_bytes),
        "const": ("constant memory", limits.constant_bytes),
    }[pattern.space]
    for lane, address in pattern.touched.items():
        if address < 0:
            raise _refused(f"lane {lane} goes to byte {address}, before the start of {place}")
        if address + pattern.width > size:
            raise _refused(
                f"lane {lane} reaches byte {address + pattern.width - 1:,} of {place}, which has at most {size:,} "
                "bytes on this GPU"
            )


def _refused(sentence: str) -> GpuError:
    return GpuError("refused", sentence)
