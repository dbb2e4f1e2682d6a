"""Where the explorer's regions stand, worked out from the view and the size alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.geometry import Region

from warpviz.tui.render import head
from warpviz.tui.render.geometry import SIDE_FROM, geometry, side_width
from warpviz.tui.render.memory import rows_wanted
from warpviz.tui.render.panel import panel_height
from warpviz.tui.render.picture import HEAD_ROWS
from warpviz.tui.render.text import Look
from warpviz.tui.state import View

COMPACT_UNDER = 29  # rows under which facts take one line each and no line is left blank
MOST_LINES = 2  # for a sentence under the expression
_LEAST_ROWS = 3  # of the memory, beside a panel or another picture
_ROOMY_CELL = 2  # characters of a column that two pictures have at least, side by side
_GAP = 2  # columns between them
_LEAST_PICTURE = 1 + HEAD_ROWS + 1  # rows of one of two pictures: its caption, its head, a row of memory

NOWHERE = Region(0, 0, 0, 0)


@dataclass(frozen=True)
class Layout:
    """The regions of a screen; one without area is not shown.

    picture: of the present access; its caption, when there are two. pinned_picture, pinned_caption: of A.
    """

    title: Region
    expression: Region
    lane: Region
    remark: Region
    pinned_caption: Region
    pinned_picture: Region
    caption: Region
    picture: Region
    side: Region
    panel: Region
    status: Region
    facts: Region

    @property
    def body(self) -> int:
        """How many memory rows fit in the picture."""
        return max(self.picture.height - HEAD_ROWS, 0)


@lru_cache(maxsize=8)
def layout(view: View, width: int, height: int, look: Look) -> Layout:
    """The regions for this view, as `standing` makes it, on a screen of width x height characters."""
    comparing = view.pinned is not None
    wide = width >= SIDE_FROM and not comparing
    compact = height < COMPACT_UNDER
    lane = min(max(len(head.lane_strips(view, width, look)), 1), MOST_LINES)
    in_side = wide and view.panel != "sweep"
    remark = 0 if wide or (compact and (comparing or view.panel)) else len(head.remark_strips(view, width, look))
    remark = min(remark, MOST_LINES)
    facts = 0 if wide else 2 if compact or comparing else 3
    top = 2 + lane + remark + (0 if compact else 1)
    status = height - facts - 1
    middle = Region(0, top, width, max(status - top, 0))
    side, middle = _beside(middle, side_width(width) if wide else 0)
    panel, middle = _under(view, middle, look) if view.panel and not in_side else (NOWHERE, middle)
    pictures = _two(view, middle) if view.pinned else None
    pinned_caption, pinned_picture, caption, picture = pictures or (NOWHERE, NOWHERE, NOWHERE, middle)
    return Layout(
        title=Region(0, 0, width, 1),
        expression=Region(0, 1, width, 1),
        lane=Region(0, 2, width, lane),
        remark=Region(0, 2 + lane, width, remark),
        pinned_caption=pinned_caption,
        pinned_picture=pinned_picture,
        caption=caption,
        picture=picture,
        side=side,
        panel=panel,
        status=Region(0, status, width, 1),
        facts=Region(0, status + 1, width, facts),
    )


def _beside(middle: Region, columns: int) -> tuple[Region, Region]:
    """The panels at the right, and what is left at the left."""
    if not columns:
        return NOWHERE, middle
    left, right = middle.split_vertical(middle.width - columns)
    return right, left


def _under(view: View, middle: Region, look: Look) -> tuple[Region, Region]:
    """A panel under the picture, and what is left above it: the panel takes what the picture does not need.

    A chart is as high whatever the picture needs, so that it stands still while the knob turns.
    """
    wanted = panel_height(view, middle.width, look)
    picture = rows_wanted(view.shown, middle.width) if view.shown else HEAD_ROWS
    spare = middle.height * 3 // 5 if view.panel == "sweep" else max(middle.height - picture, middle.height // 2)
    least = HEAD_ROWS + _LEAST_ROWS if view.pinned is None else _least_of_two(middle)
    rows = min(wanted, spare, max(middle.height - least, 0))
    above, panel = middle.split_horizontal(middle.height - rows)
    return panel, above


def _least_of_two(middle: Region) -> int:
    """The rows without which A and B are not shown."""
    return _LEAST_PICTURE if _side_by_side(middle) else 2 * _LEAST_PICTURE


def _side_by_side(middle: Region) -> bool:
    return geometry((middle.width - _GAP) // 2).cell >= _ROOMY_CELL


def _two(view: View, middle: Region) -> tuple[Region, Region, Region, Region] | None:
    """A's caption and picture, then B's: side by side where columns stay legible, else one under the other; None
    where neither fits."""
    half = (middle.width - _GAP) // 2
    if _side_by_side(middle):
        left, right = Region(0, middle.y, half, middle.height), middle.split_vertical(half + _GAP)[1]
    else:
        left, right = middle.split_horizontal(_lines_of_first(view, middle))
    if min(left.height, right.height) < _LEAST_PICTURE:
        return None
    return (*left.split_horizontal(1), *right.split_horizontal(1))


def _lines_of_first(view: View, middle: Region) -> int:
    """How many of the lines A takes when B stands under it: half of them, and what B does not need."""
    if view.pinned is None or view.shown is None:
        return 0
    first, second = (1 + rows_wanted(shown, middle.width) for shown in (view.pinned.shown, view.shown))
    half = middle.height // 2
    return min(first, max(half, middle.height - second), middle.height - _LEAST_PICTURE)
