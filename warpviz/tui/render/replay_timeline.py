"""The timeline of a replayed block: how full shared memory is and where accesses are dear, with barriers marked."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from textual.strip import Strip

from warpviz.tui.render.text import Look, Part, strip_of
from warpviz.tui.state.replay_trace import Ints, Trace


def position_at(trace: Trace, width: int, x: int) -> int:
    """The first access that column x of the timeline stands for."""
    return min(max(x, 0) * trace.count // width, max(trace.count - 1, 0))


def column_of(trace: Trace, width: int, position: int) -> int:
    """The column that stands for an access; the middle one of several."""
    first, last = _columns_of(trace, width, position)
    return (first + last) // 2


def _columns_of(trace: Trace, width: int, position: int) -> tuple[int, int]:
    """The first and the last column that stand for an access."""
    last = -(-(position + 1) * width // trace.count) - 1
    return min(-(-position * width // trace.count), last), last


@lru_cache(maxsize=8)
def chart_strips(trace: Trace, width: int, height: int, look: Look) -> list[Strip]:
    """A column for so many accesses each: as high as the bytes of shared memory that then wait to be read, at most;
    without shared memory, as the cost. It is red where an access costs more than its ideal."""
    if not trace.count:
        return [strip_of([], width, look)] * height
    heights = _levels(trace, width, height * len(look.glyphs.levels))
    starts = _starts(trace, width)
    dear = np.maximum.reduceat(trace.cost > trace.ideal, starts)
    strips = []
    for row in reversed(range(height)):
        parts: list[Part] = []
        for level, is_dear in zip(heights.tolist(), dear.tolist(), strict=True):
            filled = min(max(level - row * len(look.glyphs.levels), 0), len(look.glyphs.levels))
            text = look.glyphs.levels[filled - 1] if filled else " "
            parts.append((text, look.palette.bad if is_dear else look.palette.quiet))
        strips.append(strip_of(parts, width, look))
    return strips


def tick_strip(trace: Trace, width: int, position: int, look: Look) -> Strip:
    """Under it: where the block meets at barriers, and where it is now."""
    palette, glyphs = look.palette, look.glyphs
    marks = dict.fromkeys(_barrier_columns(trace, width), (glyphs.column_rule, palette.text))
    marks[column_of(trace, width, position)] = (glyphs.place, palette.strong)
    line = (glyphs.row_rule, palette.faint)
    return strip_of([marks.get(x, line) for x in range(width)], width, look)


@lru_cache(maxsize=8)
def _barrier_columns(trace: Trace, width: int) -> tuple[int, ...]:
    return tuple(_columns_of(trace, width, barrier)[0] for barrier in trace.barriers if barrier < trace.count)


def _starts(trace: Trace, width: int) -> Ints:
    """The first access that each column stands for."""
    return np.arange(width, dtype=np.int64) * trace.count // width


def _levels(trace: Trace, width: int, most: int) -> Ints:
    """The height of each column, from 1 to `most`."""
    values = trace.cost if trace.words is None else trace.words.held
    highest = np.maximum.reduceat(values, _starts(trace, width))
    levels: Ints = 1 + (highest * (most - 1) + values.max() // 2) // max(int(values.max()), 1)
    return levels
