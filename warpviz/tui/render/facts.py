"""What an access costs, as facts that a panel lays out: a name and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rich.style import Style

from warpviz.hardware import LINE_BYTES, SECTOR_BYTES, WORD_BYTES
from warpviz.tui.glyphs import Glyphs
from warpviz.tui.palette import Palette
from warpviz.tui.rows import ranges
from warpviz.tui.shown import Shown
from warpviz.wording import counted, plural

Tone = Literal["strong", "text", "quiet", "good", "bad"]
_BAR_CELLS = 12


@dataclass(frozen=True)
class Fact:
    """name: one word. said: pieces of text, each with how it is meant."""

    name: str
    said: tuple[tuple[str, Tone], ...]


def tone_style(palette: Palette, tone: Tone) -> Style:
    """The style of a tone."""
    style: Style = getattr(palette, tone)
    return style


def predicted(shown: Shown, glyphs: Glyphs) -> tuple[Fact, ...]:
    """The predicted cost and what makes it so."""
    if shown.schedule.unit == "pass":
        return tuple(_shared(shown))
    if shown.schedule.unit == "sector":
        return tuple(_global(shown, glyphs))
    requests = _first(shown.cost.requests)
    return (Fact("predicted", ((counted(requests, "request"), "strong"), _constant_remark(requests))),)


def cost_counts(shown: Shown) -> dict[str, int]:
    """What an access costs, by its unit: passes; sectors and requests; or requests."""
    cost = shown.cost
    if shown.schedule.unit == "pass":
        return {"pass": _first(cost.wavefronts)}
    if shown.schedule.unit == "sector":
        return {"sector": _first(cost.sectors), "request": _first(cost.requests)}
    return {"request": _first(cost.requests)}


def joined(facts: tuple[Fact, ...]) -> Fact:
    """Several facts as one, under the first one's name."""
    return Fact(facts[0].name, tuple(piece for fact in facts for piece in fact.said))


def lane_fact(shown: Shown, lane: int, glyphs: Glyphs, brief: bool = False) -> Fact:
    """The chosen lane: its numbers substituted, and where its bytes lie. brief: the last substitution alone."""
    step = shown.lane_steps[lane]
    if step is None:
        return Fact(f"lane {lane}", (("takes no part", "quiet"),))
    substituted = shown.evaluation.substituted(lane)
    numbers = substituted[-1] if brief else f" {glyphs.gives} ".join(substituted)
    places = _places(shown, lane, int(shown.access.addresses[0, lane]))
    order = f"{shown.schedule.unit if shown.schedule.unit != 'sector' else 'step'} {step + 1}"
    return Fact(f"lane {lane}", ((numbers, "strong"), *((place, "text") for place in (*places, order))))


def _places(shown: Shown, lane: int, address: int) -> Iterator[str]:
    """The byte that a lane begins at, and the parts of memory that hold it."""
    yield f"byte {address:,}"
    if shown.schedule.unit == "sector":
        line = address // LINE_BYTES * LINE_BYTES
        yield f"line {line:+,}"
        yield f"its sector {(address - line) // SECTOR_BYTES}"
        return
    yield f"word {address // WORD_BYTES:,}"
    if shown.schedule.unit == "pass":
        banks = sorted(shown.columns_of(lane))
        yield f"{plural(len(banks), 'bank')} {ranges(banks)}"


def _shared(shown: Shown) -> Iterator[Fact]:
    total, ideal, conflicts = (
        _first(n) for n in (shown.cost.wavefronts, shown.cost.ideal_wavefronts, shown.cost.conflicts)
    )
    tone: Tone = "bad" if conflicts else "good"
    yield Fact(
        "predicted",
        ((counted(total, "pass"), "strong"), (counted(conflicts, "conflict"), tone), (f"ideal {ideal}", "text")),
    )
    if shown.busy:
        banks = sorted(shown.busy)
        names = f"fullest {plural(len(banks), 'bank')} {ranges(banks)}"
        yield Fact("why", ((names, "text"), (_queue(shown, banks[0]), "quiet")))


def _queue(shown: Shown, bank: int) -> str:
    """How many words one of the fullest banks serves, in its fullest phase when there are several."""
    words: dict[int, set[int]] = {}
    for step in shown.schedule.steps:
        words.setdefault(step.phase, set()).update(cell.word for cell in step.cells if cell.column == bank)
    most = max(map(len, words.values()))
    if most == 1:
        return "lanes take turns"
    within = " in a phase" if len(words) > 1 else ""
    return f"{most} words each{within}" if len(shown.busy) > 1 else f"{most} words{within}, one a pass"


def _global(shown: Shown, glyphs: Glyphs) -> Iterator[Fact]:
    cost = shown.cost
    sectors, used = _first(cost.sectors), _first(cost.bytes_used)
    yield Fact("predicted", ((counted(sectors, "sector"), "strong"),))
    moved = sectors * SECTOR_BYTES
    if moved:
        share = used / moved
        full = min(_BAR_CELLS, max(1, round(share * _BAR_CELLS)))
        bar = glyphs.bar_full * full + glyphs.bar_empty * (_BAR_CELLS - full)
        tone: Tone = "good" if share == 1 else "bad"
        yield Fact("efficiency", ((bar, tone), (f"{share:.0%}", tone), (f"{used:,} of {moved:,} bytes used", "text")))
    lines, requests = _first(cost.lines), _first(cost.requests)
    yield Fact("touches", ((counted(lines, "line"), "text"), (counted(requests, "request"), "quiet")))


def _constant_remark(requests: int) -> tuple[str, Tone]:
    if requests == 1:
        return "one address for every lane: broadcast", "good"
    return "one for each distinct address", "bad"


def _first(counts: object) -> int:
    """The count of a batch of one; 0 where it does not apply."""
    return 0 if counts is None else int(counts[0])  # type: ignore[index]
