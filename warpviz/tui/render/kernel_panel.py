"""The open panel of the kernel screen: why it is not shown, its totals, its hazards, what else there is to know."""

from __future__ import annotations

from collections.abc import Iterator

from textual.strip import Strip

from warpviz.tui.interpreted import Interpreted
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.render.kernel_measured import evidence_facts
from warpviz.tui.render.kernel_totals import total_strips
from warpviz.tui.render.lines import whole_piece_strips, window
from warpviz.tui.render.panel import panel_title
from warpviz.tui.render.text import Look, Part, cut, flow, printable, strip_of
from warpviz.tui.state.kernel import KernelPanel, KernelView
from warpviz.tui.state.kernel_complaint import KernelComplaint, Problem
from warpviz.wording import counted

_TITLES: dict[KernelPanel, str] = {
    "complaint": "this cannot be shown",
    "totals": "totals, by Nsight Compute's names",
    "hazards": "hazards",
    "evidence": "what was measured, and how",
    "notes": "what the compiler makes of the accesses, and notes",
}
_NO_HAZARD = "none: no race in shared memory, no barrier missed, no read of what nobody wrote"
_AROUND = 2  # lines of the file before and after the one that is wrong
_MARGIN = 7  # columns before a line of the file


def panel_strips(view: KernelView, width: int, height: int, look: Look) -> list[Strip]:
    """The open panel: its title, and as much of it as fits."""
    strips = panel_lines(view, width, look)
    seen = window(strips, view.panel_top, height - 1)
    more = "" if len(seen) == len(strips) else f"{len(seen)} of {len(strips)} lines, page down for more"
    title = "what is shown is older" if view.panel == "complaint" and view.shown else _TITLES[view.panel]
    return [panel_title(title, more, width, look), *seen]


def panel_lines(view: KernelView, width: int, look: Look) -> list[Strip]:
    """All that the open panel says."""
    if view.panel == "complaint":
        return list(_complaint(view.complaint, width, look)) if view.complaint else []
    if view.shown is None:
        return []
    if view.panel == "totals":
        return list(total_strips(view.shown, view.measured, width, look))
    return [strip for fact in _facts(view, view.shown, look) for strip in whole_piece_strips(fact, width, look)]


def _facts(view: KernelView, shown: Interpreted, look: Look) -> Iterator[Fact]:
    if view.panel == "evidence":
        return evidence_facts(view, look.glyphs)
    return _hazards(shown) if view.panel == "hazards" else _notes(shown)


# What is wrong


def _complaint(complaint: KernelComplaint, width: int, look: Look) -> Iterator[Strip]:
    for place, problem in enumerate(complaint.problems):
        if place:
            yield strip_of([], width, look)
        yield from _said(problem, width, look)
        if not problem.file and 0 < problem.line <= len(complaint.lines):
            yield from _excerpt(complaint.lines, problem, width, look)


def _said(problem: Problem, width: int, look: Look) -> Iterator[Strip]:
    where = f"{problem.file}, " if problem.file else ""
    where = f"{where}line {problem.line}: " if problem.line else f"{problem.file}: " if problem.file else ""
    for line in flow([(printable(where + problem.sentence), look.palette.bad)], width - 2):
        yield strip_of([(" ", look.palette.bad), *line], width, look)


def _excerpt(lines: tuple[str, ...], problem: Problem, width: int, look: Look) -> Iterator[Strip]:
    """The line with its neighbours, and under it a mark at the place, which is brought into sight."""
    palette = look.palette
    room = width - _MARGIN - 1
    skipped = max(len(_before(lines, problem)) - room * 3 // 4, 0)
    last = len(lines) if lines[-1] else len(lines) - 1  # behind the end of the last line there is none
    for number in range(max(problem.line - _AROUND, 1), max(min(problem.line + _AROUND, last), problem.line) + 1):
        here = number == problem.line
        text = printable(lines[number - 1].expandtabs(4))[skipped:]
        parts: list[Part] = [(f"{number:>{_MARGIN - 2}}  ", palette.strong if here else palette.quiet)]
        parts.append((text, palette.strong if here else palette.quiet))
        yield strip_of(cut(parts, width, look), width, look)
        if here and problem.column:
            at = len(_before(lines, problem)) - skipped
            yield strip_of([(" " * (_MARGIN + at) + look.glyphs.place, palette.bad)], width, look)


def _before(lines: tuple[str, ...], problem: Problem) -> str:
    """What stands before the place on its line."""
    return lines[problem.line - 1][: max(problem.column - 1, 0)].expandtabs(4)


# Hazards and notes


def _hazards(shown: Interpreted) -> Iterator[Fact]:
    for hazard in shown.outcome.hazards:
        times: tuple[tuple[str, Tone], ...] = ((counted(hazard.times, "time"), "text"),) if hazard.times > 1 else ()
        yield Fact(hazard.kind, ((hazard.sentence, "bad"), *times))
    if not shown.outcome.hazards:
        yield Fact("hazards", ((_NO_HAZARD, "good"),))


def _notes(shown: Interpreted) -> Iterator[Fact]:
    outcome = shown.outcome
    for finding in outcome.findings:
        yield Fact("compiler", ((finding.sentence, "text"),))
    for notice in outcome.notices:
        yield Fact("note", ((notice, "text"),))
    if not (outcome.findings or outcome.notices):
        yield Fact("findings", (("the machine code makes the accesses that the source asks for", "good"),))
