"""Blocks of kernels, recorded, for the tests of their replay."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.compiling import compiler
from warpviz.kernel.launch import LaunchOptions, parse_launch
from warpviz.kernel.prepare import Prepared, prepare
from warpviz.kernel.source import KernelSource, read_source
from warpviz.tui.state import replay
from warpviz.tui.state.replay import Replayed, ReplayView
from warpviz.tui.state.replay_trace import Replayable, record

KERNELS = Path(__file__).parents[1] / "data" / "kernels"


@cache
def prepared(name: str) -> Prepared:
    """A kernel of tests/data/kernels."""
    return prepare(read_source(KERNELS / f"{name}.cu"), LaunchOptions(), compiler=compiler())


def prepared_text(text: str) -> Prepared:
    """A kernel of a text, its launch in the first line."""
    source = KernelSource(Path("kernel.cu"), text, tuple(parse_launch(text)))
    return prepare(source, LaunchOptions(), compiler=compiler())


@cache
def replayable(name: str, block: int = 0) -> Replayable:
    """A block of a kernel of tests/data/kernels."""
    return record(prepared(name), block, None, lambda: False)


def kernel_of(made: Prepared) -> Replayed:
    """What its replay says of it."""
    return Replayed(made.launch.name, tuple(made.lines), made.launch.grid, made.launch.block, made.arch)


def replayed(name: str, block: int = 0) -> ReplayView:
    """The replay of such a block, at its first access."""
    return replay.recorded(ReplayView(kernel_of(prepared(name))), replayable(name, block).trace, None)
