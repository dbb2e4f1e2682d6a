"""The shared memory of a replayed block: its words in the columns of their banks, filling and emptying."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from rich.style import Style
from textual.strip import Strip

from warpviz.hardware import LANES, LINE_BYTES, WORD_BYTES
from warpviz.tui.palette import HUES
from warpviz.tui.render.geometry import GROUP
from warpviz.tui.render.picture import Canvas
from warpviz.tui.render.text import Look, Part, cut, strip_of
from warpviz.tui.state.replay import ReplayView
from warpviz.tui.state.replay_trace import Trace
from warpviz.tui.state.replay_words import EMPTY, FRESH, KEPT, SPENT, UNKNOWN, touched_grains

_HOLDS = 5  # different things that a word can hold
_LEAST_NOTE = 12  # columns
_DIGITS = "0123456789abcdefghijklmnopqrstuv"

Touching = tuple[int, int, bool]  # a column, the lowest lane that touches its word now, whether others do too


def word_strips(view: ReplayView, canvas: Canvas, height: int) -> list[Strip]:
    """The rows in sight after the access of now. Words are coloured by the line that wrote them."""
    trace = view.trace
    if trace is None or trace.words is None:
        return []
    rows = max(min(height, trace.words.rows - view.top), 0)
    holds, writer = trace.words.at(view.position, view.top, rows)
    hues = np.where(writer >= 0, hue_of_line(trace)[trace.line[writer]], 0)
    codes = (holds + _HOLDS * hues).astype(np.uint8)
    touched = touching(trace, view.position)
    return [
        _row_strip(canvas, *_labels(trace, view.top + row), codes[row].tobytes(), touched.get(view.top + row, ()))
        for row in range(rows)
    ]


@lru_cache(maxsize=8)
def touching(trace: Trace, position: int) -> Mapping[int, tuple[Touching, ...]]:
    """By row of shared memory: the words that an access touches; none when it goes to other memory."""
    recorded = trace.accesses[position]
    access = recorded.access
    if access is None or access.space != "shared":
        return {}
    words, active = touched_grains(access, WORD_BYTES)
    lanes: dict[int, list[int]] = {}
    for lane in np.flatnonzero(active[0]).tolist():
        for word in words[0, lane].tolist():
            lanes.setdefault(word, []).append(lane)
    rows: dict[int, list[Touching]] = {}
    for word, some in sorted(lanes.items()):
        rows.setdefault(word // LANES, []).append((word % LANES, some[0], len(some) > 1))
    return {row: tuple(found) for row, found in rows.items()}


def hue_of_lane(trace: Trace, position: int) -> Mapping[int, int]:
    """The hue of the first word that each active lane touches in shared memory."""
    recorded = trace.accesses[position]
    if trace.words is None or recorded.kind.space != "shared":
        return {}
    lanes = np.flatnonzero(recorded.active)
    _, writer = trace.words.of(recorded.addresses[lanes] // WORD_BYTES, position)
    hues = np.where(writer >= 0, hue_of_line(trace)[trace.line[writer]], 0)
    return dict(zip(lanes.tolist(), hues.tolist(), strict=True))


@lru_cache(maxsize=8)
def hue_of_line(trace: Trace) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A hue for each of the trace's lines: the same for those of one line of the source that write shared memory."""
    writers = written_lines(trace)
    return np.array([writers.index(kind.line) % HUES if kind.line in writers else 0 for kind in trace.lines])


@lru_cache(maxsize=8)
def written_lines(trace: Trace) -> tuple[int, ...]:
    """The lines of the source that write shared memory, in the order of their first access."""
    kinds = [kind for kind in trace.lines if kind.space == "shared" and kind.op not in ("ld", "ldmatrix")]
    return tuple(dict.fromkeys(kind.line for kind in kinds))


def meaning_parts(look: Look) -> list[Part]:
    """What the words look like by what they hold."""
    parts: list[Part] = []
    for holds, means in ((FRESH, "unread"), (KEPT, "read again"), (SPENT, "done")):
        text, style = _look_of(holds, 0, look)
        parts += [(f" {text}" if style.bgcolor else text, style), (f" {means}  ", look.palette.quiet)]
    return parts


def writer_parts(trace: Trace, look: Look) -> list[Part]:
    """Which line of the source each colour stands for, when there are several."""
    lines, hues = written_lines(trace), look.palette.hues
    if len(lines) < 2:
        return []
    named: list[Part] = [(f" {line} ", hues[rank].of("served", 0)) for rank, line in enumerate(lines[:HUES])]
    return [("line ", look.palette.quiet), *named, (" ", look.palette.text)]


def _labels(trace: Trace, row: int) -> tuple[str, str]:
    """At the left of a row its first byte; and the variable that begins in it, if one does."""
    start = row * LINE_BYTES
    begins = [one.name for one in trace.named["shared"] if start <= one.start < start + LINE_BYTES]
    return f"{start:+}", " ".join(begins)


@lru_cache(maxsize=4096)
def _row_strip(canvas: Canvas, label: str, name: str, codes: bytes, touched: tuple[Touching, ...]) -> Strip:
    look, geometry = canvas.look, canvas.geometry
    palette = look.palette
    room = geometry.label - 2
    shown = name if name and len(name) <= room and geometry.note < _LEAST_NOTE else label[-room:]
    mark = look.glyphs.play if touched else " "
    parts: list[Part] = [(f"{mark}{shown:>{room}} ", palette.strong if touched else palette.quiet)]
    now = {column: (lane, several) for column, lane, several in touched}
    rule: Part = (look.glyphs.column_rule, palette.faint)
    for column, code in enumerate(codes):
        hue, holds = divmod(code, _HOLDS)
        if column % GROUP == 0:
            parts.append(rule)
        if column in now:
            parts.append(_touched(canvas, hue, *now[column]))
        else:
            text, style = _look_of(holds, hue, look)
            parts.append((text.rjust(geometry.cell), style))
    parts.append(rule)
    if name and geometry.note >= _LEAST_NOTE:
        parts += cut([(f" {name}", palette.quiet)], geometry.note, look)
    return strip_of(parts, canvas.width, look)


def _touched(canvas: Canvas, hue: int, lane: int, several: bool) -> Part:
    """A word that is touched now: the lane that touches it, underlined when more do."""
    palette, cell = canvas.look.palette, canvas.geometry.cell
    style = palette.hues[hue].of("now", lane & 1)
    text = _DIGITS[lane] if cell == 1 else str(lane).rjust(cell)
    return text, style + palette.shared if several else style


def _look_of(holds: int, hue: int, look: Look) -> tuple[str, Style]:
    """The character and the style of a word that is not touched now."""
    palette, glyphs = look.palette, look.glyphs
    if holds == EMPTY:
        return " ", palette.blank
    if holds == UNKNOWN:
        return glyphs.unequal, palette.bad
    if holds == SPENT:
        return glyphs.waiting, palette.dim
    if holds == KEPT:
        return glyphs.kept, palette.hues[hue].of("served", 1)
    style = palette.hues[hue].of("served", 0)
    return " " if style.bgcolor else glyphs.fresh, style  # a ground tells it, and more quietly
