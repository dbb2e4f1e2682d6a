"""The kernel's totals by the names of Nsight Compute's metrics, and beside them what was counted."""

from __future__ import annotations

from collections.abc import Iterator

from textual.strip import Strip

from warpviz.gpu.launching.metrics import METRICS
from warpviz.gpu.measurement import Unavailable
from warpviz.kernel.measured import CounterComparison
from warpviz.model.metrics import metric_names
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.measured_kernel import MeasuredKernel
from warpviz.tui.render.text import Look, Part, cut, flow, length, printable, strip_of

_PREDICTED, _MEASURED = "predicted", "measured"
_WHY_NOT = "the cause is not known"


def total_strips(shown: Interpreted, measured: MeasuredKernel | None, width: int, look: Look) -> Iterator[Strip]:
    """A line for each counter that is not 0; where it was measured, both numbers, and why they differ."""
    counters = None if measured is None else measured.all.counters
    if isinstance(counters, Unavailable):
        for line in flow([(printable(f"not counted: {counters.reason}"), look.palette.quiet)], width - 2):
            yield strip_of([(" ", look.palette.quiet), *line], width, look)
    lines = _predicted(shown, width, look) if not isinstance(counters, tuple) else _both(shown, counters, width, look)
    for line in list(lines) or [[(" it touches no memory", look.palette.quiet)]]:
        yield strip_of(cut(line, width, look), width, look)


def _predicted(shown: Interpreted, width: int, look: Look) -> Iterator[list[Part]]:
    rows = [(key, name, value) for key, of_key in shown.counters.items() for name, value in of_key.items() if value]
    room = max((len(f"{value:,}") for *_, value in rows), default=0)
    for key, quantity, value in rows:
        yield [(f" {value:>{room},}", look.palette.strong), _name(key, quantity, width - room - 1, look)]


def _both(shown: Interpreted, counters: tuple[CounterComparison, ...], width: int, look: Look) -> Iterator[list[Part]]:
    palette = look.palette
    rows = [one for one in _with_the_others(shown, counters) if one.predicted or one.measured]
    room = max([len(_PREDICTED), *(len(f"{max(one.predicted, one.measured or 0):,}") for one in rows)])
    if rows:
        yield [(f" {_PREDICTED:>{room}}  {_MEASURED:>{room}}", palette.quiet)]
    told: set[tuple[str, str]] = set()
    for one in rows:
        numbers: list[Part] = [(f" {one.predicted:>{room},}", palette.strong), *_beside(one, room, look)]
        yield [*numbers, _name(one.key, one.quantity, width - length(numbers), look)]
        for cause in one.causes or ((_WHY_NOT,) if one.is_equal is False else ()):
            if (one.key, cause) not in told:  # its other quantities differ for the same reason
                told.add((one.key, cause))
                margin = " " * (2 * room + 7)
                for line in flow([(printable(cause), palette.quiet)], width - len(margin) - 1):
                    yield [(margin, palette.quiet), *line]


def _with_the_others(shown: Interpreted, counters: tuple[CounterComparison, ...]) -> Iterator[CounterComparison]:
    """All that were predicted, in their order, then those that were only measured."""
    compared = {(one.key, one.quantity): one for one in counters}
    for key, of_key in shown.counters.items():
        for quantity, value in of_key.items():
            yield compared.pop((key, quantity), CounterComparison(key, quantity, value, None))
    yield from compared.values()


def _beside(one: CounterComparison, room: int, look: Look) -> Iterator[Part]:
    palette, glyphs = look.palette, look.glyphs
    if one.measured is None:
        yield f"  {'':>{room}}  ", palette.quiet
    else:
        mark = glyphs.equal if one.is_equal else glyphs.unequal
        yield f"  {one.measured:>{room},} {mark}", palette.good if one.is_equal else palette.bad


def _name(key: str, quantity: str, room: int, look: Look) -> Part:
    """The metric's name, its end in any case, which tells it from the others."""
    name, ellipsis = metric(key, quantity), look.glyphs.ellipsis
    room -= 3  # blanks around it
    shown = name if len(name) <= room else ellipsis + name[len(name) - room + len(ellipsis) :]
    return f"  {shown}", look.palette.text


def metric(key: str, quantity: str) -> str:
    """The full name of the metric of Nsight Compute that counts a quantity of a memory space and op, the first one
    where several add up to it; in words where there is none.

    >>> metric("global_ld", "requests"), metric("shared_ld", "ideal_wavefronts")
    ('l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum', 'shared_ld: ideal wavefronts')
    """
    names = METRICS.get(key, {}).get(quantity)
    if names:
        return names[0]
    of_constants = metric_names("const", "ld").get(quantity) if key == "const_ld" else None
    return of_constants or f"{key}: {quantity.replace('_', ' ')}"
