"""Child processes: started so that nothing of them reaches the terminal, and ended with all that they started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO

_ROOT = Path(__file__).resolve().parent.parent.parent  # where `warpviz` is importable from
_GONE_SECONDS = 5.0
_NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


def python_module(module: str) -> list[str]:
    """The command that runs a module of this package in a fresh interpreter."""
    return [sys.executable, "-m", module]


def start(
    command: Sequence[str], stderr: IO[bytes] | int = subprocess.DEVNULL, environment: Mapping[str, str] = _NOTHING_MORE
) -> subprocess.Popen[bytes]:
    """Its stdin and stdout are pipes. It leads a session of its own: the terminal's Ctrl-C does not reach it.

    environment: beside this process's. Raises OSError when there is no such program.
    """
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, **environment, "PYTHONPATH": path},
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and what it started, without waiting for its end. Does nothing to one that has ended."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and what it started, and wait until it is gone: some seconds when it hangs in the driver."""
    kill(process)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GONE_SECONDS)  # one that hangs for longer is left to the system


def how_it_ended(process: subprocess.Popen[bytes]) -> str:
    """Such as "by signal 9" or "with exit code 1"."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GONE_SECONDS)
    code = process.returncode
    if code is None:
        return "without an exit code"
    return f"by signal {-code}" if code < 0 else f"with exit code {code}"
