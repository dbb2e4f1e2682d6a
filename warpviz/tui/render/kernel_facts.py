"""What one request of the chosen access does, in words, and what is known of its line."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.hardware import SECTOR_BYTES
from warpviz.kernel.lines import LineCost
from warpviz.tui.code_table import distance
from warpviz.tui.interpreted import Interpreted
from warpviz.tui.render.facts import Fact, Tone
from warpviz.wording import counted, plural

_DOES = {"ld": "read", "st": "write", "atom": "update", "red": "update", "ldmatrix": "read rows of", "copy": "copy"}
_TONES: dict[str, Tone] = {"ideal": "good", "near": "text", "far": "bad", "unknown": "text"}


def access_facts(shown: Interpreted, cost: LineCost, measured: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The line; a request of the access; what was measured; what else is known of the line; all the requests."""
    line = cost.kind.line
    name = f"line {line}" if line else "no line"
    source: tuple[tuple[str, Tone], ...] = ((shown.text(line) or "the compiler names no line of it", "strong"),)
    tone = _TONES[distance(cost)]
    return (
        Fact(name, source),
        Fact("a request", tuple((text, tone if place else "text") for place, text in enumerate(_request(cost)))),
        *measured,
        *_said_of(shown, line),
        Fact("in all", tuple((text, "text") for text in _total(cost))),
    )


def _said_of(shown: Interpreted, line: int) -> Iterator[Fact]:
    """The first hazard, and how many more there are, and the first finding likewise."""
    words: tuple[tuple[str, str, Tone], ...] = (("hazard", "h", "bad"), ("compiler", "f", "text"))
    for word, key, tone in words:
        sentences = [sentence for about, sentence in shown.said_of(line) if about == word]
        if sentences:
            said: list[tuple[str, Tone]] = [(sentences[0], tone)]
            if sentences[1:]:
                said.append((f"{len(sentences) - 1} more: {key}", "quiet"))
            yield Fact(word, tuple(said))


def _request(cost: LineCost) -> Iterator[str]:
    """What a request does on average: who asks for how much; what that costs; why it is more than it could be."""
    count, kind = cost.count, cost.kind
    lanes = count.lanes / max(count.accesses, 1) if kind.space != "const" else 0
    average = "" if lanes == int(lanes) else "on average "
    who = f"{average}{_brief(lanes)} {plural(lanes, 'lane')} " if lanes else ""
    yield f"{who}{_DOES.get(kind.op, kind.op)} {counted(kind.width, 'byte')} each"
    ideal = cost.ideal_per_request
    cost_words = f"{cost.per_request:.2f} {plural(cost.per_request, cost.unit.removesuffix('s'))}"
    if ideal is None:
        yield cost_words
    elif cost.per_request <= ideal:
        yield f"{cost_words}, the ideal"
    else:
        yield f"{cost_words} where {ideal:.2f} would do"
    if kind.space == "shared" and count.conflicts:
        conflicts = count.conflicts / count.requests
        yield f"{conflicts:.2f} bank {plural(conflicts, 'conflict')}"
    elif ideal is not None and cost.per_request > ideal and count.sectors:
        yield f"{count.bytes_used / (count.sectors * SECTOR_BYTES):.0%} of their bytes used"


def _total(cost: LineCost) -> Iterator[str]:
    count, kind = cost.count, cost.kind
    yield counted(count.requests, "request")
    if cost.unit != "requests":
        yield f"{cost.cost:,} {cost.unit}"
    yield f"{cost.share:.1%} of the kernel's {cost.unit}"
    if kind.space == "shared":
        yield counted(count.conflicts, "conflict")


def _brief(number: float) -> str:
    """With two decimals, where they say anything."""
    return f"{number:.2f}".removesuffix(".00")
