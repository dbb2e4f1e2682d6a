"""`warpviz export`: what the explorer shows, without a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from warpviz.cli.export_options import STANDARD_OUTPUT
from warpviz.export import Kind
from warpviz.resources import write_whole
from warpviz.scene import Scene
from warpviz.tui.glyphs import choose_glyphs
from warpviz.tui.opening import Opening
from warpviz.tui.palette import Theme, palette
from warpviz.tui.render.text import Look
from warpviz.tui.saving import Size, still, written


def export_view(scene: Scene | None, opening: Opening, size: Size, theme: Theme, files: Mapping[Kind, str]) -> None:
    """Write the explorer's view of the scene to each of these files, once all of them are made.

    size: the frame's columns and rows. theme: its colours. Raises ExpressionError, click.UsageError.
    """
    if scene is None:
        raise click.UsageError("give a scene to export, or an expression with -e")
    view = still(scene, opening)
    if isinstance(opening.step, int) and opening.step >= view.end:
        raise click.UsageError(
            f"--step {opening.step}: the last step is {view.end - 1}; everything is served at --step end"
        )
    look = Look(palette("rgb", theme), choose_glyphs(encoding="utf-8"))
    texts = [(file, written(view, look, size, kind)) for kind, file in files.items()]
    for file, text in texts:
        _write(file, text)


def _write(file: str, text: str) -> None:
    if file == STANDARD_OUTPUT:
        click.echo(text.encode(), nl=False)
        return
    try:
        write_whole(Path(file), text)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror or error}") from error
