"""What the accesses of a scene cost to begin with, for the gallery."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.expression import ExpressionError
from warpviz.scene import Scene
from warpviz.tui.render.gallery import Preview
from warpviz.tui.shown import Shown, show


def previews(scene: Scene) -> Iterator[Preview]:
    """The previews of a scene's accesses; none for an access that cannot be evaluated."""
    for access in scene.accesses:
        try:
            yield preview(access.name, show(access.pattern, scene.defaults(), scene.arch))
        except ExpressionError:
            continue


def preview(name: str, shown: Shown) -> Preview:
    """The preview of one evaluated access."""
    cost, steps = shown.cost, len(shown.schedule.steps)
    if cost.conflicts is not None:
        return Preview(name, steps, "passes", bool(cost.conflicts[0]))
    if cost.sector_efficiency is not None:
        return Preview(name, steps, "sectors", bool(cost.sector_efficiency[0] < 1))
    return Preview(name, steps, "requests", steps > 1)
