"""The screen of the presenting mode: one access, large. Nothing on it tells the cost before it is revealed.

Where things stand follows from the screen's size and the scene's texts, never from the cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from textual.geometry import Region
from textual.strip import Strip

from warpviz.tui.glyphs import Glyphs, key_name
from warpviz.tui.keymap import shown_keys
from warpviz.tui.keys import PRESENTING_KEYS
from warpviz.tui.render import head
from warpviz.tui.render.big import DIGIT_ROWS, big_lines, big_width
from warpviz.tui.render.facts import Fact, Tone, cost_counts, joined, predicted, tone_style
from warpviz.tui.render.foot import status_strip
from warpviz.tui.render.frame import Piece, composed
from warpviz.tui.render.lines import fact_strip
from warpviz.tui.render.measured import measured
from warpviz.tui.render.memory import Moment, memory_strips
from warpviz.tui.render.picture import HEAD_ROWS
from warpviz.tui.render.text import Look, Part, cut, flow, printable, strip_of
from warpviz.tui.shown import Alight, Shown
from warpviz.tui.state import page_with, remarks
from warpviz.tui.state.presenting import Stage
from warpviz.wording import plural

_AIRY_FROM = 22  # rows from which a blank line stands over the picture
_ROOMY_FROM = 28  # and round the expression and at the foot
_MOST_LINES = 3  # of what the scene says
_LARGEST = 3  # times the size of the least big digits
_MARGIN = 2  # columns at the left of the number
_VERBS = {"pass": "take", "sector": "move", "request": "make"}  # what an access does with its units
_NOTHING = Alight(frozenset(), frozenset())


def stage_strips(stage: Stage, width: int, height: int, look: Look) -> list[Strip]:
    """The screen, exactly `height` strips of exactly `width` columns."""
    view = stage.view
    air, room = int(height >= _AIRY_FROM), int(height >= _ROOMY_FROM)
    scale = max(min(height // (4 * DIGIT_ROWS), width // 50, _LARGEST), 1)
    expression = 1 + room
    said = expression + 1 + room
    picture = said + _said_height(stage, width, look) + air
    cost = height - DIGIT_ROWS * scale - room
    status = cost - 1 - int(scale > 1)
    pieces: list[Piece] = [
        (Region(0, 0, width, 1), [head.title_strip(view, width, look)]),
        (Region(0, expression, width, 1), [head.expression_strip(view, width, look)]),
        (Region(0, said, width, picture - said), _said_strips(stage, width, look)),
    ]
    shown = stage.shown
    if shown is not None:
        pieces += _picture(stage, shown, Region(0, picture, width, status - picture), look)
        pieces += _cost(stage, shown, Region(0, cost, width, DIGIT_ROWS * scale), scale, look)
    return composed(pieces, width, height, look)


def _said_height(stage: Stage, width: int, look: Look) -> int:
    """The lines that any of the scene's remarks needs, so that nothing moves when another one is turned up."""
    if stage.view.error:
        return len(_said_strips(stage, width, look))
    return max((len(_said_lines(name, text, width, look)) for name, text in remarks(stage.view)), default=0)


def _said_strips(stage: Stage, width: int, look: Look) -> list[Strip]:
    """What is wrong with the expression; else what the scene says: its question, hint or answer."""
    if stage.view.error:
        return head.error_strips(stage.view, width, look)[:_MOST_LINES]
    margin: Part = (" ", look.palette.text)
    lines = _said_lines(stage.remark, stage.said, width, look)
    return [strip_of([margin, *line], width, look) for line in lines]


def _said_lines(name: str, text: str, width: int, look: Look) -> list[list[Part]]:
    lead: list[Part] = [(f"{name}: ", look.palette.quiet)]
    words: list[Part] = [(printable(text), look.palette.good if name == "answer" else look.palette.text)]
    lines = flow([*lead, *words], width - 2) if text else []
    if len(lines) <= _MOST_LINES:
        return lines
    *kept, last, beyond = lines[: _MOST_LINES + 1]
    return [*kept, cut([*last, (" ", look.palette.text), *beyond], width - 2, look)]


def _picture(stage: Stage, shown: Shown, region: Region, look: Look) -> Iterator[Piece]:
    """The access's picture, of the memory the page that holds what is served now; and under it where the steps are, or
    what comes after them."""
    view, page = stage.view, max(region.height - HEAD_ROWS, 1)
    row = shown.row_of_step(min(max(view.position, 1), len(shown.schedule.steps)) - 1)
    top = page_with(row, page, len(shown.rows))
    moment = Moment(shown, view.position, top, _NOTHING, not stage.revealed)
    yield region, memory_strips(moment, *region.size, look)
    if stage.revealed:
        now = replace(view, top=top, notice=_what_comes(stage, look) if stage.everything_served else "")
        yield Region(0, region.bottom, region.width, 1), [status_strip(now, region.width, page, look)]


