"""Which rows of the memory are in sight."""

from __future__ import annotations

from dataclasses import replace

from warpviz.tui.state.view import View


def scroll(view: View, rows: int, body: int) -> View:
    """So many memory rows further down. body: rows that fit."""
    total = len(view.shown.rows) if view.shown else 0
    return replace(view, top=min(max(view.top + rows, 0), max(total - body, 0)))


def scroll_panel(view: View, lines: int, most: int) -> View:
    """So many lines of the open panel further down. most: lines that can be out of sight at its top."""
    return replace(view, panel_top=min(max(view.panel_top + lines, 0), most))


def in_sight(view: View, body: int) -> View:
    """Scrolled so that the row that is served now is among the rows that fit."""
    shown = view.shown
    if shown is None:
        return view
    row = shown.row_of_step(view.position - 1) if 0 < view.position < shown.end else 0
    moving = 0 <= view.position < shown.end
    return replace(view, top=follow(view.top, row if moving else view.top, body, len(shown.rows)))


def page_with(row: int, page: int, total: int) -> int:
    """The first row of the page that holds this row; the last page is full.

    >>> page_with(row=9, page=8, total=32), page_with(row=31, page=10, total=32)
    (8, 22)
    """
    return min(row // page * page, max(total - page, 0))


def follow(top: int, row: int, body: int, total: int) -> int:
    """The first row in sight so that `row` is, turning whole pages so that little is written while it moves.

    >>> follow(top=0, row=9, body=8, total=32), follow(top=0, row=7, body=8, total=32)
    (8, 0)
    >>> follow(top=8, row=3, body=8, total=32)
    3
    """
    if top <= row < top + body:
        return min(top, max(total - body, 0))
    page = row - min(1, body - 1) if row >= top + body else row
    return min(max(page, 0), max(total - body, 0))
