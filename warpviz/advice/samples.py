"""Which values of the knobs are tried, where all of them would take too long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

FIRST = 33  # a bank's period and one more: what shows at all, shows among the first values
_MOST_CORNERS = 16
_DIAGONAL = 8  # so many points at which all knobs are turned at once
_ROOM = 8  # so many values at least of those after the first


def sample(knob: range, present: int, most: int, first: int = FIRST) -> list[int]:
    """All values of a knob where they are at most `most` or `first`; else the first ones, the neighbours of the
    present value, the last one, and about `most` in all of the rest, an odd number of steps apart."""
    if len(knob) <= max(most, first):
        return list(knob)
    rest = knob[first:]
    step = -(-len(rest) // max(most - first, _ROOM)) | 1
    near = [present - knob.step, present - 1, present, present + 1, present + knob.step]
    chosen = [*knob[:first], *(value for value in near if value in knob), knob[-1], *rest[::step]]
    return list(dict.fromkeys(chosen))


def points(knobs: Mapping[str, range], values: Mapping[str, int], most: int) -> Iterator[dict[str, int]]:
    """Values of all names: each knob turned with the others left, then all corners, then all knobs turned at once."""
    for name, knob in knobs.items():
        yield from ({**values, name: value} for value in sample(knob, values[name], most))
    if len(knobs) < 2:
        return
    corners = product(*((knob[0], knob[-1]) for knob in knobs.values()))
    yield from ({**values, **_named(knobs, corner)} for corner in islice(corners, _MOST_CORNERS))
    for turn in range(1, _DIAGONAL + 1):
        yield {**values, **_named(knobs, [knob[_place(turn, at, len(knob))] for at, knob in enumerate(knobs.values())])}


def _place(turn: int, at: int, count: int) -> int:
    """Which value of the knob with this number a turn takes: no two knobs go in step."""
    return turn * (2 * at + 1) * 7 % count


def _named(knobs: Mapping[str, range], numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(knobs, numbers, strict=True))
