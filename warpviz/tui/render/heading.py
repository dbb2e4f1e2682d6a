"""What a scene is called on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpviz.tui.render.text import printable

if TYPE_CHECKING:
    from warpviz.scene import Scene


def heading(scene: Scene) -> str:
    """The scene's title; the program's name when the title only repeats the expression below it."""
    return "warpviz" if scene.title == scene.accesses[0].pattern.expression else printable(scene.title)
