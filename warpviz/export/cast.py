"""An animation as an asciinema cast, version 2: a header, then one [seconds, "o", written] a line.

The format: https://docs.asciinema.org/manual/asciicast/v2/
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rich.color import ColorSystem

from warpviz.export.frame import Cell, Frame, cells_of, runs

_HIDE_CURSOR, _SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
_CLEAR = "\x1b[0m\x1b[2J"
_LAST_FRAME_S = 2.0  # how long the end stands, for a player that begins again


def cast(frames: Iterable[Frame], frame_s: float, size: tuple[int, int], title: str, colours: ColorSystem) -> str:
    """The cast of frames that stand `frame_s` seconds each. size: their columns and rows.
    colours: how many a terminal has to show.

    The first frame is written whole, of each later one the part of its rows that differs.
    """
    width, height = size
    header = {"version": 2, "width": width, "height": height, "title": title}
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *_events(frames, frame_s, colours)))


def _events(frames: Iterable[Frame], frame_s: float, colours: ColorSystem) -> Iterator[tuple[float, str, str]]:
    seconds, start = 0.0, _HIDE_CURSOR + _CLEAR
    before: list[list[Cell]] = []
    for number, frame in enumerate(frames):
        seconds = round(number * frame_s, 6)
        after = [cells_of(row) for row in frame]
        if written := start + "".join(_changed(before, after, colours)):
            yield seconds, "o", written
        before, start = after, ""
    yield round(seconds + _LAST_FRAME_S, 6), "o", f"\x1b[0m\x1b[{max(len(before), 1)};1H{start}{_SHOW_CURSOR}"


def _changed(before: list[list[Cell]], after: list[list[Cell]], colours: ColorSystem) -> Iterator[str]:
    """What turns one frame on a terminal into the next: of each row that differs the first to the last such column."""
    for y, row in enumerate(after):
        start, end = _changed_span(before[y] if y < len(before) else [], row)
        if start < end:
            written = "".join(style.render(text, color_system=colours) for text, style in runs(row[start:end]))
            yield f"\x1b[{y + 1};{start + 1}H{written}"


def _changed_span(old: list[Cell], new: list[Cell]) -> tuple[int, int]:
    """The first differing column and the one behind the last; equal when none differs. Cuts no broad character."""
    differing = [x for x, cell in enumerate(new) if x >= len(old) or cell != old[x]]
    if not differing:
        return 0, 0
    start, end = differing[0], differing[-1] + 1
    while start > 0 and not new[start].text:
        start -= 1
    while end < len(new) and not new[end].text:
        end += 1
    return start, end
