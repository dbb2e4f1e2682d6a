"""The mouse: what a click on the explorer's frame changes."""

from __future__ import annotations

from dataclasses import replace

from textual.geometry import Region

from warpviz.tui.render.chart import value_at
from warpviz.tui.render.frame import moment_of
from warpviz.tui.render.head import knob_under
from warpviz.tui.render.layout import Layout
from warpviz.tui.render.memory import block_under, column_under
from warpviz.tui.render.panel import chart_of
from warpviz.tui.render.picture import HEAD_ROWS
from warpviz.tui.render.text import Look
from warpviz.tui.shown import Shown
from warpviz.tui.state import View, choose_lane, sweep_to, swept_value, turn_knob

_HEADING_ROW = HEAD_ROWS - 1


def pointed(view: View, places: Layout, look: Look, x: int, y: int) -> View:
    """The view after a click: a knob is chosen, or turned by its arrow; a lane's number or block chooses the lane; the
    heading of a bank, or bytes of a sector that nobody asked for, light up all that lies there; in the chart the knob
    turns to the value."""
    if places.expression.contains(x, y):
        under = knob_under(view, places.expression.width, x, look)
        if under is None:
            return view
        knob, way = under
        return turn_knob(view, way) if way else replace(view, knob=knob)
    if places.panel.contains(x, y) and view.panel == "sweep":
        chart = chart_of(view.sweeping, swept_value(view))
        value = None if chart is None else value_at(chart, places.panel.width, x - places.panel.x)
        return view if value is None else sweep_to(view, value)
    if places.picture.contains(x, y) and view.shown is not None:
        return _in_picture(view, view.shown, places.picture, x - places.picture.x, y - places.picture.y)
    return view


def _in_picture(view: View, shown: Shown, picture: Region, x: int, y: int) -> View:
    moment = moment_of(view)
    column = column_under(picture.width, x)
    if moment is None or column is None:
        return view
    if y < _HEADING_ROW:
        return replace(choose_lane(view, column), lit="lane")
    if y == _HEADING_ROW:
        return _lit_place(view, shown, _lane_in_column(shown, column))
    block = block_under(moment, picture.width, picture.height, x, y)
    if block is None:
        return view
    if not block.lanes:
        return _lit_place(view, shown, shown.schedule.steps[block.step].lanes[0])
    again = view.lane in block.lanes
    lane = block.lanes[(block.lanes.index(view.lane) + 1) % len(block.lanes)] if again else block.lanes[0]
    return replace(choose_lane(view, lane), lit="lane")


def _lane_in_column(shown: Shown, column: int) -> int | None:
    """The lowest lane that wants a word in a bank."""
    if shown.schedule.unit != "pass":
        return None
    cells = [cell for step in shown.schedule.steps for cell in step.cells if cell.column == column]
    return min((lane for cell in cells for lane in cell.lanes), default=None)


def _lit_place(view: View, shown: Shown, lane: int | None) -> View:
    return view if lane is None else replace(choose_lane(view, lane), lit="place")
