"""Start to first paint on a pseudo-terminal, beside a bare Textual app."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from tests.terminal import Terminal

_BARE = [sys.executable, str(Path(__file__).with_name("bare_app.py"))]
_PROGRAMS = {
    "bare Textual app": (_BARE, "bare"),
    "warpviz (gallery)": ([sys.executable, "-m", "warpviz"], "A stride through shared memory"),
    "warpviz stride": ([sys.executable, "-m", "warpviz", "stride"], "s[k*lane]"),
    "warpviz -e": ([sys.executable, "-m", "warpviz", "-e", "s[k*lane]", "--set", "k=8"], "s[k*lane]"),
}


def report(repeats: int = 9) -> list[str]:
    """A line for each program: the median seconds to its first paint and the ratio to the bare app's."""
    seconds: dict[str, list[float]] = {name: [] for name in _PROGRAMS}
    for _ in range(repeats):
        for name, (command, marker) in _PROGRAMS.items():
            seconds[name].append(_seconds_to(command, marker))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    bare = medians["bare Textual app"]
    return [f"{name:<20} {median * 1000:6.0f} ms   {median / bare:.2f} x" for name, median in medians.items()]


def _seconds_to(command: list[str], marker: str) -> float:
    with Terminal(command, 100, 30, {}) as terminal:
        return terminal.until(lambda screen: any(marker in row for row in screen))
