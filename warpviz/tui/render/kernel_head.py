"""The line at the top: the kernel, its launch, and whether it is predicted or still on its way."""

from __future__ import annotations

from math import prod

from textual.strip import Strip

from warpviz.hardware import base_arch
from warpviz.kernel.interpret import Outcome
from warpviz.model.rules import MEASURED_ARCH
from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render.kernel_measured import measured_in_a_word
from warpviz.tui.render.text import Look, Part, between, length, printable, strip_of
from warpviz.tui.state.kernel import KernelView
from warpviz.tui.state.kernel_work import Work
from warpviz.wording import counted

_APART = 3  # columns between what is said at the left and at the right


def title_strip(view: KernelView, width: int, look: Look) -> Strip:
    """Of what is said at the right as much as fits, what is done now in any case."""
    bar = look.palette.bar
    file = printable(view.asked.path.name)
    name = printable(view.shown.name) if view.shown else ""
    lefts = [[(f" {name}", look.palette.strong), (f"  {file}", bar)], [(f" {name}", look.palette.strong)]]
    if not name:
        lefts = [[(f" {file}", look.palette.strong)]]
    now = work_text(view.work) or _kind(view, look.glyphs)
    facts = [*_launch(view), now]
    rights = [facts[first:] for first in range(len(facts))]
    tries = ((left, _right(right, look, bar)) for right in rights for left in lefts)
    parts = next((pair for pair in tries if length(pair[0]) + _APART + length(pair[1]) <= width), (lefts[-1], []))
    return strip_of([(text, style + bar) for text, style in between(*parts, width, look)], width, look, bar)


def _kind(view: KernelView, glyphs: Glyphs) -> str:
    """What the numbers are, or how far they are from being measured."""
    if view.shown is None:
        return ""
    if view.measuring.stage == "running":
        return f"measuring: {view.measuring.said}"
    if view.complaint is not None:
        return "not the latest, x: why"
    if view.shown.outcome.stuck is not None:
        return "does not end"
    return "predicted" if view.measured is None else measured_in_a_word(view.measured, glyphs)


def part_of_it(outcome: Outcome) -> str:
    """Why the counts are not those of the whole launch; empty where they are."""
    if outcome.stuck is not None:
        return f"it does not end, and the counts are those until then: line {outcome.stuck.line} waits for ever"
    if outcome.is_sample:
        blocks = counted(prod(outcome.launch.grid), "block")
        return f"the counts are those of a sample: {outcome.statistics.blocks:,} of {blocks}, spread over the grid"
    return ""


def work_text(work: Work) -> str:
    """What is done now; empty when nothing is."""
    if work.stage == "interpreting":
        return f"interpreting {work.done:,} of {work.blocks:,} blocks"
    return work.stage


def _launch(view: KernelView) -> list[str]:
    """What goes first when there is little room comes first."""
    if view.shown is None:
        return []
    launch, arch = view.shown.prepared.launch, view.shown.prepared.arch
    measured = base_arch(arch) == MEASURED_ARCH
    threads = counted(prod(launch.grid) * prod(launch.block), "thread")
    grid, block = ("x".join(map(str, trimmed(extent))) for extent in (launch.grid, launch.block))
    return [threads, arch if measured else f"{arch} (assumed)", f"grid {grid}, block {block}"]


def trimmed(extent: tuple[int, int, int]) -> tuple[int, ...]:
    """Without the ones at its end.

    >>> trimmed((32, 8, 1)), trimmed((1, 1, 1))
    ((32, 8), (1,))
    """
    sizes = list(extent)
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    return tuple(sizes)


def _right(facts: list[str], look: Look, style: object) -> list[Part]:
    said = f" {look.glyphs.dot} ".join(fact for fact in facts if fact)
    return [(f"{said} ", look.palette.bar)] if said else []
