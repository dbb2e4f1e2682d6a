"""The explorer's regions, each drawn from the view alone."""

from __future__ import annotations

from functools import lru_cache

from textual.strip import Strip

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render import panels, picture
from warpviz.tui.render.facts import Fact, joined, lane_fact, predicted
from warpviz.tui.render.geometry import Geometry, geometry
from warpviz.tui.render.measured import measured
from warpviz.tui.render.picture import HEAD_ROWS, Canvas
from warpviz.tui.render.text import Look, strip_of
from warpviz.tui.rows import MemoryRow, Row
from warpviz.tui.shown import Shown
from warpviz.tui.state import View

BROAD_CELL = 3  # characters of a column from which rows may be several lines high
HIGHEST_ROW = 3
COMPACT_UNDER = 30  # screen rows under which the facts take one line each


@lru_cache(maxsize=32)
def canvas_of(width: int, look: Look) -> Canvas:
    """The canvas for a picture of this width: the same object for the same arguments, which the row cache needs."""
    return Canvas(geometry(width), look, width)


def lane_strips(view: View, width: int, look: Look) -> list[Strip]:
    """Under the expression: what is wrong with it, or the chosen lane's numbers."""
    if view.error:
        return panels.error_strips(view, width, look, text_at=1)
    return [_lane_strip(view.shown, view.lane, width, look)] if view.shown else []


def picture_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """The lanes, the heading, and as many of the memory's rows as fit, from `view.top` on."""
    shown = view.shown
    if shown is None:
        return []
    canvas = canvas_of(width, look)
    head = _head(canvas, shown, view.lane)
    states = picture.lane_state_strip(canvas, shown.lane_steps, shown.lane_colours, view.position)
    body = _body(shown, view.top, canvas.geometry, height - HEAD_ROWS)
    rows = [picture.row_strip(canvas, row, view.position, view.lane, bare) for row, bare in body]
    return [head[0], states, head[1], *rows]


def status_strips(view: View, width: int, body: int, look: Look) -> list[Strip]:
    """The animation's place and, when not all rows fit, which are in sight. body: memory rows that fit."""
    total = len(view.shown.rows) if view.shown else 0
    rows = ""
    if total > body > 0:
        rows = f"rows {view.top + 1}-{min(view.top + body, total)} of {total}"
    return [panels.status_strip(view, width, look, rows)]


def fact_strips(view: View, width: int, height: int, look: Look) -> list[Strip]:
    """Predicted and measured, in the lines under the picture."""
    if view.shown is None:
        return []
    costs = _predicted(view.shown, look.glyphs)
    if len(costs) >= height:
        costs = (joined(costs),)
    shown = joined(measured(view, look.glyphs))
    if not panels.fits(shown, width, look):
        shown = joined(measured(view, look.glyphs, brief=True))
    return [panels.fact_strip(fact, width, look) for fact in (*costs, shown)]


def side_strips(view: View, width: int, look: Look) -> list[Strip]:
    """The facts and everything that the scene says, beside the picture."""
    if view.shown is None:
        return []
    facts = [*_predicted(view.shown, look.glyphs), *measured(view, look.glyphs)]
    facts += panels.remark_facts(view)
    return [strip_of([], width, look.palette.blank), *panels.tall_fact_strips(facts, width, look)]


def lane_at(view: View, width: int, height: int, x: int, y: int) -> int | None:
    """The lane that a place of the picture shows: in the head its own column; in a block its first lane, or the one
    after the chosen lane when that is in it. width, height: of the picture."""
    where = geometry(width)
    column = where.column_at(x)
    if view.shown is None or column is None:
        return None
    if y < HEAD_ROWS - 1:
        return column
    rows = _body(view.shown, view.top, where, height - HEAD_ROWS)
    if not HEAD_ROWS <= y < HEAD_ROWS + len(rows):
        return None
    for block in getattr(rows[y - HEAD_ROWS][0], "blocks", ()):
        if block.lanes and block.column <= column < block.column + block.span:
            lanes: tuple[int, ...] = block.lanes
            return lanes[(lanes.index(view.lane) + 1) % len(lanes)] if view.lane in lanes else lanes[0]
    return None


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
def _head(canvas: Canvas, shown: Shown, lane: int) -> tuple[Strip, Strip]:
    return (
        picture.lane_number_strip(canvas, shown.active(), lane),
        picture.heading_strip(canvas, shown.schedule.unit, shown.busy, shown.columns_of(lane)),
    )


@lru_cache(maxsize=64)
def _lane_strip(shown: Shown, lane: int, width: int, look: Look) -> Strip:
    fact = lane_fact(shown, lane, look.glyphs)
    if not panels.fits(fact, width, look):
        fact = lane_fact(shown, lane, look.glyphs, brief=True)
    return panels.fact_strip(fact, width, look)


@lru_cache(maxsize=64)
def _predicted(shown: Shown, glyphs: Glyphs) -> tuple[Fact, ...]:
    return predicted(shown, glyphs)
