"""The replay's state: one frozen ReplayView of one block's accesses, and pure functions from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.counting import LineKind, Recorded
from warpviz.tui.state.animation import SPEEDS
from warpviz.tui.state.replay_trace import Ints, Trace
from warpviz.tui.state.scrolling import follow

_START_SPEED = 3

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class Replayed:
    """What is replayed. name: of the kernel. lines: of its file. grid, block: blocks and threads along x, y, z. arch:
    such as sm_90."""

    name: str
    lines: tuple[str, ...]
    grid: Dim3
    block: Dim3
    arch: str

    @property
    def blocks(self) -> int:
        """In the grid."""
        x, y, z = self.grid
        return x * y * z

    @property
    def threads(self) -> int:
        """Of a block."""
        x, y, z = self.block
        return x * y * z

    @property
    def warps(self) -> int:
        """Of a block."""
        return -(-self.threads // LANES)


@dataclass(frozen=True, eq=False)
class ReplayView:
    """What is on the replay's screen.

    trace: of the block that is shown; None before there is one. position: the access of now, from 0. warp: the one
    whose accesses alone are stepped through; None for all. speed: an index into SPEEDS. top: the first row of shared
    memory in sight. awaited: the block that is being recorded, by its place in the grid; None when none is. notice: a
    sentence about the last key. complaint: why the awaited block could not be recorded.
    """

    kernel: Replayed
    trace: Trace | None = None
    position: int = 0
    warp: int | None = None
    playing: bool = False
    speed: int = _START_SPEED
    top: int = 0
    awaited: int | None = None
    notice: str = ""
    complaint: str = ""

    @property
    def now(self) -> Recorded | None:
        """The access of now; None when there is none at all."""
        return self.trace.accesses[self.position] if self.trace is not None and self.trace.count else None

    @property
    def block(self) -> int:
        """The block that is shown, or waited for, by its place in the grid."""
        return self.trace.block if self.trace is not None else self.awaited or 0

    @property
    def line_kind(self) -> LineKind | None:
        """The line of now, and what kind of access of it."""
        return self.trace.lines[self.trace.line[self.position]] if self.trace and self.trace.count else None


def recorded(view: ReplayView, trace: Trace, at: LineKind | None) -> ReplayView:
    """With another block's accesses, at the same place of the kernel as before, or at the first access of `at`."""
    wanted = view.line_kind or at
    view = replace(view, trace=trace, awaited=None, playing=False, notice="", complaint="", top=0)
    if view.warp is not None and view.warp not in trace.warps:
        view = replace(view, warp=None)
    notice = "" if trace.count else f"block {trace.block:,} accesses no memory"
    position = min(view.position, max(trace.count - 1, 0))
    if wanted is not None and trace.count and trace.lines[trace.line[position]] != wanted:
        places = _of_line(trace, wanted)
        position = int(places[0]) if places.size else 0
        notice = "" if places.size else f"block {trace.block:,} does not come to line {wanted.line}"
    return _nearest(replace(view, position=position, notice=notice))


def step(view: ReplayView, by: int) -> ReplayView:
    """Pause so many accesses further on, or at the nearer end."""
    return _along(view, _stepped(view), by)


def step_line(view: ReplayView, by: int) -> ReplayView:
    """Pause so many accesses of the same line and kind further on."""
    if view.trace is None or view.line_kind is None:
        return view
    places = _stepped(view)
    places = places[view.trace.line[places] == view.trace.line[view.position]]
    at = int(np.searchsorted(places, view.position))
    if not 0 <= at + by < len(places):
        which = "last" if by > 0 else "first"
        return replace(view, playing=False, notice=f"the {which} {_named(view.line_kind)} of {_whose(view)}")
    return _along(view, places, by)


def step_barrier(view: ReplayView, by: int) -> ReplayView:
    """Pause behind the next barrier; or, back, behind the last one; from right behind it, behind the one before."""
    trace = view.trace
    if trace is None or not trace.count:
        return view
    starts = [0, *(barrier for barrier in trace.barriers if 0 < barrier < trace.count)]
    ahead = [start for start in starts if (start > view.position if by > 0 else start < view.position)]
    if not ahead:
        which = "after the last barrier" if by > 0 else "before the first barrier"
        return replace(view, playing=False, notice=f"this is {which}" if len(starts) > 1 else "there is no barrier")
    return _nearest(replace(view, position=ahead[0] if by > 0 else ahead[-1], playing=False))


def first(view: ReplayView) -> ReplayView:
    """Pause at the first access."""
    return go_to(view, 0)


