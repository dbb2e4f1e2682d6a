"""Sweep: what an access costs at every value of one knob, the others standing still."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from warpviz.expression import ExpressionError, Pattern, parse
from warpviz.hardware import DEFAULT_ARCH, SECTOR_BYTES

if TYPE_CHECKING:
    from warpviz.expression import Evaluation
    from warpviz.model import Cost

WIDTH = "width"  # bytes a lane, as a knob, of a pattern that has no such name of its own
Unit = Literal["wavefronts", "sectors", "requests"]
WIDTHS = (1, 2, 4, 8, 16)
UNITS: tuple[Unit, ...] = ("wavefronts", "sectors", "requests")


@dataclass(frozen=True)
class Point:
    """The access at one value. evaluation, cost (a batch of one), count and ideal are None when it is in error.

    count: its wavefronts, sectors or requests. ideal: wavefronts without conflicts; the sectors that the bytes used
    would fill; one constant request. error: why there is no count, a sentence; empty when there is one.
    """

    value: int
    evaluation: Evaluation | None
    cost: Cost | None
    count: int | None
    ideal: int | None
    error: str = ""


@dataclass(frozen=True)
class Sweep:
    """name: of the knob. points: in the order of the values. unit: of every count."""

    name: str
    points: tuple[Point, ...]
    unit: Unit


def sweep(
    pattern: Pattern, over: str, values: Sequence[int], fixed: Mapping[str, int], arch: str = DEFAULT_ARCH
) -> Sweep:
    """What the pattern costs as the free name `over` takes these values and the other names the `fixed` ones.

    "width", where no name is called so, is the bytes a lane: the same index, as that of elements of 1, 2, 4, 8 or 16
    bytes; other values are left out. Raises ExpressionError for a text that cannot be understood, and when every value
    is in error; ValueError, with a sentence, for a name that stands nowhere in the texts and for no values.
    """
    evaluate, values = _evaluate_over(pattern, over, values, fixed)
    outcomes = [(value, _outcome(evaluate, over, value)) for value in values]
    good = [outcome for _, outcome in outcomes if not isinstance(outcome, ExpressionError)]
    if not good:
        raise outcomes[0][1]  # type: ignore[misc]  # every outcome is an error
    space = good[0].access.space
    points = tuple(_point(value, outcome, space, arch) for value, outcome in outcomes)
    unit = next(_unit(point.cost) for point in points if point.cost is not None)
    return Sweep(over, points, unit)


def _evaluate_over(
    pattern: Pattern, over: str, values: Sequence[int], fixed: Mapping[str, int]
) -> tuple[Callable[[int], Evaluation], Sequence[int]]:
    """The pattern as a function of the knob's value, and the values that it takes."""
    if not values:
        raise ValueError(f"{over} has no values to sweep over")
    program = parse(pattern)
    if over in program.free_names:
        return lambda value: program.evaluate({**fixed, over: value}), values
    program.evaluate({**fixed, over: values[0]})  # says so when the name has another meaning
    if over != WIDTH:
        raise ValueError(f"{over} stands nowhere in the expression and its declarations, so it changes nothing")
    return lambda value: _at_width(pattern, value, fixed), _widths(pattern, values)


def _widths(pattern: Pattern, values: Sequence[int]) -> Sequence[int]:
    """Of the values those that a lane can move, in bytes."""
    if pattern.op == "ldmatrix":
        raise ValueError("an ldmatrix reads rows of 16 bytes, so its width is no knob")
    widths = [value for value in values if value in WIDTHS]
    if not widths:
        raise ValueError("a lane moves 1, 2, 4, 8 or 16 bytes, and none of these is among the values")
    return widths


def _at_width(pattern: Pattern, width: int, fixed: Mapping[str, int]) -> Evaluation:
    from warpviz.expression.rewrite import with_width

    return parse(with_width(pattern, width)).evaluate(fixed)


def _outcome(evaluate: Callable[[int], Evaluation], over: str, value: int) -> Evaluation | ExpressionError:
    try:
        return evaluate(value)
    except ExpressionError as error:
        error.add_note(f"with {over}={value}")
        return error


def _point(value: int, outcome: Evaluation | ExpressionError, space: str, arch: str) -> Point:
    from warpviz.model import predict

    if isinstance(outcome, ExpressionError):
        return Point(value, None, None, None, None, str(outcome))
    if outcome.access.space != space:
        return Point(value, None, None, None, None, f"in {outcome.access.space} memory here, in {space} memory before")
    cost = predict(outcome.access, arch)
    return Point(value, outcome, cost, _first(cost, _unit(cost)), _ideal(cost))


def _unit(cost: Cost) -> Unit:
    return next(unit for unit in UNITS if getattr(cost, unit) is not None)


def _first(cost: Cost, name: str) -> int:
    return int(getattr(cost, name)[0])


def _ideal(cost: Cost) -> int:
    if cost.ideal_wavefronts is not None:
        return _first(cost, "ideal_wavefronts")
    if cost.bytes_used is not None:
        return -(-_first(cost, "bytes_used") // SECTOR_BYTES)
    return min(_first(cost, "requests"), 1)
