"""The rows of the memory picture: a row for each pass, line or request, made of blocks that lie in 32 columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from warpviz.hardware import BANKS, LINE_BYTES, SECTOR_BYTES, WORD_BYTES
from warpviz.model import Cell, Schedule, Step
from warpviz.wording import counted, plural

_LINE_WORDS = LINE_BYTES // WORD_BYTES
_SECTOR_WORDS = SECTOR_BYTES // WORD_BYTES
_SHORT_UNIT = {"pass": "pass", "request": "req"}


@dataclass(frozen=True)
class Colour:
    """What colour tells of a word. hue: words of one hue, counted from 0, lie in the same 128 bytes (shared), in the
    same sector (global), or are one request (constant). tint: 0 or 1, different for one wanted word and the next."""

    hue: int
    tint: int


@dataclass(frozen=True, eq=False)
class Block:
    """Neighbouring words that the same lanes want, served by one step of the schedule.

    column: the first of `span` columns, 0..31. lanes: ascending; none for words that move and that no lane wants.
    """

    column: int
    span: int
    lanes: tuple[int, ...]
    colour: Colour
    step: int


@dataclass(frozen=True, eq=False)
class MemoryRow:
    """One pass, request or 128-byte line. labels: the same thing said at more and more length."""

    labels: tuple[str, ...]
    blocks: tuple[Block, ...]
    note: str
    steps: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RuleRow:
    """A remark across the picture, between two rows: where a phase begins, or how much is left out.

    skips: whether it stands for lines that are left out.
    """

    text: str
    skips: bool = False


Row = MemoryRow | RuleRow


def rows_of(schedule: Schedule) -> tuple[Row, ...]:
    """Every row of a schedule's picture, in order."""
    if schedule.unit == "sector":
        return tuple(_line_rows(schedule))
    return tuple(_step_rows(schedule))


def colours(schedule: Schedule) -> dict[int, Colour]:
    """word -> its colour, for the first word of each lane and the words that belong to it."""
    size = {"pass": BANKS, "sector": _SECTOR_WORDS, "request": 1}[schedule.unit]
    firsts = sorted(set(first_words(schedule).values()))
    words = {cell.word for step in schedule.steps for cell in step.cells}
    rank = {group: i for i, group in enumerate(sorted({word // size for word in words}))}
    return {word: Colour(rank[word // size], bisect_right(firsts, word) & 1) for word in words}


def first_words(schedule: Schedule) -> dict[int, int]:
    """lane -> the first word that it wants."""
    return {lane: cell.word for step in schedule.steps for cell in reversed(step.cells) for lane in cell.lanes}


def fullest_banks(schedule: Schedule) -> frozenset[int]:
    """The banks still busy in the last pass of a phase that takes several. Empty without a conflict."""
    if schedule.unit != "pass":
        return frozenset()
    busy: set[int] = set()
    for _, phase in groupby(schedule.steps, key=lambda step: step.phase):
        _, *others = phase
        if others:
            busy.update(cell.column for cell in others[-1].cells)
    return frozenset(busy)


def ranges(numbers: Iterable[int]) -> str:
    """Ascending numbers in few characters.

    >>> ranges([0, 1, 2, 3, 8, 12, 13])
    '0-3 8 12 13'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs)


def _step_rows(schedule: Schedule) -> Iterator[Row]:
    """A row for each pass or request, with a rule where one of several phases begins."""
    colour = colours(schedule)
    phases = {step.phase for step in schedule.steps}
    phase = None
    for index, step in enumerate(schedule.steps):
        if step.phase != phase and len(phases) > 1:
            yield RuleRow(f"phase {step.phase + 1}: lanes {ranges(_lanes_of_phase(schedule, step.phase))}")
        phase = step.phase
        number = str(index + 1)
        blocks = tuple(_blocks(step.cells, colour, index))
        labels = (number, f"{_SHORT_UNIT[schedule.unit]} {number}", f"{schedule.unit} {number}")
        yield MemoryRow(labels, blocks, _who(step), (index,))


def _lanes_of_phase(schedule: Schedule, phase: int) -> list[int]:
    return sorted(lane for step in schedule.steps if step.phase == phase for lane in step.lanes)


def _who(step: Step) -> str:
    return f"{plural(len(step.lanes), 'lane')} {ranges(step.lanes)}"


def _line_rows(schedule: Schedule) -> Iterator[Row]:
    """A row for each touched line of each round, with a rule for the lines left out between two of them."""
    colour = colours(schedule)
    rounds = 1 + max((step.phase for step in schedule.steps), default=0)
    last_round, last_line = None, 0
    for (turn, line), steps in groupby(enumerate(schedule.steps), key=lambda item: _round_and_line(item[1])):
        if turn != last_round:
            if rounds > 1:
                yield RuleRow(f"round {turn + 1} of {rounds}")
        elif line - last_line > 1:
            left_out = line - last_line - 1
            yield RuleRow(f"{counted(left_out, 'line')} not touched", skips=True)
        last_round, last_line = turn, line
        yield _line_row(line, list(steps), colour)


def _round_and_line(step: Step) -> tuple[int, int]:
    return step.phase, step.cells[0].word // _LINE_WORDS


def _line_row(line: int, steps: list[tuple[int, Step]], colour: dict[int, Colour]) -> MemoryRow:
    blocks: list[Block] = []
    for index, step in steps:
        words = _sector_words(step.cells[0].word)
        plain = Colour(colour[step.cells[0].word].hue, 0)
        blocks += _blocks(_with_gaps(step.cells, words), dict.fromkeys(words, plain) | colour, index)
    labels = (f"{line:+}L", f"{line * LINE_BYTES:+}")
    moved = counted(len(steps), "sector")
    return MemoryRow(labels, tuple(blocks), moved, tuple(index for index, _ in steps))


def _sector_words(word: int) -> range:
    """The words of the sector that holds this word."""
    first = word // _SECTOR_WORDS * _SECTOR_WORDS
    return range(first, first + _SECTOR_WORDS)


def _with_gaps(cells: tuple[Cell, ...], words: range) -> tuple[Cell, ...]:
    """These words in order: the `cells`, and the others as cells without a lane."""
    wanted = {cell.word: cell for cell in cells}
    return tuple(wanted.get(word) or Cell(word % _LINE_WORDS, word, ()) for word in words)


def _blocks(cells: tuple[Cell, ...], colour: dict[int, Colour], step: int) -> Iterator[Block]:
    """Neighbouring cells of the same lanes as one block. Ascending by column."""
    ordered = sorted(cells, key=lambda cell: cell.column)
    for _, run in groupby(enumerate(ordered), key=_alike):
        members = [cell for _, cell in run]
        yield Block(members[0].column, len(members), members[0].lanes, colour[members[0].word], step)


def _alike(item: tuple[int, Cell]) -> tuple[tuple[int, ...], int, int]:
    """Equal for cells that stand in a row and that the same lanes want."""
    place, cell = item
    return cell.lanes, cell.column - place, cell.word - place
