"""A kernel as the command line asks for it, and the screen opened on it. Loads nothing that a first paint waits for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warpviz.cli import at_terminal
from warpviz.hardware import DEFAULT_ARCH, check_arch

if TYPE_CHECKING:
    from warpviz.gpu.request import Counters


@dataclass(frozen=True)
class Asked:
    """What is asked of a kernel. name: None for that of the first launch line. grid, block, smem, arguments: as they
    are written. blocks: how many of the grid's; None: all. arch: None for the GPU's own where one measures. measure:
    whether it is run on the GPU too, which is `device`, see Probe."""

    file: str
    name: str | None
    grid: str | None
    block: str | None
    smem: str | None
    arguments: tuple[str, ...]
    blocks: int | None
    arch: str | None
    measure: bool
    counters: Counters
    device: str | None

    def check(self) -> None:
        """Raises click.UsageError for options that do not go together."""
        try:
            check_arch(self.arch or DEFAULT_ARCH)
        except ValueError as error:
            raise click.UsageError(f"--arch: {error}") from error
        if self.measure and self.blocks is not None:
            raise click.UsageError("--measure runs the whole grid: leave --blocks out, or give a smaller --grid")


def open_kernel(asked: Asked, *, as_json: bool) -> int:
    """Show it on the screen; gives the exit code when the user has left. Raises click.UsageError."""
    printing = {"--json": as_json, "--measure": asked.measure, "--blocks": asked.blocks is not None}
    for option, given in printing.items():
        if given:
            raise click.UsageError(f"{option} goes with `warpviz kernel` without --open, which prints")
    if not at_terminal():
        raise click.UsageError(f"the screen needs a terminal; without one there is `warpviz kernel {asked.file}`")
    from warpviz.tui.app import run
    from warpviz.tui.opening import KernelToOpen

    kernel = KernelToOpen(
        Path(asked.file),
        asked.name,
        asked.grid,
        asked.block,
        asked.smem,
        asked.arguments,
        asked.arch or DEFAULT_ARCH,
    )
    return run(kernel, device=asked.device)
