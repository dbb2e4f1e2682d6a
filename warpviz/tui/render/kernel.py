"""The kernel's whole screen but for the keys at its foot, drawn from the view alone."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region
from textual.strip import Strip

from warpviz.tui.render.frame import Piece, composed
from warpviz.tui.render.kernel_code import MeasuredTable, code_strips, head_strip
from warpviz.tui.render.kernel_facts import access_facts
from warpviz.tui.render.kernel_head import part_of_it, title_strip, work_text
from warpviz.tui.render.kernel_measured import line_facts
from warpviz.tui.render.kernel_panel import panel_lines, panel_strips
from warpviz.tui.render.layout import COMPACT_UNDER, NOWHERE
from warpviz.tui.render.lines import fact_strip, whole_piece_strips
from warpviz.tui.render.panel import panel_title
from warpviz.tui.render.text import Look, cut, printable, strip_of
from warpviz.tui.state.kernel import KernelView

_LEAST_CODE = 5  # rows of it beside a panel


@dataclass(frozen=True)
class KernelLayout:
    """The regions of the screen; one without area is not shown."""

    title: Region
    remark: Region
    head: Region
    code: Region
    panel: Region
    facts: Region


def kernel_layout(view: KernelView, width: int, height: int, look: Look) -> KernelLayout:
    """The regions for this view on a screen of width x height characters."""
    title = Region(0, 0, width, 1)
    if view.shown is None:
        return KernelLayout(title, NOWHERE, NOWHERE, NOWHERE, Region(0, 1, width, height - 1), NOWHERE)
    facts = 4 if height < COMPACT_UNDER else 6
    remark = Region(0, 1, width, 1) if part_of_it(view.shown.outcome) else NOWHERE
    middle = Region(0, 1 + remark.height, width, max(height - 1 - remark.height - facts, 0))
    panel = NOWHERE
    if view.panel:
        wanted = 1 + len(panel_lines(view, width, look))
        rows = min(wanted, max(middle.height // 2, middle.height - 1 - len(view.rows)), middle.height - 1 - _LEAST_CODE)
        middle, panel = middle.split_horizontal(middle.height - max(rows, 0))
    head, code = middle.split_horizontal(1)
    return KernelLayout(title, remark, head, code, panel, Region(0, height - facts, width, facts))


def kernel_strips(view: KernelView, width: int, height: int, look: Look) -> list[Strip]:
    """The screen, exactly `height` strips of exactly `width` columns."""
    places = kernel_layout(view, width, height, look)
    pieces: list[Piece] = [(places.title, [title_strip(view, width, look)])]
    if view.panel:
        pieces.append((places.panel, panel_strips(view, *places.panel.size, look)))
    elif view.shown is None:
        pieces.append((places.panel, _waiting(view, *places.panel.size, look)))
    if view.shown is not None:
        table = MeasuredTable(view.shown.table, view.measured)
        head = head_strip(table, view.order, places.head.width, look)
        code = code_strips(table, view.order, view.top, view.place, *places.code.size, look)
        if places.remark:
            remark = [(f" {printable(part_of_it(view.shown.outcome))}", look.palette.bad)]
            pieces.append((places.remark, [strip_of(cut(remark, width, look), width, look)]))
        pieces += [(places.head, [head]), (places.code, code)]
        pieces.append((places.facts, _fact_strips(view, *places.facts.size, look)))
    return composed(pieces, width, height, look)


def _waiting(view: KernelView, width: int, height: int, look: Look) -> list[Strip]:
    """What is done, and the file as soon as it is compiled."""
    said = work_text(view.work) or view.notice
    palette = look.palette
    more = f"{look.glyphs.ellipsis} esc stops it" if view.work.stage else ""
    lines = [[], [(f" {said}", palette.text), (more, palette.quiet)], []]
    if view.found is not None:
        source = view.found.source.text.split("\n")[:height]
        lines += [[(f"   {printable(line.expandtabs(4))}", palette.quiet)] for line in source]
    return [strip_of(cut(line, width, look), width, look) for line in lines[:height]]


def _fact_strips(view: KernelView, width: int, height: int, look: Look) -> list[Strip]:
    """A rule, and under it what is known of the chosen access, as much as fits."""
    shown, cost = view.shown, view.cost
    if shown is None:
        return []
    more = printable(view.notice)
    if cost is None:
        return [panel_title("this kernel touches no memory", more, width, look)]
    facts = access_facts(shown, cost, line_facts(view, cost.kind, look.glyphs))
    strips = [fact_strip(facts[0], width, look)]
    strips += [strip for fact in facts[1:] for strip in whole_piece_strips(fact, width, look)]
    return [panel_title("the chosen access", more, width, look), *strips[: height - 1]]
