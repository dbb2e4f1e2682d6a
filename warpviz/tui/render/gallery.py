"""The gallery, drawn from its state alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.strip import Strip

from warpviz.scene import Scene
from warpviz.tui.palette import Palette
from warpviz.tui.render.text import Look, Part, between, cut, length, printable, strip_of

_NUMBER = 5  # columns before a scene's title


@dataclass(frozen=True)
class Preview:
    """What one access of a scene costs to begin with. worst: whether it is worse than the best that its kind can do."""

    name: str
    count: int
    unit: str
    worst: bool


@dataclass(frozen=True)
class GalleryView:
    """scenes: all of them. sought: only scenes that hold this text are listed. chosen: an index into `listed`.
    previews: by scene name, as far as they are worked out."""

    scenes: tuple[Scene, ...]
    sought: str = ""
    chosen: int = 0

    @property
    def listed(self) -> tuple[Scene, ...]:
        """The scenes that hold the sought text in their title, question or expressions."""
        sought = self.sought.casefold()
        return tuple(scene for scene in self.scenes if sought in _text(scene))


def gallery_strips(
    view: GalleryView, previews: Mapping[str, tuple[Preview, ...]], width: int, height: int, look: Look
) -> list[Strip]:
    """The list of scenes, with every question when there is room, else with the chosen scene's alone."""
    palette = look.palette
    listed = view.listed
    if not listed:
        none = f" no scene holds {printable(view.sought)!r}"
        return [strip_of([(none, palette.quiet)], width, look)]
    roomy = 3 * len(listed) <= height
    lines: list[tuple[int, Strip]] = []
    for index, scene in enumerate(listed):
        chosen = index == view.chosen
        lines.append((index, _title_strip(view, scene, previews.get(scene.name, ()), chosen, width, look)))
        if roomy or chosen:
            lines.append((index, _question_strip(scene, chosen, width, look)))
        if roomy:
            lines.append((index, strip_of([], width, look)))
    first = _first_line([index for index, _ in lines], view.chosen, height)
    return [strip for _, strip in lines[first : first + height]]


def scene_at(view: GalleryView, y: int, height: int) -> int | None:
    """The listed scene that a line of the gallery belongs to."""
    count = len(view.listed)
    roomy = 3 * count <= height
    owners = [i for i in range(count) for _ in range(3 if roomy else 2 if i == view.chosen else 1)]
    line = y + _first_line(owners, view.chosen, height)
    return owners[line] if 0 <= line < len(owners) else None


def _first_line(owners: list[int], chosen: int, height: int) -> int:
    """The first line in sight, so that the chosen scene's lines are."""
    last = max((i for i, owner in enumerate(owners) if owner == chosen), default=0)
    return max(0, min(last - height // 2, len(owners) - height))


def _title_strip(
    view: GalleryView, scene: Scene, previews: tuple[Preview, ...], chosen: bool, width: int, look: Look
) -> Strip:
    palette = look.palette
    number = view.scenes.index(scene) + 1
    mark = look.glyphs.play if chosen else " "
    left: list[Part] = [
        (f" {mark}", palette.strong),
        (f"{number:>{_NUMBER - 3}} ", palette.quiet),
        (printable(scene.title), palette.strong if chosen else palette.text),
    ]
    right = _preview_parts(previews, palette, named=len(previews) > 1)
    if length(left) + length(right) >= width:
        right = _preview_parts(previews, palette, named=False)
    return strip_of(between(left, right, width, look), width, look)


def _preview_parts(previews: tuple[Preview, ...], palette: Palette, named: bool) -> list[Part]:
    parts: list[Part] = []
    for index, one in enumerate(previews):
        if named:
            parts.append((f"{printable(one.name)} ", palette.quiet))
        parts.append((str(one.count), palette.bad if one.worst else palette.good))
        parts.append(("  " if index + 1 < len(previews) else f" {one.unit} ", palette.quiet))
    return parts


def _question_strip(scene: Scene, chosen: bool, width: int, look: Look) -> Strip:
    style = look.palette.text if chosen else look.palette.quiet
    return strip_of(cut([(" " * _NUMBER + printable(scene.question), style)], width, look), width, look)


def _text(scene: Scene) -> str:
    expressions = " ".join(access.pattern.expression for access in scene.accesses)
    return f"{scene.name} {scene.title} {scene.question} {expressions}".casefold()
