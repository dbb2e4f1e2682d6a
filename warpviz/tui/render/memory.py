"""One access's picture: its lanes, the heading, and the memory's rows in sight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.strip import Strip

from warpviz.hardware import LANES
from warpviz.tui.render import picture
from warpviz.tui.render.geometry import Geometry, geometry
from warpviz.tui.render.picture import HEAD_ROWS, Canvas
from warpviz.tui.render.text import Look
from warpviz.tui.rows import Block, Colour, MemoryRow, Row
from warpviz.tui.shown import Alight, Shown

BROAD_CELL = 3  # characters of a column from which rows may be several lines high
HIGHEST_ROW = 3
_ONE_COLOUR = (Colour(0, 0),) * LANES


@dataclass(frozen=True)
class Moment:
    """What is seen of an access. position: of its animation. top: its first row in sight. alight: what stands out.
    concealed: neither its memory is shown nor the colours of what each lane wants, since they give the cost away."""

    shown: Shown
    position: int
    top: int
    alight: Alight
    concealed: bool = False


@lru_cache(maxsize=32)
def canvas_of(width: int, look: Look) -> Canvas:
    """The canvas for a picture of this width: the same object for the same arguments, which the row cache needs."""
    return Canvas(geometry(width), look, width)


def memory_strips(moment: Moment, width: int, height: int, look: Look) -> list[Strip]:
    """The lanes, the heading, and as many of the memory's rows as fit."""
    canvas, shown = canvas_of(width, look), moment.shown
    numbers, heading = _head(canvas, shown, moment.alight, moment.concealed)
    colours = _ONE_COLOUR if moment.concealed else shown.lane_colours
    states = picture.lane_state_strip(canvas, shown.lane_steps, colours, moment.position)
    if moment.concealed:
        return [numbers, states, heading]
    body = _body(shown, moment.top, canvas.geometry, height - HEAD_ROWS)
    rows = [picture.row_strip(canvas, row, moment.position, moment.alight.lanes, bare) for row, bare in body]
    return [numbers, states, heading, *rows]


def rows_wanted(shown: Shown, width: int) -> int:
    """The lines that a picture of this width fills when it has them."""
    return HEAD_ROWS + len(_body(shown, 0, geometry(width), 10_000))


def column_under(width: int, x: int) -> int | None:
    """The column, 0..31, at character x of a picture of this width."""
    return geometry(width).column_at(x)


def block_under(moment: Moment, width: int, height: int, x: int, y: int) -> Block | None:
    """The block at a place of the picture, if there is one."""
    where = geometry(width)
    column = where.column_at(x)
    rows = _body(moment.shown, moment.top, where, height - HEAD_ROWS)
    if column is None or not HEAD_ROWS <= y < HEAD_ROWS + len(rows):
        return None
    blocks: tuple[Block, ...] = getattr(rows[y - HEAD_ROWS][0], "blocks", ())
    return next((block for block in blocks if block.column <= column < block.column + block.span), None)


def _body(shown: Shown, top: int, where: Geometry, height: int) -> list[tuple[Row, bool]]:
    """The memory's rows in sight, from row `top` on, a line each; up to three where columns are broad and all fit.

    With each line whether it is bare: not the one that carries the row's text.
    """
    times = min(where.cell, HIGHEST_ROW, height // max(len(shown.rows), 1)) if where.cell >= BROAD_CELL else 1
    if times <= 1:
        return [(row, False) for row in shown.rows[top : top + max(height, 0)]]
    lines: list[tuple[Row, bool]] = []
    for row in shown.rows:
        count = times if isinstance(row, MemoryRow) else 1
        lines += [(row, line != (count - 1) // 2) for line in range(count)]
    return lines


@lru_cache(maxsize=64)
def _head(canvas: Canvas, shown: Shown, alight: Alight, concealed: bool) -> tuple[Strip, Strip]:
    busy: frozenset[int] = frozenset() if concealed else shown.busy
    return (
        picture.lane_number_strip(canvas, shown.active(), alight.lanes),
        picture.heading_strip(canvas, shown.schedule.unit, busy, alight.columns),
    )
