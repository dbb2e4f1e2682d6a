"""What the explorer shows, written to a file: a frame as SVG and text, the access as JSON and CSV, the animation as an
asciinema cast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.color import ColorSystem
from textual.strip import Strip

from warpviz.export import KINDS, Kind
from warpviz.export.cast import cast
from warpviz.export.data import as_csv, as_json
from warpviz.export.svg import frame_svg
from warpviz.export.text import frame_text
from warpviz.prediction import Prediction
from warpviz.resources import write_whole
from warpviz.scene import Scene
from warpviz.tui.command_line import command_line, unedited_scene
from warpviz.tui.opening import Opening
from warpviz.tui.render.frame import frame_strips
from warpviz.tui.render.layout import layout
from warpviz.tui.render.text import Look
from warpviz.tui.state import (
    SPEEDS,
    View,
    begun,
    in_sight,
    looked_up,
    needs_advice,
    needs_sweep,
    open_at,
    standing,
)
from warpviz.tui.thinking import find_advice, find_sweep

Size = tuple[int, int]  # columns and rows

_KIND_OF_ENDING: dict[str, Kind] = {".txt" if kind == "text" else f".{kind}": kind for kind in KINDS}


def save(view: View, look: Look, size: Size, path: Path) -> None:
    """Write what the view shows to a file whose ending says how: .svg, .txt, .json, .csv or .cast.

    size: of the frame. Raises ValueError, with a sentence, for another ending and for a view with nothing to write;
    OSError when the file cannot be written.
    """
    kind = _KIND_OF_ENDING.get(path.suffix.lower())
    if kind is None:
        raise ValueError(f"{path.name or 'the file'} ends in none of {' '.join(_KIND_OF_ENDING)}")
    write_whole(path, written(view, look, size, kind))


def written(view: View, look: Look, size: Size, kind: Kind) -> str:
    """What `save` writes. Raises ValueError, with a sentence, for a view with nothing to write."""
    if view.shown is None or view.error is not None:
        raise ValueError("the expression cannot be evaluated, so there is nothing to write")
    if kind == "svg":
        return frame_svg(_frame(view, look, size), command_line(view))
    if kind == "text":
        return frame_text(_frame(view, look, size))
    if kind == "cast":
        seconds = 1 / SPEEDS[view.speed]
        return cast(_animation(view, look, size), seconds, size, command_line(view), ColorSystem.TRUECOLOR)
    prediction = Prediction(
        view.pattern.expression, view.named_values, view.setup.arch, view.shown.evaluation, view.shown.cost
    )
    if kind == "csv":
        return as_csv(prediction)
    scene = None if unedited_scene(view) is None else view.scene.name
    return as_json(scene, view.pattern.declarations, prediction, view.measuring.measurement)


def still(scene: Scene, opening: Opening) -> View:
    """The explorer's view of a scene, paused; at the end where the opening says no step.

    Raises ExpressionError when the access cannot be evaluated.
    """
    step = "end" if opening.step is None else opening.step
    view = begun(open_at(scene, opening), replace(opening, step=step))
    if view.error is not None:
        raise view.error
    return _worked_out(looked_up(replace(view, playing=False)))


def _worked_out(view: View) -> View:
    """With what the open panel needs."""
    if needs_advice(view):
        view = replace(view, advised=find_advice(view.setup).advised)
    wanted = needs_sweep(view)
    return view if wanted is None else replace(view, sweeping=find_sweep(wanted).sweeping)


def _frame(view: View, look: Look, size: Size) -> list[Strip]:
    return frame_strips(_in_sight(view, look, size), *size, look)


def _animation(view: View, look: Look, size: Size) -> Iterator[list[Strip]]:
    """A frame for each position, from nothing served to everything served."""
    for position in range(view.end + 1):
        view = _in_sight(replace(view, position=position, playing=position < view.end), look, size)
        yield frame_strips(view, *size, look)


def _in_sight(view: View, look: Look, size: Size) -> View:
    return in_sight(view, layout(standing(view), *size, look).body)
