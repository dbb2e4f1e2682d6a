"""How a pattern is laid out over more than L2 holds, and how it is timed beside a plain copy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gpu.listings import routine_of
from tests.gpu.samples import stride
from warpviz.gpu import Bandwidth, Unavailable
from warpviz.gpu.bandwidth import COPIED_A_BLOCK, COPIES_A_BLOCK, Layout, copied_bytes, lay_out, time_global
from warpviz.gpu.code.sass import memory_instruction
from warpviz.gpu.kernels import Source, copy_kernel, kernel_text
from warpviz.gpu.limits import Limits

MIB = 1 << 20


@pytest.mark.parametrize(("step", "pitch"), [(4, 128), (8, 256), (128, 4096), (136, 4096 + 128)])
def test_copies_lie_side_by_side_and_move_many_times_what_l2_holds(step: int, pitch: int) -> None:
    pattern = stride(step, space="global")
    layout = lay_out(pattern, 60 * MIB, 16 << 30)
    assert isinstance(layout, Layout)
    assert layout.pitch == pitch
    moved = layout.copies * 32 * pattern.distinct_sectors()
    assert 15 * 60 * MIB < moved <= 16 * 60 * MIB
    assert layout.copies % COPIES_A_BLOCK == 0


def test_little_memory_makes_fewer_copies() -> None:
    layout = lay_out(stride(4, space="global"), 60 * MIB, 100 * MIB)
    assert isinstance(layout, Layout)
    assert layout.size <= 100 * MIB


@pytest.mark.parametrize(
    ("step", "available", "told"),
    [(1 << 22, 1 << 34, "takes 130,023,552 bytes"), (4, 50 * MIB, "52,428,800 bytes of GPU memory can be used")],
)
def test_what_fits_into_l2_is_not_measured(step: int, available: int, told: str) -> None:
    layout = lay_out(stride(step, space="global"), 60 * MIB, available)
    assert isinstance(layout, Unavailable)
    assert "no more than L2 holds" in layout.reason
    assert told in layout.reason


@given(size=st.integers(1 << 20, 1 << 36), l2_bytes=st.integers(1 << 20, 1 << 27))
def test_a_plain_copy_stays_in_the_memory_and_moves_no_more_than_a_pattern(size: int, l2_bytes: int) -> None:
    copied = copied_bytes(size, l2_bytes)
    assert copied % COPIED_A_BLOCK == 0
    assert min(size, 16 * l2_bytes) - 2 * COPIED_A_BLOCK < 2 * copied <= min(size, 16 * l2_bytes)


def numbers_in(file: str, *names: str) -> list[int]:
    text = kernel_text(file)
    return [int(found[1]) for name in names if (found := re.search(rf"constexpr int {name} = (\d+);", text))]


def test_a_block_does_as_much_as_python_counts() -> None:
    warps, copies = numbers_in("global.cu", "WARPS", "COPIES_A_WARP")
    assert warps * copies == COPIES_A_BLOCK
    (threads,) = numbers_in("copy.cu", "COPY_THREADS")
    assert (threads, threads * 16) == (32 * warps, COPIED_A_BLOCK)


@pytest.mark.parametrize("arch", ["sm_75", "sm_90", "sm_100"])
def test_a_thread_of_the_plain_copy_moves_16_bytes(arch: str) -> None:
    made = Counter(
        (memory.op, memory.width)
        for instruction in routine_of(copy_kernel(), "copy", arch).instructions
        if (memory := memory_instruction(instruction.opcode)) is not None and memory.space == "global"
    )
    assert made == {("ld", 16): 1, ("st", 16): 1}


class RecordingDevice:
    """A GPU with a clock that runs slower and slower: a launch takes 1 ms more than the one before."""

    l2_bytes = 60 * MIB

    def __init__(self, free: int = 2 << 30) -> None:
        self.free = free
        self.launched: list[str] = []
        self.bytes_of: dict[str, int] = {}
        self.allocated = (0, 0)

    def limits(self) -> Limits:
        return Limits(shared_bytes=1, constant_bytes=1, global_bytes=self.free)

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        start = 1 << 40
        self.allocated = (start, start + size)
        yield start

    def launch(self, source: Source, kernel: str, *arguments: Any, blocks: int, threads: int) -> None:
        assert threads == 256
        self.launched.append(kernel)
        if kernel == "copy":
            begin, end = (argument.value for argument in arguments)
            assert self.allocated[0] <= begin < end
            assert end + blocks * COPIED_A_BLOCK <= self.allocated[1]
            self.bytes_of[kernel] = 2 * blocks * COPIED_A_BLOCK

    def seconds(self, start: Callable[[], None]) -> float:
        start()
        return len(self.launched) / 1000


def timed(device: RecordingDevice, pattern: Any = None) -> tuple[Bandwidth | Unavailable, list[int]]:
    """The bandwidth, and how many launches there were when half of them were done."""
    halfway: list[int] = []
    pattern = pattern or stride(4, space="global")
    bandwidth = time_global(device, pattern, lambda: halfway.append(len(device.launched)))  # type: ignore[arg-type]
    return bandwidth, halfway


def test_pattern_and_copy_alternate_and_each_follows_itself() -> None:
    device = RecordingDevice()
    bandwidth, halfway = timed(device)
    assert isinstance(bandwidth, Bandwidth)
    turn = ["stream", "stream", "copy", "copy"]
    assert device.launched == turn * (1 + bandwidth.repeats)
    assert len(halfway) == 1
    assert 0.3 * len(device.launched) < halfway[0] < 0.6 * len(device.launched)


def test_median_and_spread_are_those_of_the_repeats() -> None:
    device = RecordingDevice()
    bandwidth, _ = timed(device)
    assert isinstance(bandwidth, Bandwidth)
    launches = [4 + 4 * number + 2 for number in range(7)]  # by when a repeat of the pattern is done
    assert bandwidth.seconds == launches[3] / 1000
    assert bandwidth.spread == pytest.approx((launches[-1] - launches[0]) / launches[3])
    copy_seconds = (launches[3] + 2) / 1000
    assert bandwidth.copy_gb_per_second == pytest.approx(device.bytes_of["copy"] / copy_seconds / 1e9)
    assert bandwidth.copy_spread == pytest.approx(24 / (launches[3] + 2))


def test_a_gpu_that_is_full_measures_nothing() -> None:
    device = RecordingDevice(free=4 * MIB)
    bandwidth, halfway = timed(device)
    assert isinstance(bandwidth, Unavailable)
    assert (device.launched, halfway) == ([], [])
