"""`warpviz`, `warpviz SCENE` and `warpviz -e EXPR`: the program's screen."""

from __future__ import annotations

from dataclasses import replace

import click

from warpviz.cli import at_terminal
from warpviz.cli.choose import choose_scene
from warpviz.cli.options import AccessOptions
from warpviz.hardware import DEFAULT_ARCH
from warpviz.scene import Scene, scene_of_pattern
from warpviz.tui.opening import AT_THE_START, Opening
from warpviz.wording import counted


def open_explorer(name: str | None, expression: str | None, options: AccessOptions, opening: Opening) -> int:
    """Open the gallery, a scene or an expression, and return the exit code when the user has left.

    Raises SceneError, ExpressionError, click.UsageError for what cannot be opened.
    """
    scene = scene_to_open(name, expression, options, opening)
    if not at_terminal():
        raise click.UsageError(
            "the explorer needs a terminal; without one there are `warpviz predict`, `measure` and `export`"
        )
    from warpviz.tui.app import run

    return run(scene, opening)


def scene_to_open(name: str | None, expression: str | None, options: AccessOptions, opening: Opening) -> Scene | None:
    """The scene of this name, or one of the expression; None when neither is given, nor any option.

    A scene's name is what the command line finds it by. Raises SceneError, click.UsageError.
    """
    if name is None and expression is None:
        if options.values or options.describing or options.arch or opening != AT_THE_START:
            raise click.UsageError("the options describe an access: give a scene, or an expression with -e")
        return None
    scene = _scene(name, expression, options)
    if opening.access >= (count := len(scene.accesses)):
        what = name or "an expression"
        raise click.UsageError(f"--access {opening.access + 1}: {what} has {counted(count, 'access')}")
    names = [knob.name for knob in scene.knobs]
    if opening.knob and opening.knob not in names:
        raise click.UsageError(f"--knob {opening.knob}: there is no such knob; there are {', '.join(names) or 'none'}")
    return scene


def _scene(name: str | None, expression: str | None, options: AccessOptions) -> Scene:
    if expression is None:
        scene, _ = choose_scene(str(name), options)
        return replace(scene, name=str(name), arch=options.arch or scene.arch)
    if name is not None:
        raise click.UsageError(f"both the scene {name!r} and -e are given; open one of them")
    return scene_of_pattern(options.pattern(expression), options.values, options.arch or DEFAULT_ARCH)
