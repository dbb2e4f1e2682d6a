"""The explorer's whole screen but for the keys at its foot, drawn from the view alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from textual.geometry import Region
from textual.strip import Strip

from warpviz.tui.render import foot, head
from warpviz.tui.render.layout import Layout, layout
from warpviz.tui.render.memory import Moment, memory_strips
from warpviz.tui.render.panel import panel_strips
from warpviz.tui.render.picture import HEAD_ROWS
from warpviz.tui.render.text import Look, strip_of
from warpviz.tui.shown import Alight, Shown
from warpviz.tui.state import View, page_with, standing

Piece = tuple[Region, list[Strip]]


def frame_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """The screen, exactly `height` strips of exactly `width` columns."""
    still = standing(view)
    places = layout(still, width, height, look)
    return composed(
        [*_still_pieces(still, width, height, look), *_moving_pieces(view, places, look)], width, height, look
    )


def composed(pieces: Iterable[Piece], width: int, height: int, look: Look) -> list[Strip]:
    """Regions side by side and one under the other, as whole lines. Regions do not overlap."""
    by_line: list[list[tuple[int, Strip]]] = [[] for _ in range(height)]
    for region, strips in pieces:
        for y, strip in zip(range(region.y, region.bottom), strips, strict=False):
            if 0 <= y < height:
                by_line[y].append((region.x, strip))
    return [_line(sorted(line, key=lambda part: part[0]), width, look) for line in by_line]


def moment_of(view: View) -> Moment | None:
    """What is seen of the present access."""
    return None if view.shown is None else Moment(view.shown, view.position, view.top, alight(view, view.shown))


def pinned_moment(view: View, places: Layout) -> Moment | None:
    """What is seen of A, in step with the present access: its rows turn whole pages by themselves."""
    if view.pinned is None:
        return None
    shown = view.pinned.shown
    position = min(view.position, shown.end)
    page = max(places.pinned_picture.height - HEAD_ROWS, 1)
    row = shown.row_of_step(position - 1) if 0 < position < shown.end else 0
    return Moment(shown, position, page_with(row, page, len(shown.rows)), alight(view, shown))


def alight(view: View, shown: Shown) -> Alight:
    """What stands out in the picture of this access."""
    return shown.with_place_of(view.lane) if view.lit == "place" else shown.with_lane(view.lane)


@lru_cache(maxsize=4)
def _still_pieces(view: View, width: int, height: int, look: Look) -> list[Piece]:
    """What the animation leaves alone. view: as `standing` makes it."""
    places = layout(view, width, height, look)
    pieces: list[Piece] = [
        (places.title, [head.title_strip(view, width, look)]),
        (places.expression, [head.expression_strip(view, width, look)]),
        (places.lane, head.lane_strips(view, width, look)),
        (places.remark, head.remark_strips(view, width, look)),
        (places.facts, foot.fact_strips(view, width, places.facts.height, look)),
    ]
    if places.side:
        pieces.append((places.side, foot.side_strips(view, *places.side.size, look)))
    if places.panel:
        pieces.append((places.panel, panel_strips(view, *places.panel.size, look)))
    if view.pinned is not None and places.caption:
        a, b = view.pinned.pattern, view.pattern
        above_a = head.caption_strip("A", a, b, view.pinned.values, places.pinned_caption.width, look)
        above_b = head.caption_strip("B", b, a, view.named_values, places.caption.width, look)
        pieces += [(places.pinned_caption, [above_a]), (places.caption, [above_b])]
    return pieces


def _moving_pieces(view: View, places: Layout, look: Look) -> list[Piece]:
    pieces: list[Piece] = [
        (places.status, [foot.status_strip(view, places.status.width, places.body, look)]),
    ]
    moments = [(places.picture, moment_of(view)), (places.pinned_picture, pinned_moment(view, places))]
    for region, moment in moments:
        if region and moment:
            pieces.append((region, memory_strips(moment, *region.size, look)))
    return pieces


def _line(parts: list[tuple[int, Strip]], width: int, look: Look) -> Strip:
    """Strips at their places on one line."""
    if len(parts) == 1 and parts[0][0] == 0 and parts[0][1].cell_length == width:
        return parts[0][1]
    strips, x = [], 0
    for start, strip in parts:
        strips += [strip_of([], start - x, look), strip]
        x = start + strip.cell_length
    return Strip.join([*strips, strip_of([], width - x, look)]).simplify()
