"""`warpviz`, `warpviz SCENE` and `warpviz -e EXPR`: the program's screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from warpviz.cli import at_terminal
from warpviz.cli.choose import choose_scene
from warpviz.cli.options import AccessOptions
from warpviz.hardware import DEFAULT_ARCH
from warpviz.scene import Knob, Scene, scene_of_pattern
from warpviz.sweep import WIDTH
from warpviz.tui.opening import AT_THE_START, Opening
from warpviz.wording import counted

Ranges = Sequence[tuple[str, range]]


def open_explorer(
    name: str | None,
    expression: str | None,
    options: AccessOptions,
    opening: Opening,
    ranges: Ranges,
    device: str | None,
) -> int:
    """Open the gallery, a scene or an expression, and return the exit code when the user has left.

    device: the GPU that measures, see Probe.
    Raises SceneError, ExpressionError, click.UsageError for what cannot be opened.
    """
    scene = scene_to_open(name, expression, options, opening, ranges)
    if not at_terminal():
        raise click.UsageError(
            "the explorer needs a terminal; without one there are `warpviz predict`, `measure` and `export`"
        )
    from warpviz.tui.app import run

    return run(scene, opening, device)


def scene_to_open(
    name: str | None, expression: str | None, options: AccessOptions, opening: Opening, ranges: Ranges
) -> Scene | None:
    """The scene of this name, or one of the expression; None when neither is given, nor any option. ranges: of knobs.

    A scene's name is what the command line finds it by. Raises SceneError, click.UsageError.
    """
    if name is None and expression is None:
        if options.values or options.describing or options.arch or ranges or opening != AT_THE_START:
            raise click.UsageError("the options describe an access: give a scene, or an expression with -e")
        return None
    if options.arch is None and opening.recording is not None and opening.recording.gpu is not None:
        options = replace(options, arch=opening.recording.gpu.arch)
    scene = _scene(name, expression, options)
    if opening.access >= (count := len(scene.accesses)):
        what = name or "an expression"
        raise click.UsageError(f"--access {opening.access + 1}: {what} has {counted(count, 'access')}")
    _check_knobs(scene, opening)
    if ranges and expression is None:
        raise click.UsageError("--range goes with an expression; a scene's knobs have theirs")
    return replace(scene, knobs=tuple(_with_range(knob, dict(ranges)) for knob in scene.knobs))


def _check_knobs(scene: Scene, opening: Opening) -> None:
    knobs = {knob.name: knob for knob in scene.knobs}
    wanted = [("--pin", name) for name, _ in opening.pinned or ()]
    if opening.knob not in ("", WIDTH):
        wanted.insert(0, ("--knob", opening.knob))
    for option, name in wanted:
        if name not in knobs:
            raise click.UsageError(f"{option} {name}: there is no such knob; there are {', '.join(knobs) or 'none'}")


def _with_range(knob: Knob, ranges: Mapping[str, range]) -> Knob:
    given = ranges.get(knob.name)
    if given is None:
        return knob
    if knob.value not in given:
        raise click.UsageError(f"--range {knob.name}={given[0]}..{given[-1]} does not hold its value, {knob.value}")
    return replace(knob, minimum=given[0], maximum=given[-1], step=1)


def _scene(name: str | None, expression: str | None, options: AccessOptions) -> Scene:
    if expression is None:
        scene, _ = choose_scene(str(name), options)
        return replace(scene, name=str(name), arch=options.arch or scene.arch)
    if name is not None:
        raise click.UsageError(f"both the scene {name!r} and -e are given; open one of them")
    return scene_of_pattern(options.pattern(expression), options.values, options.arch or DEFAULT_ARCH)
