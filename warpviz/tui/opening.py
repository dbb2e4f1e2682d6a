"""What opens: the explorer at which access, lane, step and panel; a kernel. Loads nothing, for the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from warpviz.hardware import DEFAULT_ARCH

if TYPE_CHECKING:
    from warpviz.gpu.recorded import RecordedFile

Panel = Literal["", "why", "fix", "sweep", "evidence"]
PANELS: tuple[Panel, ...] = get_args(Panel)[1:]
Step = int | Literal["end"]


@dataclass(frozen=True)
class Opening:
    """Where the explorer begins.

    access: its index in the scene, from 0. lane: 0 to 31. step: paused there, 0 before the first, "end" when everything
    is served, past the last the same; None plays. panel: the one that is open; empty for none. knob: the name of the
    chosen one, or width; empty for the first. pinned: the access with these values of some knobs is A; None for no A.
    recording: the file whose measurements are shown; None for the newest.
    """

    access: int = 0
    lane: int = 1
    step: Step | None = None
    panel: Panel = ""
    knob: str = ""
    pinned: tuple[tuple[str, int], ...] | None = None
    recording: RecordedFile | None = None


AT_THE_START = Opening()


@dataclass(frozen=True)
class KernelToOpen:
    """A kernel of a .cu file and how it is run, as text: what is given beside the file, None where nothing is.

    name: of the kernel; None for that of the first launch line. arguments: NAME=SPEC each, paths in them from the
    folder of now.
    """

    path: Path
    name: str | None = None
    grid: str | None = None
    block: str | None = None
    shared_bytes: str | None = None
    arguments: tuple[str, ...] = ()
    arch: str = DEFAULT_ARCH
