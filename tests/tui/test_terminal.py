"""The program in a real pseudo-terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
from tests.terminal import Terminal

pytestmark = pytest.mark.terminal

OPEN = "from warpviz.scene import find_scene; from warpviz.tui.app import run; raise SystemExit(run({scene}))"


def opened(scene: str, columns: int = 80, rows: int = 24, **environment: str) -> Terminal:
    return Terminal([sys.executable, "-c", OPEN.format(scene=scene)], columns, rows, environment)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with opened("find_scene('stride')") as terminal:
        terminal.until(lambda screen: any("pass 8" in row for row in screen))
        terminal.send("$")
        terminal.until(lambda screen: any("all served" in row for row in screen))
        terminal.until_quiet()
        yield terminal


def test_keys_a_resize_and_quitting(terminal: Terminal) -> None:
    terminal.send("\x1b[A")
    terminal.until(lambda screen: any("s[9*1] → s[9]" in row for row in screen))
    terminal.resize(160, 45)
    terminal.until(lambda screen: any("24 25 26 27 28 29 30 31" in row for row in screen))
    terminal.resize(59, 19)
    terminal.until(lambda screen: any("needs 60 columns" in row for row in screen))
    terminal.send("q")
    assert terminal.exit_code() == 0
    assert b"\x1b[?1049l" in terminal.raw  # back from the alternate screen
    assert b"\x1b[?25h" in terminal.raw[-400:]  # the cursor shows again


def test_editing_repaints_field_and_footer(terminal: Terminal) -> None:
    terminal.send("e")
    terminal.until(lambda screen: "enter keep" in screen[-1])
    terminal.send("\x7f")
    terminal.until(lambda screen: any("is never closed" in row for row in screen))
    terminal.send("+7]")
    terminal.until(lambda screen: any("s[8*1 + 7] → s[15]" in row for row in screen))
    terminal.send("\r")
    terminal.until(lambda screen: "space play" in screen[-1])
    assert terminal.screen[1].split()[0] == "s[k*lane+7]"
    terminal.send("e")
    terminal.until(lambda screen: "enter keep" in screen[-1])
    terminal.send("]")
    terminal.until(lambda screen: any("closes nothing" in row for row in screen))
    terminal.send("\x1b")
    terminal.until(lambda screen: "space play" in screen[-1] and screen[1].split()[0] == "s[k*lane+7]")


def test_nothing_is_written_while_it_rests(terminal: Terminal) -> None:
    before = terminal.bytes_written
    terminal.until_quiet(1.0)
    assert terminal.bytes_written == before


def test_a_step_writes_little(terminal: Terminal) -> None:
    terminal.send("0")
    terminal.until_quiet()
    before = terminal.bytes_written
    for _ in range(4):
        terminal.send("\x1b[C")
        terminal.until_quiet(0.2)
    assert 0 < (terminal.bytes_written - before) / 4 < 3500


def test_ctrl_c_restores_the_terminal(terminal: Terminal) -> None:
    terminal.send("\x03")
    assert terminal.exit_code() == 130
    assert b"\x1b[?1049l" in terminal.raw


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGQUIT", 131)])
@pytest.mark.parametrize("scene", ["None", "find_scene('stride')"])
@pytest.mark.parametrize("seconds", [0.02, 1.0])
def test_every_ending_signal_restores_the_terminal(signal: str, code: int, scene: str, seconds: float) -> None:
    """seconds: from when the terminal is taken over."""
    send = (
        "import os, signal, threading\n"
        "from textual.drivers.linux_driver import LinuxDriver\n"
        "start = LinuxDriver.start_application_mode\n"
        "def taken_over(self):\n"
        "    start(self)\n"
        f"    threading.Timer({seconds}, os.kill, (os.getpid(), signal.{signal})).start()\n"
        "LinuxDriver.start_application_mode = taken_over\n"
    )
    with Terminal([sys.executable, "-c", send + OPEN.format(scene=scene)], 80, 24, {}) as terminal:
        assert terminal.exit_code() == code
        assert b"\x1b[?1049l" in terminal.raw
        assert b"Traceback" not in terminal.raw


def test_an_exception_restores_the_terminal() -> None:
    broken = (
        "import warpviz.tui.screens.explorer as explorer\n"
        "def fail(*rest): raise RuntimeError('broken on purpose')\n"
        "explorer.state.turn_knob = fail\n"
    )
    with Terminal([sys.executable, "-c", broken + OPEN.format(scene="find_scene('stride')")], 80, 24, {}) as terminal:
        terminal.until(lambda screen: any("predicted" in row for row in screen))
        terminal.send("\x1b[A")
        assert terminal.exit_code() == 1
        assert b"\x1b[?1049l" in terminal.raw
        assert b"broken on purpose" in terminal.raw


def test_what_cannot_be_shown_is_said_where_the_shell_is() -> None:
    with Terminal([sys.executable, "-m", "warpviz", "-e", "s[k*lane]"], 80, 24, {}) as terminal:
        assert terminal.exit_code() == 2
        screen, _, shell = bytes(terminal.raw).rpartition(b"\x1b[?1049l")
        assert screen
        assert b"expression, column 3: k has no value; give it one with --set k=INT" in shell


def test_the_gallery_opens_a_scene() -> None:
    with opened("None") as terminal:
        terminal.until(lambda screen: any("A stride through shared memory" in row for row in screen))
        terminal.send("\x1b[B\r")
        terminal.until(lambda screen: any("tile[r][lane]" in row or "tile" in row for row in screen))


def test_from_a_kernel_to_its_replay_to_the_explorer_and_back(nvrtc: str) -> None:
    kernel = Path(__file__).parents[1] / "data" / "kernels" / "reduce_interleaved.cu"
    with Terminal([sys.executable, "-m", "warpviz", str(kernel)], 80, 24, {}) as terminal:
        terminal.until(lambda screen: any("▶ 9" in row and "ld shared" in row for row in screen))
        terminal.send("\x1b[B")
        terminal.until(lambda screen: any("lanes write 4 bytes each" in row for row in screen))
        terminal.send("\r")
        terminal.until(lambda screen: any("shared store to s" in row for row in screen))
        terminal.send("\x1b[C")
        terminal.until(lambda screen: any("warp 1" in row for row in screen))
        terminal.send("\r")
        terminal.until(lambda screen: "w why" in screen[-1])
        terminal.send("\x1b")
        terminal.until(lambda screen: "enter explore" in screen[-1])
        terminal.send("\x1b")
        terminal.until(lambda screen: "enter replay" in screen[-1])
        terminal.send("\x1b")
        terminal.until(lambda screen: "enter open" in screen[-1])
        terminal.send("q")
        assert terminal.exit_code() == 0
        assert b"\x1b[?1049l" in terminal.raw


@pytest.mark.parametrize(
    ("environment", "never", "glyph"),
    [
        ({"NO_COLOR": "1"}, [b"\x1b[38;", b";38;", b"48;2", b"48;5"], "✓"),
        ({"TERM": "xterm", "COLORTERM": ""}, [b"38;2;", b"38;5;", b"48;2;"], "✓"),
        ({"COLORTERM": ""}, [b"38;2;", b"48;2;"], "✓"),
        ({"WARPVIZ_ASCII": "1"}, ["✓".encode(), "│".encode(), "░".encode(), "→".encode()], "v"),
    ],
    ids=["NO_COLOR", "16 colours", "256 colours", "ASCII"],
)
def test_poorer_terminals(environment: dict[str, str], never: list[bytes], glyph: str) -> None:
    with opened("find_scene('global-stride')", **environment) as terminal:
        terminal.until(lambda screen: any("predicted" in row for row in screen))
        terminal.send("$")
        terminal.until(lambda screen: any("all served" in row for row in screen))
        terminal.until_quiet()
        assert any(f"{glyph} {glyph} {glyph}" in row for row in terminal.screen)
        assert not [code for code in never if code in terminal.raw]
