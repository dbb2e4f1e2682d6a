"""The terminal: what it is, how large, its colours and characters, and what stands between it and the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from warpviz.cli.doctor.check import Check, degraded, missing, ok
from warpviz.cli.doctor.configuration import read_configuration
from warpviz.tui.config import Config, ConfigError, choose_motion
from warpviz.tui.glyphs import ASCII, choose_glyphs
from warpviz.tui.palette import Depth, colour_depth
from warpviz.tui.render.geometry import SMALLEST

_TMUX_SECONDS = 2.0
_COLOURS: dict[Depth, str] = {"rgb": "16 million", "cube": "256", "ansi": "16", "mono": "none"}


def terminal_checks() -> Iterator[Check]:
    config, _ = read_configuration()
    yield _terminal()
    yield from _size()
    if os.name == "posix":
        yield _type()
    yield _colours(config)
    yield _characters(config)
    yield _motion(config)
    if os.environ.get("TMUX"):
        yield _tmux()
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        yield ok("SSH", "yes; over a slow link WARPVIZ_MOTION=reduced writes less")


def _terminal() -> Check:
    streams = {"standard input": sys.stdin, "standard output": sys.stdout}
    redirected = [name for name, stream in streams.items() if not stream.isatty()]
    if not redirected:
        return ok("terminal", "yes")
    if len(redirected) < len(streams) or sys.stderr.isatty():
        return ok("terminal", f"yes, with {' and '.join(redirected)} redirected")
    value = "none: input and output are both redirected"
    return missing("terminal", value, "the explorer needs one; the other commands do not")


def _size() -> Iterator[Check]:
    size = _columns_and_rows()
    if size is None:
        return
    value = f"{size[0]} columns, {size[1]} rows"
    columns, rows = SMALLEST
    if size[0] >= columns and size[1] >= rows:
        yield ok("size", value)
    else:
        yield degraded("size", value, f"make the window at least {columns} columns wide and {rows} rows high")


def _columns_and_rows() -> tuple[int, int] | None:
    """None without a terminal."""
    if sys.stdout.isatty():
        return shutil.get_terminal_size()
    for descriptor in (2, 0):
        try:
            return os.get_terminal_size(descriptor)
        except OSError:
            continue
    return None


def _type() -> Check:
    name = os.environ.get("TERM", "")
    if name not in ("", "dumb", "unknown"):
        return ok("TERM", name)
    value = f"{name}: no cursor that moves, no colour" if name else "not set"
    return degraded("TERM", value, "export TERM=xterm-256color, or what the terminal is")


def _colours(config: Config) -> Check:
    depth = colour_depth(config.colours)
    if os.environ.get("NO_COLOR"):
        return ok("colours", "none, as NO_COLOR says")
    if config.colours is not None:
        return ok("colours", f"{_COLOURS[depth]}, as the configuration says")
    said = ", ".join(f"{name}={os.environ[name]}" for name in ("COLORTERM", "TERM") if os.environ.get(name))
    value = f"{_COLOURS[depth]}, from {said or 'nothing: neither COLORTERM nor TERM is set'}"
    if depth in ("rgb", "cube"):
        return ok("colours", value)
    return degraded("colours", value, "if it shows more: export COLORTERM=truecolor, or TERM=xterm-256color")


def _characters(config: Config) -> Check:
    if choose_glyphs(ascii_wished=config.ascii) is not ASCII:
        return ok("characters", "Unicode")
    encoding = sys.__stdout__.encoding if sys.__stdout__ else "nothing"
    if not encoding.lower().startswith("utf"):
        mend = "unset PYTHONIOENCODING" if os.environ.get("PYTHONIOENCODING") else "export PYTHONUTF8=1"
        return degraded("characters", f"ASCII: the output is encoded as {encoding}", mend)
    if said := os.environ.get("WARPVIZ_ASCII"):
        return ok("characters", f"ASCII, as WARPVIZ_ASCII={said} says")
    if config.ascii:
        return ok("characters", "ASCII, as the configuration says")
    names = ", ".join(f"{name}={os.environ[name]}" for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name))
    return degraded("characters", f"ASCII: {names} is no UTF-8", "export LC_ALL=C.UTF-8, or WARPVIZ_ASCII=0")


def _motion(config: Config) -> Check:
    try:
        motion = choose_motion(config.motion)
    except ConfigError as error:
        return degraded("motion", str(error), "unset WARPVIZ_MOTION, or set it to reduced")
    why = " (WARPVIZ_MOTION)" if os.environ.get("WARPVIZ_MOTION") else ""
    return ok("motion", motion + why)


def _tmux() -> Check:
    """An application's copying reaches the terminal's clipboard only when the option is `on`."""
    try:
        asked = ["tmux", "show-options", "-s", "-v", "set-clipboard"]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=_TMUX_SECONDS, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.SubprocessError):
        return degraded("tmux", "it does not answer", "run `tmux show-options -s`; the key y copies through it")
    said = done.stdout.strip()
    if said == "on":
        return ok("tmux", "set-clipboard on: the key y copies")
    value = f"set-clipboard {said or 'unknown'}: the key y does not copy"
    return degraded("tmux", value, "tmux set -s set-clipboard on")
