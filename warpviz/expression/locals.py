"""Local variables: what the initialised ones hold, worked out when a lane first reads them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpviz.expression import arithmetic, pointers
from warpviz.expression.errors import ExpressionError
from warpviz.expression.layout import Integer, Pointer
from warpviz.expression.source import Place, clipped
from warpviz.expression.syntax import Expression
from warpviz.expression.values import Address, LocalObject, LValue, Mask, Number, Value
from warpviz.hardware import LANES


class LocalReader:
    """Reads local variables. A lane that never reads one is never in error because of it.

    evaluate: the value of an expression in the lanes of a mask.
    """

    def __init__(self, evaluate: Callable[[Expression, Mask], Value]) -> None:
        self._evaluate = evaluate
        self._known: dict[tuple[LocalObject, int], tuple[Mask, Value]] = {}

    def read(self, place: LValue, ctype: Integer | Pointer, mask: Mask, at: Place) -> Value:
        """What the lanes of the mask read; all their homes are local variables."""
        homes, offsets = place.homes, place.offsets
        first = homes[0]
        if isinstance(first, LocalObject) and len(set(homes)) == 1 and (offsets == offsets[0]).all():
            return self._scalar(first, int(offsets[0]), ctype, mask, at)
        value: Value | None = None
        for lane in np.flatnonzero(mask).tolist():
            home, offset = homes[lane], int(offsets[lane])
            assert isinstance(home, LocalObject), "the caller refuses memory"
            only = mask & (np.arange(LANES) == lane)
            here = self._scalar(home, offset, ctype, only, at)
            value = here if value is None else pointers.chosen(only, here, value, at)
        return _nothing(place, ctype) if value is None else value

    def _scalar(self, home: LocalObject, offset: int, ctype: Integer | Pointer, mask: Mask, at: Place) -> Value:
        """The scalar at a byte offset of a variable; one that the initializer leaves out is zero."""
        cell = home.cells.get(offset)
        if cell is None:
            inside = 0 <= offset < (home.size or 0) and bool(home.cells) and isinstance(ctype, Integer)
            if mask.any() and not inside:
                lane = int(mask.argmax())
                raise ExpressionError(f"{clipped(home.name)} has no known value at byte {offset}", at, lane)
            return _nothing(LValue(ctype, (home,) * LANES, np.zeros(LANES, np.int64)), ctype)
        written, content = cell
        if pointers.sized(written, at) != pointers.sized(ctype, at):
            raise ExpressionError(f"{clipped(home.name)} holds {written} and is read as {ctype}; read it as it is", at)
        value = (
            content if isinstance(content, Number | Address) else self._initial(home, offset, written, content, mask)
        )
        return pointers.converted(value, ctype, at)

    def _initial(
        self, home: LocalObject, offset: int, written: Integer | Pointer, content: Expression, mask: Mask
    ) -> Value:
        covered, value = self._known.get((home, offset), (None, None))
        if value is None or covered is None or (mask & ~covered).any():
            covered = mask if covered is None else mask | covered
            value = pointers.converted(self._evaluate(content, covered), written, content.place)
            self._known[home, offset] = covered, value
        return value


def _nothing(place: LValue, ctype: Integer | Pointer) -> Value:
    """A value of the type where no lane reads one."""
    if isinstance(ctype, Integer):
        return arithmetic.uniform(0, ctype)
    return Address(ctype.target, place.homes, np.zeros(LANES, np.int64))
