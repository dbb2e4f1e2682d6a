"""What is explored, as a scene to come back to."""

from __future__ import annotations

from dataclasses import replace

from warpviz.scene import Scene, shipped_scenes
from warpviz.tui.state.view import View, open_scene


def own_scene(view: View) -> Scene | None:
    """The scene as it is edited, with its knobs as they stand; None for a scene that ships and is not edited."""
    scene, setup = view.scene, view.setup
    began = open_scene(scene).setup
    if (setup.patterns, setup.arch) == (began.patterns, began.arch):
        ships = any(one.accesses == scene.accesses for one in shipped_scenes())
        return None if ships else replace(scene, knobs=setup.knobs)
    accesses = tuple(
        replace(access, pattern=pattern) for access, pattern in zip(scene.accesses, setup.patterns, strict=True)
    )
    untitled = scene.title == scene.accesses[0].pattern.expression
    title = accesses[0].pattern.expression if untitled else f"{scene.title} (edited)"
    return Scene(title, title, accesses, setup.knobs, arch=setup.arch)
