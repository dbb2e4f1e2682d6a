"""The accesses of one line of a replayed block as a scene for the explorer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from warpviz.hardware import LINE_BYTES
from warpviz.kernel.counting import Recorded
from warpviz.kernel.fitting import Fitter
from warpviz.scene import Scene, SceneAccess
from warpviz.tui.glyphs import UNICODE
from warpviz.tui.state.replay import Replayed
from warpviz.tui.state.replay_trace import Trace

_MOST = 64  # accesses of a scene
_MOST_CODE = 32  # characters of its title


def scene_at(trace: Trace, position: int, kernel: Replayed, fitter: Fitter) -> Scene | None:
    """The access at a place of the trace, and those that the same line makes after it, round to the place again: of
    those that cost the same for the same reason the first. None when no expression says what the access does.
    """
    pattern = fitter.pattern(trace.accesses[position], trace.block)
    if pattern is None:
        return None
    accesses: list[SceneAccess] = []
    taken: set[str] = set()
    for recorded in _different(trace, position):
        pattern = fitter.pattern(recorded, trace.block)
        if pattern is not None:
            name = _free(f"warp {recorded.warp}, iteration {recorded.iteration}", taken)
            accesses.append(SceneAccess(name, pattern))
        if len(accesses) == _MOST:
            break
    line = trace.accesses[position].kind.line
    name = f"{kernel.name} line {line}"
    code = " ".join(kernel.lines[line - 1].split()) if 0 < line <= len(kernel.lines) else ""
    title = f"line {line}: {shorten(code)}" if code else name
    return Scene(name, title, tuple(accesses), arch=kernel.arch)


def shorten(code: str) -> str:
    """As much of a line as a title has room for.

    >>> shorten("tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];")
    'tile[threadIdx.y][threadIdx.x]…'
    """
    return code if len(code) <= _MOST_CODE else code[: _MOST_CODE - 1].rstrip() + UNICODE.ellipsis


def _different(trace: Trace, position: int) -> Iterator[Recorded]:
    """From this place on, round to it again: of each line of addresses the first, wherever it begins in memory."""
    places = np.flatnonzero(trace.line == trace.line[position])
    at = int(np.searchsorted(places, position))
    seen: set[tuple[int, bytes, bytes]] = set()
    for place in np.roll(places, -at).tolist():
        recorded = trace.accesses[place]
        addresses = recorded.addresses[recorded.active]
        start = int(addresses[0]) // LINE_BYTES * LINE_BYTES if addresses.size else 0
        key = (recorded.kind.index, recorded.active.tobytes(), (addresses - start).tobytes())
        if key not in seen:
            seen.add(key)
            yield recorded


def _free(name: str, taken: set[str]) -> str:
    """The name; with a number where another access has it, as the line's instructions count apart."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    taken.add(free)
    return free
