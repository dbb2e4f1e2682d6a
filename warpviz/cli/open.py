"""`warpviz`, `warpviz SCENE` and `warpviz -e EXPR`: the program's screen."""

from __future__ import annotations

import click

from warpviz.cli import at_terminal
from warpviz.cli.choose import choose_scene
from warpviz.cli.options import AccessOptions
from warpviz.hardware import DEFAULT_ARCH
from warpviz.scene import Scene, scene_of_pattern


def open_explorer(name: str | None, expression: str | None, options: AccessOptions) -> int:
    """Open the gallery, a scene or an expression, and return the exit code when the user has left.

    Raises SceneError, ExpressionError, click.UsageError for what cannot be opened.
    """
    scene = _scene(name, expression, options)
    if not at_terminal():
        raise click.UsageError(
            "the explorer needs a terminal; without one there are `warpviz predict` and `warpviz measure`"
        )
    from warpviz.tui.app import run

    return run(scene)


def _scene(name: str | None, expression: str | None, options: AccessOptions) -> Scene | None:
    if expression is not None:
        if name is not None:
            raise click.UsageError(f"both the scene {name!r} and -e are given; open one of them")
        return scene_of_pattern(options.pattern(expression), options.values, options.arch or DEFAULT_ARCH)
    if name is not None:
        scene, _ = choose_scene(name, options)
        return scene
    if options.values or options.describing:
        raise click.UsageError("the options describe an access: give a scene, or an expression with -e")
    return None
