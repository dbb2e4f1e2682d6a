"""The replay's whole screen but for the keys at its foot, drawn from the view alone."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region
from textual.strip import Strip

from warpviz.tui.render import picture
from warpviz.tui.render.frame import Piece, composed
from warpviz.tui.render.geometry import SIDE_FROM, side_width
from warpviz.tui.render.layout import NOWHERE
from warpviz.tui.render.memory import canvas_of
from warpviz.tui.render.replay_facts import (
    access_strips,
    cost_strip,
    position_strip,
    rows_wanted,
    source_strips,
    status_strip,
    title_strip,
)
from warpviz.tui.render.replay_timeline import chart_strips, tick_strip
from warpviz.tui.render.replay_words import touching, word_strips
from warpviz.tui.render.text import Look
from warpviz.tui.state.replay import ReplayView

_SMALL_UNDER, _ROOMY_FROM = 23, 29  # rows
_BANKS = frozenset[int]()


@dataclass(frozen=True)
class Places:
    """The regions of the screen. words: of shared memory, its heading in the first row; without area where the block
    has none."""

    title: Region
    chart: Region
    ticks: Region
    position: Region
    source: Region
    cost: Region
    access: Region
    words: Region
    status: Region

    @property
    def body(self) -> int:
        """How many rows of shared memory fit."""
        return max(self.words.height - 1, 0)


def places_of(view: ReplayView, width: int, height: int) -> Places:
    """The regions for this block on a screen of width x height characters; they stand still from access to access."""
    small, roomy = height < _SMALL_UNDER, height >= _ROOMY_FROM
    chart = 3 if roomy else 1
    position = 2 + chart
    side = side_width(width) if width >= SIDE_FROM else 0
    source = 0 if side else 1 if small else 5 if roomy else 3
    cost = position + 1 + source
    middle = Region(0, cost + 1, width - side, max(height - 1 - cost - 1, 0))
    rows = view.trace.words.rows if view.trace and view.trace.words else 0
    least = 3 if small else 9 if roomy else 4
    if rows and view.trace is not None:
        access = min(max(middle.height - 1 - rows, min(least, 1 + rows_wanted(view.trace))), middle.height)
    else:
        access = middle.height
    beside = Region(width - side, cost + 1, side, middle.height)
    return Places(
        title=Region(0, 0, width, 1),
        chart=Region(0, 1, width, chart),
        ticks=Region(0, 1 + chart, width, 1),
        position=Region(0, position, width, 1),
        source=beside if side else Region(0, position + 1, width, source),
        cost=Region(0, cost, width, 1),
        access=Region(0, middle.y, middle.width, access),
        words=Region(0, middle.y + access, middle.width, middle.height - access) if rows else NOWHERE,
        status=Region(0, height - 1, width, 1),
    )


def replay_strips(view: ReplayView, width: int, height: int, look: Look) -> list[Strip]:
    """The screen, exactly `height` strips of exactly `width` columns."""
    places = places_of(view, width, height)
    pieces: list[Piece] = [
        (places.title, [title_strip(view, width, look)]),
        (places.position, [position_strip(view, width, look)]),
        (places.status, [status_strip(view, places.body, width, look)]),
    ]
    trace = view.trace
    if trace is not None and view.now is not None:
        canvas = canvas_of(places.access.width, look)
        pieces += [
            (places.chart, chart_strips(trace, width, places.chart.height, look)),
            (places.ticks, [tick_strip(trace, width, view.position, look)]),
            (places.source, source_strips(view, *places.source.size, look)),
            (places.cost, [cost_strip(view, width, look)]),
            (places.access, access_strips(view, canvas, places.access.height)),
        ]
        if places.words:
            columns = frozenset(c for row in touching(trace, view.position).values() for c, _, _ in row)
            heading = picture.heading_strip(canvas, "pass", _BANKS, columns)
            pieces.append((places.words, [heading, *word_strips(view, canvas, places.body)]))
    return composed(pieces, width, height, look)
