"""A program in a real pseudo-terminal, and what a user would see there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from types import TracebackType

import pexpect
import pyte

Screen = list[str]


class Terminal:
    """Runs a command in a terminal of this size and keeps the picture that its output paints."""

    def __init__(self, command: Sequence[str], columns: int, rows: int, environment: dict[str, str]) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._started = time.perf_counter()
        self._child = pexpect.spawn(
            command[0],
            list(command[1:]),
            dimensions=(rows, columns),
            env={**_own_environment(), "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
            timeout=None,
        )
        self._child.delaybeforesend = None
        self._last_output = self._started
        self.bytes_written = 0
        self.raw = bytearray()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.close(force=True)

    @property
    def screen(self) -> Screen:
        """The rows of text on the screen."""
        return list(self._screen.display)

    def send(self, keys: str) -> None:
        """Press these keys."""
        self._child.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size as a window manager does."""
        self._screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def until(self, shows: Callable[[Screen], bool], seconds: float = 20) -> float:
        """Read until the screen shows this; raises TimeoutError with the screen.

        Gives the seconds from the start to the output that made it so, without the time that painting it here takes.
        """
        limit = time.perf_counter() + seconds
        while not shows(self.screen):
            if not self._read(limit - time.perf_counter()):
                raise TimeoutError("\n".join(self.screen))
        return self._last_output - self._started

    def until_quiet(self, seconds: float = 0.3) -> None:
        """Read until nothing more comes for so long."""
        while self._read(seconds):
            pass

    def seconds_to_answer(self, keys: str) -> float:
        """Press these keys; gives the seconds to the last of the output that follows."""
        pressed = time.perf_counter()
        self.send(keys)
        self.until_quiet(0.1)
        return max(0.0, self._last_output - pressed)

    def exit_code(self, seconds: float = 10) -> int | None:
        """Read to the end and give the exit code; None if the program does not end in time."""
        limit = time.perf_counter() + seconds
        while time.perf_counter() < limit and self._child.isalive():
            self._read(0.1)
        self._read(0.1)
        if self._child.isalive():
            return None
        return self._child.exitstatus if self._child.signalstatus is None else -self._child.signalstatus

    def cpu_seconds(self) -> float:
        """The processor time that the program has used, its own threads included."""
        with open(f"/proc/{self._child.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read(self, seconds: float) -> bool:
        try:
            data = self._child.read_nonblocking(65536, timeout=max(0.0, seconds))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self._last_output = time.perf_counter()
        self.bytes_written += len(data)
        self.raw += data
        self._stream.feed(data)
        return True


def _own_environment() -> dict[str, str]:
    """This process's, without what would hide the new terminal's own size."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
