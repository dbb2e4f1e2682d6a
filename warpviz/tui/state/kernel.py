"""The kernel screen's state: one frozen KernelView, and pure functions from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from warpviz.kernel.counting import LineKind
from warpviz.kernel.lines import LineCost, hottest_first
from warpviz.tui.code_table import CodeRow, Order
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.kernel_launch import AskedKernel
from warpviz.tui.measured_kernel import MeasuredKernel
from warpviz.tui.measuring import NOT_LOOKED, Measuring
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.state.kernel_complaint import KernelComplaint
from warpviz.tui.state.kernel_work import RESTS, Work
from warpviz.tui.state.scrolling import follow

KernelPanel = Literal["", "complaint", "totals", "hazards", "notes", "evidence"]


@dataclass(frozen=True)
class KernelView:
    """What is on the kernel's screen.

    asked: the kernel and its launch as they were asked for last. work: what is done for it now. shown: the last one
    that could be shown; None before the first. found: the last one that could be compiled. complaint: why what was
    asked for last is not shown; None when it is. chosen: the access that the cursor is on; None where there is none.
    order: of the rows; top: the first one in sight. panel: which one is open; panel_top: its first line in sight.
    measuring: how far the measurement of the kernel shown is. measured: what a GPU showed of it. notice: a sentence
    about the last key.
    """

    asked: KernelToOpen
    work: Work = RESTS
    shown: Interpreted | None = None
    found: AskedKernel | None = None
    complaint: KernelComplaint | None = None
    chosen: LineKind | None = None
    order: Order = "source"
    top: int = 0
    panel: KernelPanel = ""
    panel_top: int = 0
    measuring: Measuring = NOT_LOOKED
    measured: MeasuredKernel | None = None
    notice: str = ""

    @property
    def rows(self) -> tuple[CodeRow, ...]:
        """The rows of the code, in the order of now."""
        return () if self.shown is None else self.shown.table.rows(self.order)

    @property
    def place(self) -> int | None:
        """The row that the cursor is on."""
        places = (place for place, row in enumerate(self.rows) if row.cost is not None and row.kind == self.chosen)
        return next(places, None)

    @property
    def cost(self) -> LineCost | None:
        """What the chosen access costs."""
        return None if self.place is None else self.rows[self.place].cost


def begin(view: KernelView, asked: KernelToOpen) -> KernelView:
    """This is asked for; the old one stays in sight until it is there."""
    return replace(view, asked=asked, work=Work("compiling"), notice="")


def arrived(view: KernelView, shown: Interpreted) -> KernelView:
    """What was asked for is there: the cursor stays on its access, or near its line; at first on the most wasteful."""
    before = view.shown if view.shown is not None and view.shown.name == shown.name else None
    chosen = _kept(view.chosen, before, shown)
    panel = "" if view.panel == "complaint" else view.panel
    after = replace(
        view,
        work=RESTS,
        shown=shown,
        found=shown.found,
        complaint=None,
        chosen=chosen,
        panel=panel,
        measuring=NOT_LOOKED,
        measured=None,
    )
    return after if before else replace(after, top=0, panel_top=0)


def failed(view: KernelView, complaint: KernelComplaint, found: AskedKernel | None) -> KernelView:
    """What was asked for cannot be shown: what is shown stays, and why stands beside it."""
    return replace(
        view, work=RESTS, complaint=complaint, found=found or view.found, panel="complaint", panel_top=0, notice=""
    )


def stopped(view: KernelView) -> KernelView:
    """Nothing is done any more for what was asked for."""
    return replace(view, work=RESTS, notice="stopped")


# The cursor


def move(view: KernelView, by: int, body: int) -> KernelView:
    """The access so many rows of accesses further down."""
    places = _places(view)
    if not places:
        return view
    here = view.place
    at = places.index(here) + by if here is not None else 0
    return choose(view, places[min(max(at, 0), len(places) - 1)], body)


def choose(view: KernelView, row: int, body: int) -> KernelView:
    """The access of this row, if it has one."""
    kind = view.rows[row].kind if 0 <= row < len(view.rows) else None
    return view if kind is None else in_sight(replace(view, chosen=kind), body)


def page(view: KernelView, pages: int, body: int) -> KernelView:
    """So many pages of rows further down, with the cursor on the first access that is in sight there; an upward page:
    the last one. Where all is in sight already, on the last or first access of all."""
    top = _clamped(view, view.top + pages * max(body - 1, 1), body)
    if top == view.top:
        return move(view, pages * len(view.rows), body)
    inside = [place for place in _places(view) if top <= place < top + body]
    chosen = view.rows[inside[0 if pages > 0 else -1]].kind if inside else view.chosen
    return replace(view, top=top, chosen=chosen)


def scroll(view: KernelView, rows: int, body: int) -> KernelView:
    """So many rows further down; the cursor stays on its access."""
    return replace(view, top=_clamped(view, view.top + rows, body))


def turn_order(view: KernelView, body: int) -> KernelView:
    """From the order of the file to the hottest first, and back; the cursor stays on its access."""
    order: Order = "source" if view.order == "hottest" else "hottest"
    return in_sight(replace(view, order=order, top=0), body)


def in_sight(view: KernelView, body: int) -> KernelView:
    """Scrolled so that the cursor is among the rows that fit, with the line that its access belongs to."""
    place = view.place
    if place is None:
        return replace(view, top=_clamped(view, view.top, body))
    top = follow(view.top, place, body, len(view.rows))
    while top > 0 and place - top < body - 1 and not view.rows[top].shows_line:
        top -= 1
    return replace(view, top=top)


# The panels


def show_panel(view: KernelView, panel: KernelPanel) -> KernelView:
    """Open this panel, or close it when it is open."""
    return replace(view, panel="" if panel == view.panel else panel, panel_top=0)


def scroll_panel(view: KernelView, lines: int, most: int) -> KernelView:
    """So many lines of the open panel further down. most: lines that can be out of sight at its top."""
    return replace(view, panel_top=min(max(view.panel_top + lines, 0), most))


def _places(view: KernelView) -> list[int]:
    return [place for place, row in enumerate(view.rows) if row.cost is not None]


def _clamped(view: KernelView, top: int, body: int) -> int:
    return min(max(top, 0), max(len(view.rows) - body, 0))


def _wasted(cost: LineCost) -> float:
    """The part of the kernel's cost that is beyond the access's ideal."""
    ideal = cost.ideal_per_request
    return 0.0 if ideal is None or not cost.cost else cost.share * (1 - ideal / cost.per_request)


def _kept(chosen: LineKind | None, before: Interpreted | None, after: Interpreted) -> LineKind | None:
    """The access that the cursor is on now: of the line with the same text, else of the nearest one; when it was on
    none, the one that wastes most, or the hottest. before: the same kernel, as it was shown."""
    if not after.table.costs:
        return None
    if before is None or chosen is None:
        return max(hottest_first(after.table.costs), key=_wasted).kind
    old = chosen

    def differs(kind: LineKind) -> tuple[bool, bool, int, bool]:
        other_text = after.text(kind.line) != before.text(old.line)
        return (
            other_text,
            (kind.op, kind.space) != (old.op, old.space),
            abs(kind.line - old.line),
            kind.width != old.width,
        )

    return min((cost.kind for cost in after.table.costs), key=differs)
