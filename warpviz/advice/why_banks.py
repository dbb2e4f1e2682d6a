"""What a constant distance from lane to lane does to the banks of shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from warpviz.access import Access
from warpviz.advice.reason import Reason, Tone, byte_stride, pointing_lanes
from warpviz.hardware import WORD_BYTES
from warpviz.model.banks import granule_bytes, granule_columns, lanes_per_phase
from warpviz.wording import counted, ordinal

_BANKS_OF_A_LANE = {1: "bank", 2: "pair", 4: "group"}  # by the words of one lane


def stride_reason(access: Access, conflicts: int) -> Iterator[Reason]:
    """The stride and what it has in common with the number of banks; nothing where it is not constant, or zero."""
    stride, where = _stride(access)
    size = granule_bytes(access)
    if not stride or stride % size:
        return
    steps, columns, words = stride // size, granule_columns(access), size // WORD_BYTES
    factor = gcd(steps, columns)
    one = _BANKS_OF_A_LANE[words]
    way = f"{' back' if stride < 0 else ''} from lane to lane{where}"
    far = f"{counted(abs(steps), 'word')}{way}"
    if words > 1:
        far = f"{counted(abs(stride), 'byte')}{way}, {counted(abs(steps), one)} of banks"
    if factor == 1:
        meaning = f"share no factor, so {columns} lanes in a row reach every {one}"
    else:
        every = "every lane" if factor == columns else f"every {ordinal(columns // factor)} lane"
        meaning = f"share the factor {factor}, so {every} meets the same {one}"
    yield Reason("stride", f"{far}: {abs(steps)} and {columns} {one}s {meaning}", _tone(factor, conflicts))


def _tone(factor: int, conflicts: int) -> Tone:
    if factor > 1:
        return "bad" if conflicts else "plain"
    return "plain" if conflicts else "good"


def _stride(access: Access) -> tuple[int | None, str]:
    """Bytes from lane to lane, over the warp or else within every phase alike, and which of the two."""
    lanes, per_phase = pointing_lanes(access), int(lanes_per_phase(access)[0])
    over_the_warp = byte_stride(access, lanes)
    if over_the_warp is not None:
        return over_the_warp, ""
    phases = [[lane for lane in lanes if lane // per_phase == phase] for phase in {lane // per_phase for lane in lanes}]
    within = {byte_stride(access, phase) for phase in phases if len(phase) > 1}
    return (within.pop(), " within a phase") if len(within) == 1 else (None, "")
