"""A beside B in figures: what each costs, what each was measured at, and the difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.render.facts import Fact, Tone, cost_counts
from warpviz.tui.render.measured import figure
from warpviz.tui.shown import Shown
from warpviz.tui.state import Pinned, View
from warpviz.wording import counted, plural

if TYPE_CHECKING:
    from warpviz.gpu import Measurement

Piece = tuple[str, Tone]


def comparison(view: View, pinned: Pinned, glyphs: Glyphs) -> list[Fact]:
    """The facts, the most telling first: predicted, then measured."""
    if view.shown is None:
        return []
    return [
        Fact("predicted", tuple(_predicted(pinned.shown, view.shown))),
        _measured(pinned.measuring.measurement, view.measuring.measurement, glyphs),
    ]


def _predicted(a: Shown, b: Shown) -> Iterator[Piece]:
    of_a, of_b = cost_counts(a), cost_counts(b)
    telling = [unit for place, unit in enumerate(of_a) if place == 0 or of_a[unit] != of_b.get(unit, of_a[unit])]
    for letter, counts in (("A", of_a), ("B", of_b)):
        said = [unit for unit in counts if unit in telling] or list(counts)[:1]
        yield f"{letter}  " + ", ".join(counted(counts[unit], unit) for unit in said), "strong"
    for unit in telling:
        if unit in of_b:
            yield _difference(of_b[unit] - of_a[unit], unit)


def _difference(by: int, unit: str) -> Piece:
    """How B differs from A, in words."""
    if by == 0:
        return f"as many {plural(0, unit)}", "quiet"
    return f"{counted(abs(by), unit)} {'fewer' if by < 0 else 'more'}", "good" if by < 0 else "bad"


def _measured(a: Measurement | None, b: Measurement | None, glyphs: Glyphs) -> Fact:
    origins = {one.origin for one in (a, b) if one is not None}
    mixed = len(origins) > 1
    said: list[Piece] = []
    for letter, measurement in (("A", a), ("B", b)):
        number = "not measured" if measurement is None else figure(measurement, glyphs) or "not measurable here"
        origin = f" {measurement.origin}" if mixed and measurement is not None else ""
        said.append((f"{letter}  {number}{origin}", "text" if measurement else "quiet"))
    if a is not None and b is not None:
        said += [*_cycles(a, b), *_throughput(a, b)]
    return Fact("measured" if mixed or not origins else origins.pop(), tuple(said))


def _cycles(a: Measurement, b: Measurement) -> Iterator[Piece]:
    """How many cycles an access takes fewer or more, where the repeats lie closer together than that."""
    if a.wavefronts is None or b.wavefronts is None:
        return
    by = b.wavefronts.cycles_per_access - a.wavefronts.cycles_per_access
    if abs(by) <= a.wavefronts.spread + b.wavefronts.spread:
        yield "as many cycles an access", "quiet"
    else:
        tone: Tone = "good" if by < 0 else "bad"
        yield f"{abs(by):.2f} cycles {'fewer' if by < 0 else 'more'} an access", tone


def _throughput(a: Measurement, b: Measurement) -> Iterator[Piece]:
    from warpviz.gpu import Bandwidth

    if isinstance(a.bandwidth, Bandwidth) and isinstance(b.bandwidth, Bandwidth):
        rates = a.bandwidth.useful_gb_per_second, b.bandwidth.useful_gb_per_second
        yield f"{rates[0]:,.0f} to {rates[1]:,.0f} GB/s used", "good" if rates[1] >= rates[0] else "bad"
