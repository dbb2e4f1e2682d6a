"""A scene by name, and what the options say of its knobs."""

from __future__ import annotations

from dataclasses import replace

import click

from warpviz.cli.options import AccessOptions
from warpviz.scene import Knob, Scene, find_scene, shipped_scenes


def choose_scene(name: str, options: AccessOptions) -> tuple[Scene, dict[str, range]]:
    """The scene of this name with its knobs at the first of their --set values, and the values of every knob.

    Of a --set range, the values that the knob takes. Raises SceneError for no such scene, click.UsageError for an
    option that a scene does not take.
    """
    if name.endswith((".cu", ".cuh")):
        raise click.UsageError(f"{name} is CUDA source, for `warpviz kernel {name}`; here a scene is meant")
    scene = find_scene(name)
    if options.describing:
        raise click.UsageError(f"{', '.join(options.describing)} goes with an expression; scene {name} brings its own")
    for given in options.values:
        if given not in scene.defaults():
            raise click.UsageError(f"scene {name} has no knob {given}; it has {', '.join(scene.defaults()) or 'none'}")
    values = {knob.name: _values(knob, options.values.get(knob.name)) for knob in scene.knobs}
    return replace(scene, knobs=tuple(replace(knob, value=values[knob.name][0]) for knob in scene.knobs)), values


def is_scene(text: str) -> bool:
    """Whether this names a scene, and so is no expression."""
    return text.endswith(".toml") or any(scene.name == text for scene in shipped_scenes())


def _values(knob: Knob, given: range | None) -> range:
    if given is None:
        return range(knob.value, knob.value + 1)
    for end in (given[0], given[-1]):
        if end not in knob.values():
            raise click.UsageError(
                f"{knob.name}={end}: the knob goes from {knob.minimum} to {knob.maximum} by {knob.step}"
            )
    return range(given[0], given[-1] + 1, knob.step)
