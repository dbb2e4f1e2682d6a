"""What a scene is called on the screen, and which of its accesses it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpviz.tui.render.text import Look, Part, printable

if TYPE_CHECKING:
    from warpviz.scene import Scene
    from warpviz.tui.state import View


def heading(scene: Scene) -> str:
    """The scene's title; the program's name when the title only repeats the expression below it."""
    return "warpviz" if scene.title == scene.accesses[0].pattern.expression else printable(scene.title)


def title_parts(view: View, look: Look) -> list[Part]:
    """The scene, and which of its accesses is shown where it has several."""
    parts: list[Part] = [(f" {heading(view.scene)}", look.palette.strong)]
    accesses = view.scene.accesses
    if len(accesses) > 1:
        name = printable(accesses[view.access].name)
        parts.append((f"  {look.glyphs.right} {name} ({view.access + 1} of {len(accesses)})", look.palette.bar))
    return parts