def _what_comes(stage: Stage, look: Look) -> str:
    """What follows when everything is served."""
    if stage.next_access is not None:
        return f"next: {stage.next_access}"
    if stage.has_answer:
        return "next: the answer"
    return f"the end: {_key('←', look)} goes back, {_key('l', look)} leaves"


def _key(shown: str, look: Look) -> str:
    """How a key of this screen is written, or the user's own one in its place."""
    return key_name(shown_keys(shown, PRESENTING_KEYS, look.keymap), look.glyphs)


def _cost(stage: Stage, shown: Shown, region: Region, scale: int, look: Look) -> Iterator[Piece]:
    """The cost, or the guess with a question mark, in big digits; and what is said beside it."""
    unit, number = next(iter(cost_counts(shown).items()))
    big, tone = (str(number), _tone(shown, look.glyphs)) if stage.revealed else (f"{stage.guess}?", "strong")
    style = tone_style(look.palette, tone)
    lines = [strip_of([(line, style)], len(line), look, style) for line in big_lines(big, scale, look.glyphs.bar_full)]
    yield Region(_MARGIN, region.y, lines[0].cell_length, region.height), lines
    x = _MARGIN + big_width(max(len(big), 2), scale) + _MARGIN
    width = max(region.width - x, 0)
    beside = _revealed if stage.revealed else _hidden
    for place, strip in enumerate(beside(stage, shown, unit, number, width, look)):
        yield Region(x, region.y + place * scale + (scale - 1) // 2, width, 1), [strip]


def _hidden(stage: Stage, shown: Shown, unit: str, number: int, width: int, look: Look) -> list[Strip]:
    """The question that the audience answers, and how."""
    palette, reveals = look.palette, f"{_key('enter', look)} reveals"
    question = _asked(printable(stage.view.pattern.expression), unit, width - 2, look)
    if len(question) > 1:
        question = _asked("this access", unit, width - 2, look)
    lines: list[list[Part]] = [
        [("your guess", palette.quiet)],
        *question,
        [(reveals if stage.guess else f"type a number, {reveals}", palette.quiet)],
    ]
    return [strip_of(cut([(" ", palette.text), *line], width, look), width, look) for line in lines]


def _asked(access: str, unit: str, width: int, look: Look) -> list[list[Part]]:
    """How much an access costs, as a question."""
    return flow([(f"how many {plural(2, unit)} does {access} {_VERBS[unit]}?", look.palette.strong)], width)


def _revealed(stage: Stage, shown: Shown, unit: str, number: int, width: int, look: Look) -> list[Strip]:
    """The number's unit; what makes the cost; the guess; and the measurement."""
    noun: list[Part] = [(f" {plural(number, unit)}", look.palette.strong)]
    facts = [Fact("predicted", _why(shown, look.glyphs)), *_guess(stage.guess, number, look.glyphs)]
    if stage.view.measuring.measurement is not None:
        *figures, label = measured(shown, stage.view.measuring, look.glyphs, brief=True)
        facts += [joined(tuple(figures)), label]
    return [
        strip_of(noun, width, look),
        *(fact_strip(fact, width, look) for fact in facts),
    ]


def _guess(guess: str, number: int, glyphs: Glyphs) -> Iterable[Fact]:
    """What the audience said, and whether it is so."""
    if not guess:
        return ()
    if int(guess) == number:
        return (Fact("you said", ((guess, "good"), (f"{glyphs.equal} right", "good"))),)
    way = "few" if int(guess) < number else "many"
    return (Fact("you said", ((guess, "bad"), (f"{glyphs.unequal} too {way}", "bad"))),)


def _why(shown: Shown, glyphs: Glyphs) -> tuple[tuple[str, Tone], ...]:
    """What is said of the predicted number, without the number itself."""
    facts = [fact for fact in predicted(shown, glyphs) if fact.name in ("predicted", "efficiency")]
    return joined(tuple(facts)).said[1:]


def _tone(shown: Shown, glyphs: Glyphs) -> Tone:
    """Whether the number is a good one."""
    return "bad" if any(tone == "bad" for _, tone in _why(shown, glyphs)) else "good"
