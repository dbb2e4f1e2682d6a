"""What a frame costs: bytes written to the terminal and processor time, beside a full repaint; and key to repaint."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from tests.terminal import Terminal

_FRAMES = 60
_TURNS = 40
_UP, _DOWN = "\x1b[A", "\x1b[B"
_VIEWS = {
    "s[k*lane] k=32": ["-e", "s[k*lane]", "--set", "k=32"],
    "float4, k=4": ["-e", "((float4*)s)[k*lane]", "--set", "k=4"],
    "in[k*lane] k=8": ["-e", "in[k*lane]", "--set", "k=8", "--space", "global"],
}


def report() -> list[str]:
    """A line for each view at 100x30.

    kB and CPU ms a step (its key included), what is written while paused, and the time from turning a knob to the last
    byte of the new picture (95th percentile).
    """
    return [f"{name:<16} {_line(arguments)}" for name, arguments in _VIEWS.items()]


def _line(arguments: list[str]) -> str:
    with Terminal([sys.executable, "-m", "warpviz", *arguments], 100, 30, {}) as terminal:
        terminal.until(lambda screen: any("lane" in row for row in screen))
        terminal.send("$")  # to the end of the animation that plays on opening
        terminal.until_quiet()
        paused = _bytes_written(terminal, lambda: time.sleep(1.0))
        cpu = terminal.cpu_seconds()
        frame = _bytes_written(terminal, lambda: _step_through(terminal)) / _FRAMES
        cpu_ms = (terminal.cpu_seconds() - cpu) * 1000 / _FRAMES
        answers = sorted(terminal.seconds_to_answer(_UP if turn % 2 else _DOWN) for turn in range(_TURNS))
        terminal.resize(101, 30)
        terminal.until_quiet()
        full = _bytes_written(terminal, lambda: terminal.resize(100, 30))
    key_ms = answers[_TURNS * 95 // 100] * 1000
    return (
        f"{frame / 1000:5.2f} kB   {cpu_ms:4.1f} ms CPU a frame   {frame / full:.2f} x a full repaint "
        f"({full / 1000:.1f} kB)   {paused} bytes a second paused   {key_ms:.0f} ms key to repaint"
    )


def _bytes_written(terminal: Terminal, action: Callable[[], None]) -> int:
    before = terminal.bytes_written
    action()
    terminal.until_quiet()
    return terminal.bytes_written - before


def _step_through(terminal: Terminal) -> None:
    for frame in range(_FRAMES):
        terminal.send("\x1b[C" if frame % 14 < 7 else "\x1b[D")
        terminal.until_quiet(0.05)
