"""What is said of the access of now: where it stands in the block's time and in the source, and what it costs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
from textual.strip import Strip

from warpviz.hardware import LANES, SECTOR_BYTES, WORD_BYTES
from warpviz.model import Schedule, schedule
from warpviz.tui.render import picture
from warpviz.tui.render.facts import Tone, tone_style
from warpviz.tui.render.picture import Canvas
from warpviz.tui.render.replay_words import hue_of_lane, meaning_parts, writer_parts
from warpviz.tui.render.text import Look, Part, between, cut, flow, length, printable, strip_of
from warpviz.tui.rows import Colour, MemoryRow, Row, fullest_banks, rows_of
from warpviz.tui.state import SPEEDS
from warpviz.tui.state.replay import ReplayView
from warpviz.tui.state.replay_trace import UNITS, Trace
from warpviz.wording import counted, plural

_VERBS = {
    "ld": "load",
    "st": "store",
    "atom": "atomic",
    "red": "reduction",
    "ldmatrix": "ldmatrix",
    "copy": "asynchronous copy",
}
_SPACES = {"const": "constant"}  # where the word is another one than the data's
_TAB_COLUMNS = 4
_NUMBER = 6  # columns for a line's number and its mark


def title_strip(view: ReplayView, width: int, look: Look) -> Strip:
    """The kernel, and which of its blocks is replayed."""
    bar, kernel = look.palette.bar, view.kernel
    x, y, _ = kernel.grid
    places = (view.block % x, view.block // x % y, view.block // (x * y))
    axes = 3 if kernel.grid[2] > 1 else 2 if kernel.grid[1] > 1 else 1
    index = f" ({', '.join(map(str, places[:axes]))})" if axes > 1 else ""
    grid = " x ".join(f"{size:,}" for size in kernel.grid[:axes])
    left: list[Part] = [
        (f" {printable(kernel.name)}", look.palette.strong),
        (f"  {look.glyphs.right} block {view.block:,}{index} of {grid}", bar),
    ]
    right: list[Part] = [(f"{counted(kernel.warps, 'warp')} {look.glyphs.dot} {kernel.arch} ", bar)]
    right = right if length(left) + length(right) + 1 < width else []
    return strip_of([(text, style + bar) for text, style in between(left, right, width, look)], width, look, bar)


def position_strip(view: ReplayView, width: int, look: Look) -> Strip:
    """Which access it is, whose, and between which barriers; whose accesses are stepped through, and how fast."""
    palette, trace, now = look.palette, view.trace, view.now
    if trace is None or now is None:
        return strip_of([(f" {printable(_waiting(view))}", palette.strong)], width, look)
    mark = look.glyphs.play if view.playing else look.glyphs.pause
    kept = "first " if trace.is_full else ""
    pieces = [
        f"access {view.position + 1:,} of {kept}{trace.count:,}",
        f"warp {now.warp}",
        f"iteration {now.iteration}",
        _between_barriers(trace, view.position),
    ]
    whose = "all warps" if view.warp is None else f"warp {view.warp} only"
    pace = f"{SPEEDS[view.speed]:g} a second" if view.playing else whose
    right: list[Part] = [(f" {pace} ", palette.text if view.warp is None or view.playing else palette.chosen)]
    left: list[Part] = [(f" {mark}", palette.strong)]
    for index, piece in enumerate(pieces):
        part = (f"{'  ' if index else ' '}{piece}", palette.strong if index < 2 else palette.text)
        if length([*left, part]) + length(right) < width:
            left.append(part)
    return strip_of(between(left, right, width, look), width, look)


def _waiting(view: ReplayView) -> str:
    if view.complaint:
        return view.complaint
    if view.awaited is not None:
        return f"recording block {view.awaited:,}; esc leaves"
    return f"block {view.block:,} accesses no memory"


def _between_barriers(trace: Trace, position: int) -> str:
    """How many times the block has met before this access."""
    if not trace.barriers:
        return "no barrier"
    passed = bisect_right(trace.barriers, position)
    if not passed:
        return f"before {counted(len(trace.barriers), 'barrier')}"
    return f"after barrier {passed:,} of {len(trace.barriers):,}"


def source_strips(view: ReplayView, width: int, height: int, look: Look) -> list[Strip]:
    """The line of now, whole where it fits, among its neighbours."""
    lines, now = view.kernel.lines, view.now
    line = now.kind.line if now is not None else 0
    if now is None or not 0 < line <= len(lines):
        said = f" no line is known of this {now.kind.name}" if now else ""
        return [strip_of([(said, look.palette.quiet)], width, look)]
    own = _source_lines(lines[line - 1], line, True, width, look)
    if len(own) > height:
        own = _source_lines(lines[line - 1], line, True, width, look, whole=False)
    above = min((height - len(own)) // 2, line - 1)
    below = min(height - len(own) - above, len(lines) - line)
    above = min(height - len(own) - below, line - 1)
    others = [_source_lines(lines[i], i + 1, False, width, look)[0] for i in range(line - 1 - above, line + below)]
    return [*others[:above], *own, *others[above + 1 :]]


@lru_cache(maxsize=256)
def _source_lines(
    text: str, number: int, is_now: bool, width: int, look: Look, whole: bool | None = None
) -> list[Strip]:
    """A line of the source: on as many lines as it needs, or cut. whole: when left out, that of now is."""
    palette = look.palette
    code = printable(text.expandtabs(_TAB_COLUMNS).rstrip())
    style = palette.strong if is_now else palette.quiet
    mark = look.glyphs.play if is_now else " "
    lead: Part = (f"{mark}{number:>{_NUMBER - 2}} ", palette.strong if is_now else palette.dim)
    if not (is_now if whole is None else whole):
        return [strip_of(cut([lead, (code, style)], width, look), width, look)]
    indent = " " * (len(code) - len(code.lstrip()))
    room = width - _NUMBER - len(indent)
    wrapped = flow([(code.lstrip(), style)], room) if room > _NUMBER else [[(code.lstrip(), style)]]
    leads = [lead, *[(" " * _NUMBER, style)] * (len(wrapped) - 1)]
    return [
        strip_of([first, (indent, style), *line], width, look) for first, line in zip(leads, wrapped, strict=True)
    ] or [strip_of([lead], width, look)]


def cost_strip(view: ReplayView, width: int, look: Look) -> Strip:
    """What the access of now does, and what it costs: as much of it as fits, the most telling first."""
    trace, now = view.trace, view.now
    if trace is None or now is None:
        return strip_of([], width, look)
    parts: list[Part] = []
    for text, tone in ((_does(trace, view.position), "strong"), *_costs(trace, view.position)):
        part = (f"{'   ' if parts else ' '}{printable(text)}", tone_style(look.palette, tone))
        if not parts or length([*parts, part]) <= width:
            parts.append(part)
    return strip_of(cut(parts, width, look), width, look)


def _does(trace: Trace, position: int) -> str:
    """Such as "shared store to tile"."""
    recorded, line = trace.accesses[position], trace.lines[trace.line[position]]
    space = _SPACES.get(recorded.kind.space, recorded.kind.space)
    name = trace.named_at(recorded.kind.space, int(recorded.addresses[recorded.active].min())).name
    way = "from" if recorded.kind.op in ("ld", "ldmatrix") else "to"
    return f"{space} {_VERBS[line.op]}{f' {way} {name}' if name else ''}"


def _costs(trace: Trace, position: int) -> list[tuple[str, Tone]]:
    recorded = trace.accesses[position]
    space = recorded.kind.space
    cost, ideal, used = (int(each[position]) for each in (trace.cost, trace.ideal, trace.used))
    tone: Tone = "bad" if cost > ideal else "good"
    lanes = int(np.count_nonzero(recorded.active))
    said: list[tuple[str, Tone]] = [(counted(cost, UNITS[space]), tone)]
    if space == "shared":
        said.append((counted(cost - ideal, "conflict"), tone))
    if space in ("shared", "global"):
        said.append((f"ideal {ideal}", "text"))
    if lanes < LANES:
        said.append((counted(lanes, "lane"), "text"))
    if space == "global":
        said.append((f"{used:,} of {cost * SECTOR_BYTES:,} bytes used", "text"))
    said.append((f"{counted(recorded.kind.width, 'byte')} a lane", "text"))
    return said


@lru_cache(maxsize=64)
def _drawn(trace: Trace, position: int) -> tuple[Schedule, tuple[Row, ...]] | None:
    """How an access is served, and the rows of its picture; None for local memory."""
    access = trace.access(position)
    if access is None:
        return None
    served = schedule(access)
    hues = hue_of_lane(trace, position)
    return served, tuple(_recoloured(row, hues) for row in rows_of(served))


def _recoloured(row: Row, hues: Mapping[int, int]) -> Row:
    """With each block in the colour that its word has in shared memory; as it is when it lies in other memory."""
    if not hues or not isinstance(row, MemoryRow):
        return row
    blocks = (replace(one, colour=Colour(hues.get(one.lanes[0], 0), one.lanes[0] & 1)) for one in row.blocks)
    return replace(row, blocks=tuple(blocks))


@lru_cache(maxsize=8)
def rows_wanted(trace: Trace) -> int:
    """About how many rows the picture of any of the block's accesses has: a row for each pass or request and for each
    phase of several, or for each line of neighbouring sectors."""
    several = np.array([kind.space == "shared" and kind.width > WORD_BYTES for kind in trace.lines])
    sectors = np.array([kind.space == "global" for kind in trace.lines])
    rows = np.where(sectors[trace.line], -(-trace.cost // 4) + 1, trace.cost * (1 + several[trace.line]))
    return int(rows.max(initial=1))


def access_strips(view: ReplayView, canvas: Canvas, height: int) -> list[Strip]:
    """The access of now as the explorer draws it, everything served: a row for each pass, line or request, as many as
    there is room for."""
    look, trace = canvas.look, view.trace
    if trace is None or view.now is None or height < 1:
        return []
    drawn = _drawn(trace, view.position)
    if drawn is None:
        own = " local memory: every thread has its own, and no bank or array of it is known"
        return [strip_of(cut([(own, look.palette.quiet)], canvas.width, look), canvas.width, look)]
    served, rows = drawn
    shown = [picture.heading_strip(canvas, served.unit, fullest_banks(served), frozenset())]
    room = height - 1
    kept = rows if len(rows) <= room else rows[: room - 1]
    shown += [picture.row_strip(canvas, row, len(served.steps) + 2, frozenset()) for row in kept]
    if len(kept) < len(rows):
        left = sum(isinstance(row, MemoryRow) for row in rows[len(kept) :])
        noun = {"pass": "pass", "sector": "line", "request": "request"}[served.unit]
        more = f" {look.glyphs.skipped} {left} more {plural(left, noun)}"
        shown.append(
            strip_of([(more.rjust(canvas.geometry.label + len(more)), look.palette.quiet)], canvas.width, look)
        )
    return shown


def status_strip(view: ReplayView, body: int, width: int, look: Look) -> Strip:
    """What shared memory holds, which of its rows are in sight, and what they look like; or what was just said."""
    palette, trace = look.palette, view.trace
    said = view.notice or (_waiting(view) if view.awaited is not None or view.complaint else "")
    if said and view.now is not None:
        style = palette.bad if view.complaint and not view.notice else palette.good
        return strip_of(cut([(f" {printable(said)}", style)], width, look), width, look)
    if trace is None or trace.words is None:
        return strip_of([], width, look)
    held = int(trace.words.held[view.position])
    left: list[Part] = [(f" {held:,} bytes wait to be read", palette.strong)]
    rows: list[Part] = []
    if trace.words.rows > body > 0:
        seen = f"   rows {view.top + 1}-{min(view.top + body, trace.words.rows)} of {trace.words.rows}"
        rows = [(seen, palette.text)]
    what, whose = meaning_parts(look), writer_parts(trace, look)
    ways = ((left + rows, what + whose), (left, what + whose), (left, what), (left, whose))
    left, right = next((way for way in ways if length(way[0] + way[1]) + 2 < width), (left + rows, []))
    return strip_of(between(left, right, width, look), width, look)
