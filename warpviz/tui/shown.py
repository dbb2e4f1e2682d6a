"""Shown: everything about one evaluated access that the screen needs, worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from warpviz.access import Access
from warpviz.expression import Pattern, parse
from warpviz.hardware import LANES
from warpviz.model import Cost, Schedule, assumptions, predict, schedule
from warpviz.tui.rows import Colour, Row, colours, first_words, fullest_banks, rows_of

if TYPE_CHECKING:
    from warpviz.expression import Evaluation, Program

_NO_COLOUR = Colour(0, 0)  # of a lane that takes no part


@dataclass(frozen=True)
class Alight:
    """What stands out in the picture: lanes, and columns of its heading."""

    lanes: frozenset[int]
    columns: frozenset[int]


@dataclass(frozen=True, eq=False)
class Shown:
    """One access, evaluated, with its cost and its picture.

    lane_steps: for each lane the index of the step that serves it, None for an inactive one. lane_colours: the
    colour of the first word that each lane wants. busy: the fullest banks, empty without a conflict.
    assumptions: a sentence each.
    """

    evaluation: Evaluation
    cost: Cost
    schedule: Schedule
    rows: tuple[Row, ...]
    lane_steps: tuple[int | None, ...]
    lane_colours: tuple[Colour, ...]
    busy: frozenset[int]
    assumptions: tuple[str, ...]

    @property
    def access(self) -> Access:
        """The access, a batch of one."""
        return self.evaluation.access

    @property
    def end(self) -> int:
        """The animation's last position: everything is served."""
        return len(self.schedule.steps) + 1

    def active(self) -> frozenset[int]:
        """The lanes that some step serves."""
        return frozenset(lane for lane, step in enumerate(self.lane_steps) if step is not None)

    def columns_of(self, lane: int) -> frozenset[int]:
        """The columns that hold the lane's words."""
        step = self.lane_steps[lane]
        cells = () if step is None else self.schedule.steps[step].cells
        return frozenset(cell.column for cell in cells if lane in cell.lanes)

    def with_lane(self, lane: int) -> Alight:
        """What stands out with this lane alone."""
        return Alight(frozenset({lane}), self.columns_of(lane))

    def with_place_of(self, lane: int) -> Alight:
        """What stands out with all that lies in the lane's banks (global: its sector; constant: its request)."""
        step, columns = self.lane_steps[lane], self.columns_of(lane)
        if step is None:
            return self.with_lane(lane)
        if self.schedule.unit != "pass":
            return Alight(frozenset(self.schedule.steps[step].lanes), columns)
        cells = [cell for one in self.schedule.steps for cell in one.cells if cell.column in columns]
        return Alight(frozenset(lane for cell in cells for lane in cell.lanes), columns)

    def row_of_step(self, step: int) -> int:
        """The row that shows this step."""
        return next((i for i, row in enumerate(self.rows) if step in getattr(row, "steps", ())), 0)


def show(pattern: Pattern, values: Mapping[str, int], arch: str) -> Shown:
    """Evaluate a pattern and work out its picture. Raises ExpressionError."""
    evaluation = read(pattern).evaluate(values)
    access = evaluation.access
    served = schedule(access)
    colour, first = colours(served), first_words(served)
    return Shown(
        evaluation,
        predict(access, arch),
        served,
        rows_of(served),
        tuple(map(served.step_of_lane, range(LANES))),
        tuple(_lane_colours(colour, first)),
        fullest_banks(served),
        (*evaluation.assumptions, *assumptions(access, arch, evaluation.element_type)),
    )


def _lane_colours(colour: dict[int, Colour], first: dict[int, int]) -> Iterator[Colour]:
    """Each lane's colour. Tints part the lanes that share a word from the next ones; without sharing there is one."""
    sharing = len(set(first.values())) < len(first)
    for lane in range(LANES):
        own = colour[first[lane]] if lane in first else _NO_COLOUR
        yield own if sharing else Colour(own.hue, 0)


@lru_cache(maxsize=64)
def read(pattern: Pattern) -> Program:
    """The pattern, parsed; the same object for the same text. Raises ExpressionError."""
    return parse(pattern)
