"""All that was measured of an access, and how: behind the one figure beside the prediction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpviz.tui.glyphs import Glyphs
from warpviz.tui.measuring import Measuring
from warpviz.tui.render.facts import Fact, Tone
from warpviz.tui.render.measured import measured
from warpviz.tui.shown import Shown

if TYPE_CHECKING:
    from warpviz.gpu import Evidence

_TONES: dict[str, Tone] = {"good": "good", "bad": "bad", "plain": "text", "quiet": "quiet"}


def evidence_facts(shown: Shown, measuring: Measuring, glyphs: Glyphs) -> list[Fact]:
    """The verdict with its causes, the time, the counters by name, the machine code, the clocks, the GPU."""
    if measuring.measurement is None:
        return list(measured(shown, measuring, glyphs))
    from warpviz.gpu import evidence

    found = evidence(shown.cost, measuring.measurement)
    return [Fact(one.subject, tuple(_pieces(one, glyphs))) for one in found]


def _pieces(one: Evidence, glyphs: Glyphs) -> Iterator[tuple[str, Tone]]:
    yield _drawn(one.text, glyphs), _TONES[one.tone]
    if one.detail:
        yield one.detail, "quiet"


def _drawn(text: str, glyphs: Glyphs) -> str:
    """With the terminal's own characters."""
    return text.replace("±", glyphs.spread).replace("°C", glyphs.celsius)
