"""A scene by name, with what the options change in it."""

from __future__ import annotations

from dataclasses import replace

import click

from warpviz.cli.options import AccessOptions
from warpviz.scene import Knob, Scene, find_scene


def choose_scene(name: str, options: AccessOptions) -> Scene:
    """The scene of this name, its knobs at the first of their --set values.

    Raises SceneError for no such scene, click.UsageError for an option that a scene does not take.
    """
    if name.endswith((".cu", ".cuh")):
        raise click.UsageError(f"{name} is CUDA source; warpviz opens scenes, scene files (.toml) and expressions (-e)")
    scene = find_scene(name)
    if options.describing:
        raise click.UsageError(f"{', '.join(options.describing)} goes with an expression; scene {name} brings its own")
    knobs = {knob.name: knob for knob in scene.knobs}
    for knob_name, values in options.values.items():
        if knob_name not in knobs:
            raise click.UsageError(f"scene {name} has no knob {knob_name}; it has {', '.join(knobs) or 'none'}")
        knobs[knob_name] = _turned(knobs[knob_name], values)
    return replace(scene, knobs=tuple(knobs.values()))


def _turned(knob: Knob, values: range) -> Knob:
    for value in (values[0], values[-1]):
        if value not in knob.values():
            raise click.UsageError(
                f"--set {knob.name}={value}: the knob goes from {knob.minimum} to {knob.maximum} by {knob.step}"
            )
    return replace(knob, value=values[0])
