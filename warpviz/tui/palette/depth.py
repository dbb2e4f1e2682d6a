"""How many colours a terminal shows."""

from __future__ import annotations

import os
from typing import Literal

from rich.console import Console

Depth = Literal["rgb", "cube", "ansi", "mono"]

_DEPTHS: dict[str | None, Depth] = {None: "mono", "256": "cube", "truecolor": "rgb"}


def colour_depth(wished: Depth | None = None) -> Depth:
    """What this terminal is given: "mono" under NO_COLOR, else what is wished for, else what it says that it can show.

    "ansi" is 16 colours, "cube" 256, "rgb" all. A terminal that says nothing of itself (no TERM) gets no colour.
    """
    if os.environ.get("NO_COLOR"):
        return "mono"
    if wished is not None:
        return wished
    if os.name == "posix" and not os.environ.get("TERM"):
        return "mono"
    return _DEPTHS.get(Console(force_terminal=True).color_system, "ansi")


def own_colours(depth: Depth) -> bool:
    """Whether the program chooses its colours itself, instead of taking the terminal's sixteen."""
    return depth in ("rgb", "cube")
