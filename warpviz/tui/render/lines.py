"""Facts as lines: one a line, several lines each, or one under the other in a narrow column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.strip import Strip

from warpviz.tui.render.facts import Fact, Tone, tone_style
from warpviz.tui.render.text import Look, Part, cut, flow, length, printable, strip_of

FACT_NAME = 13  # columns for a fact's name


def fact_strip(fact: Fact, width: int, look: Look) -> Strip:
    """A fact on one line: of its pieces as many as fit whole, the first in any case."""
    name: list[Part] = [(f" {printable(fact.name):<{FACT_NAME}}", look.palette.quiet)]
    pieces = fact.said
    while len(pieces) > 1 and length(name) + length(_said(pieces, look)) > width:
        pieces = pieces[:-1]
    return strip_of(cut([*name, *_said(pieces, look)], width, look), width, look)


def fits(fact: Fact, width: int, look: Look) -> bool:
    """Whether all that a fact says fits on one line."""
    return 1 + FACT_NAME + length(_said(fact.said, look)) <= width


def flowing_strips(fact: Fact, width: int, look: Look) -> list[Strip]:
    """A fact on as many lines as it needs, its name at the left of the first."""
    strips = []
    for number, line in enumerate(flow(_said(fact.said, look), width - FACT_NAME - 2)):
        lead = f" {'' if number else printable(fact.name):<{FACT_NAME}}"
        strips.append(strip_of([(lead, look.palette.quiet), *line], width, look))
    return strips


def whole_piece_strips(fact: Fact, width: int, look: Look) -> list[Strip]:
    """As `flowing_strips`, with a line broken between two pieces where that can be."""
    lines: list[tuple[tuple[str, Tone], ...]] = []
    for piece in fact.said:
        if lines and length(_said((*lines[-1], piece), look)) <= width - FACT_NAME - 2:
            lines[-1] = (*lines[-1], piece)
        else:
            lines.append((piece,))
    names = (fact.name, *("" for _ in lines[1:]))
    named = zip(names, lines, strict=True)
    return [strip for name, said in named for strip in flowing_strips(Fact(name, said), width, look)]


def tall_fact_strips(facts: Iterable[Fact], width: int, look: Look) -> list[Strip]:
    """Each fact under its name, on as many lines as it needs, with a blank line behind it."""
    text = look.palette.text
    strips = []
    for fact in facts:
        if fact.name:
            strips.append(strip_of([(printable(fact.name), look.palette.quiet)], width, look, text))
        elif strips:
            strips.pop()  # what has no name of its own belongs to the fact above
        strips += [
            strip_of([("  ", text), *line], width, look, text) for line in flow(_said(fact.said, look), width - 3)
        ]
        strips.append(strip_of([], width, look, text))
    return strips


def window(strips: Sequence[Strip], top: int, height: int) -> list[Strip]:
    """As many strips as fit, from `top` on or as near to it as leaves none of the lines empty."""
    first = min(top, max(len(strips) - height, 0))
    return list(strips[first : first + height])


def _said(pieces: tuple[tuple[str, Tone], ...], look: Look) -> list[Part]:
    """The pieces with three blanks between them."""
    parts: list[Part] = []
    for text, tone in pieces:
        parts += [(printable(text), tone_style(look.palette, tone)), ("   ", look.palette.text)]
    return parts[:-1]
