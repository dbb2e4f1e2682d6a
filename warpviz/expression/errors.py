"""What is wrong, or worth a warning, in an expression: one sentence, its place and its lane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpviz.expression.source import Place, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class ExpressionError(ValueError):
    """One thing that is wrong in a user's text. str() is one sentence that begins with the place.

    sentence: what is wrong and how to mend it, without the place.
    lane: the lane in which it happens; None where no lane matters.
    """

    def __init__(self, sentence: str, place: Place, lane: int | None = None) -> None:
        where = str(place) if lane is None else f"{place}, lane {lane}"
        super().__init__(f"{where}: {sentence}")
        self.sentence = sentence
        self.place = place
        self.lane = lane

    @property
    def source(self) -> Source:
        """Which text: expression, declarations, where or set."""
        return self.place.source

    @property
    def line(self) -> int:
        """1-based, in the user's own text."""
        return self.place.line

    @property
    def column(self) -> int:
        """1-based, in characters of the user's own text, also where a macro stands there."""
        return self.place.column

    def caret(self) -> str:
        """Two lines: the text's line and a ^ under the column."""
        return self.place.caret()


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning: the access is shown all the same. lane: the first lane that it concerns."""

    sentence: str
    lane: int
    place: Place

    def __str__(self) -> str:
        return f"{self.place}, lane {self.lane}: {self.sentence}"


def refuse(place: Place, lanes: NDArray[np.bool_], sentence: Callable[[int], str]) -> None:
    """Raise ExpressionError for the first of these lanes, if any. lanes: shape (32,)."""
    if lanes.any():
        lane = int(lanes.argmax())
        raise ExpressionError(sentence(lane), place, lane)
