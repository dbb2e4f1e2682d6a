"""What a frame costs: bytes written to the terminal and processor time, beside a full repaint; and key to repaint."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.terminal import Terminal

_FRAMES = 60
_TURNS = 40
_UP, _DOWN, _RIGHT, _LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
_WARPVIZ = [sys.executable, "-m", "warpviz"]


@dataclass(frozen=True)
class _Case:
    """command: what opens the explorer. before: keys to press first."""

    name: str
    command: list[str]
    before: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


_STRIDE = [*_WARPVIZ, "-e", "s[k*lane]", "--set", "k=32"]
_GLOBAL = [*_WARPVIZ, "-e", "in[k*lane]", "--set", "k=8", "--space", "global"]
_REDUCED = {"WARPVIZ_MOTION": "reduced"}
_CASES = (
    _Case("s[k*lane] k=32", _STRIDE),
    _Case("float4, k=4", [*_WARPVIZ, "-e", "((float4*)s)[k*lane]", "--set", "k=4"]),
    _Case("in[k*lane] k=8", _GLOBAL),
    _Case("why panel", _STRIDE, before=("w",)),
    _Case("A beside B", _STRIDE, before=("a", _UP)),
    _Case("turning a sweep", _STRIDE, before=("s",)),
    _Case("reduced motion", _STRIDE, environment=_REDUCED),
    _Case("reduced, global", _GLOBAL, environment=_REDUCED),
)
_MEASURING = _Case("while measuring", [sys.executable, "-m", "tests.bench.measuring"], before=("s", "m"))


def report() -> list[str]:
    """A line for each view at 100x30.

    kB and CPU ms a step (its key included), what is written while paused, and the time from turning a knob to the last
    byte of the new picture (95th percentile); the last also while a measurement runs.
    """
    return [*(f"{case.name:<16} {_line(case)}" for case in _CASES), f"{_MEASURING.name:<16} {_busy_line(_MEASURING)}"]


def _line(case: _Case) -> str:
    with Terminal(case.command, 100, 30, case.environment) as terminal:
        _open(terminal, case)
        paused = _bytes_written(terminal, lambda: time.sleep(1.0))
        cpu = terminal.cpu_seconds()
        frame = _bytes_written(terminal, lambda: _step_through(terminal)) / _FRAMES
        cpu_ms = (terminal.cpu_seconds() - cpu) * 1000 / _FRAMES
        answers = sorted(terminal.seconds_to_answer(_UP if turn % 2 else _DOWN) for turn in range(_TURNS))
        terminal.resize(101, 30)
        terminal.until_quiet()
        full = _bytes_written(terminal, lambda: terminal.resize(100, 30))
    return (
        f"{frame / 1000:5.2f} kB   {cpu_ms:4.1f} ms CPU a frame   {frame / full:.2f} x a full repaint "
        f"({full / 1000:.1f} kB)   {paused} bytes a second paused   {_percentile(answers):.0f} ms key to repaint"
    )


def _busy_line(case: _Case) -> str:
    """Key to repaint alone: what else is written is the measurement's progress, so the repaint is looked for."""
    with Terminal(case.command, 100, 30, case.environment) as terminal:
        _open(terminal, case)
        answers = sorted(_seconds_to_lane(terminal, turn) for turn in range(_TURNS))
    return f"{_percentile(answers):.0f} ms key to repaint"


def _seconds_to_lane(terminal: Terminal, turn: int) -> float:
    """Choose the next lane, or come back; gives the seconds until its numbers are on the screen."""
    lane = 2 - turn % 2
    pressed = time.perf_counter()
    terminal.send("." if lane == 2 else ",")
    terminal.until(lambda screen: any(f"lane {lane} " in row for row in screen))
    return time.perf_counter() - pressed


def _open(terminal: Terminal, case: _Case) -> None:
    terminal.until(lambda screen: any("lane" in row for row in screen))
    for key in ("$", *case.before):  # first to the end of the animation that plays on opening
        terminal.until_quiet()
        terminal.send(key)
    if case is _MEASURING:
        terminal.until(lambda screen: any("measuring " in row or " of 1001" in row for row in screen))
    else:
        terminal.until_quiet()


def _percentile(seconds: list[float]) -> float:
    """The 95th percentile of ascending seconds, in milliseconds."""
    return seconds[len(seconds) * 95 // 100] * 1000


def _bytes_written(terminal: Terminal, action: Callable[[], None]) -> int:
    before = terminal.bytes_written
    action()
    terminal.until_quiet()
    return terminal.bytes_written - before


def _step_through(terminal: Terminal) -> None:
    for frame in range(_FRAMES):
        terminal.send(_RIGHT if frame % 14 < 7 else _LEFT)
        terminal.until_quiet(0.05)