def last(view: ReplayView) -> ReplayView:
    """Pause at the last access."""
    return go_to(view, view.trace.count - 1 if view.trace else 0)


def go_to(view: ReplayView, position: int) -> ReplayView:
    """Pause at this access, or at the nearest one that is stepped through."""
    count = view.trace.count if view.trace else 0
    return _nearest(replace(view, position=min(max(position, 0), max(count - 1, 0)), playing=False))


def go_to_writer(view: ReplayView, word: int) -> ReplayView:
    """Pause at the access that wrote a word of shared memory last. word: its number from the start of the memory."""
    if view.trace is None or view.trace.words is None:
        return view
    writer = int(view.trace.words.of(np.array([word]), view.position)[1][0])
    if writer < 0:
        return replace(view, playing=False, notice=f"nobody has written word {word:,} yet")
    warp = None if view.warp != view.trace.warp[writer] else view.warp
    return go_to(replace(view, warp=warp, notice=f"word {word:,} was written here"), writer)


def choose_warp(view: ReplayView, by: int) -> ReplayView:
    """Step through the accesses of the next warp alone; behind the last one through those of all again."""
    if view.trace is None or not view.trace.count:
        return view
    choices: list[int | None] = [None, *view.trace.warps]
    warp = choices[(choices.index(view.warp) + by) % len(choices)]
    return _nearest(replace(view, warp=warp, playing=False))


def play_or_pause(view: ReplayView) -> ReplayView:
    """Pause; or play on, from the beginning when at the end."""
    if view.playing or view.now is None:
        return replace(view, playing=False)
    start = first(view) if at_end(view) else view
    return replace(start, playing=True)


def advance(view: ReplayView) -> ReplayView:
    """One access of the running replay; it pauses at the end."""
    after = step(view, 1)
    return replace(after, playing=view.playing and not at_end(after))


def at_end(view: ReplayView) -> bool:
    """Whether no access comes after this one."""
    places = _stepped(view)
    return not places.size or view.position >= int(places[-1])


def change_speed(view: ReplayView, by: int) -> ReplayView:
    """Faster or slower, within SPEEDS."""
    return replace(view, speed=min(max(view.speed + by, 0), len(SPEEDS) - 1))


def scroll(view: ReplayView, rows: int, body: int) -> ReplayView:
    """So many rows of shared memory further down. body: rows that fit."""
    return replace(view, top=min(max(view.top + rows, 0), max(_rows(view) - body, 0)))


def in_sight(view: ReplayView, body: int) -> ReplayView:
    """Scrolled so that the first row that the access of now touches in shared memory is among the rows that fit."""
    row = first_row_of_now(view)
    return replace(view, top=follow(view.top, view.top if row is None else row, max(body, 1), _rows(view)))


def first_row_of_now(view: ReplayView) -> int | None:
    """The first row of shared memory that the access of now touches; None when it touches none."""
    now = view.now
    if now is None or now.kind.space != "shared" or not now.active.any():
        return None
    return int(now.addresses[now.active].min()) // (LANES * 4)


def _rows(view: ReplayView) -> int:
    return view.trace.words.rows if view.trace and view.trace.words else 0


def _of_line(trace: Trace, wanted: LineKind) -> Ints:
    """The places of a line's accesses of a kind; where there is none, of any kind."""
    exact = [number for number, kind in enumerate(trace.lines) if kind == wanted]
    alike = exact or [number for number, kind in enumerate(trace.lines) if kind.line == wanted.line]
    return np.flatnonzero(np.isin(trace.line, alike))


def _stepped(view: ReplayView) -> Ints:
    """The places of the accesses that are stepped through."""
    return np.empty(0, dtype=np.int64) if view.trace is None else _places_of(view.trace, view.warp)


@lru_cache(maxsize=2)
def _places_of(trace: Trace, warp: int | None) -> Ints:
    """The places of a warp's accesses; of all for None."""
    return np.arange(trace.count) if warp is None else np.flatnonzero(trace.warp == warp)


def _along(view: ReplayView, places: Ints, by: int) -> ReplayView:
    """So many of some places further on, from that of now."""
    if not places.size:
        return view
    at = int(np.searchsorted(places, view.position)) + by
    return replace(view, position=int(places[min(max(at, 0), len(places) - 1)]), playing=False)


def _nearest(view: ReplayView) -> ReplayView:
    """At the first access from that of now on that is stepped through; at the last one where none comes."""
    return _along(view, _stepped(view), 0)


def _named(kind: LineKind) -> str:
    return f"{kind.space} {kind.op} of line {kind.line}"


def _whose(view: ReplayView) -> str:
    return "the block" if view.warp is None else f"warp {view.warp}"
