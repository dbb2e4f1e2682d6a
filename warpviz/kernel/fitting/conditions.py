"""A warp's active lanes as a condition in C."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.expression.pattern import Launch
from warpviz.hardware import LANES
from warpviz.kernel.fitting.sums import LANE_BASES, Atom, lane_part
from warpviz.kernel.fitting.threads import thread_basis

_LANE = LANE_BASES[0][0]
_PARTS = [lane_part(0, high) for high in range(1, LANES.bit_length() - 1)]
_REMAINDERS = [
    Atom(f"lane % {divisor}", tuple(lane % divisor for lane in range(LANES)))
    for divisor in range(3, LANES)
    if divisor & (divisor - 1)
]
Condition = tuple[str, int]
"""C, and the lanes in which it holds, as bits."""


def condition(active: int, present: int, launch: Launch) -> str:
    """What holds in just the active ones of the lanes that are present, both as bits; empty where all are active.

    >>> condition(0x0F, 0xFF, Launch()), condition(0x55555555, 0xFFFFFFFF, Launch())
    ('lane < 4', 'lane % 2 == 0')
    """
    if active == present:
        return ""
    candidates = (text for text, bits in _conditions(active, present, launch) if bits & present == active)
    return next(candidates, f"({active:#010x}u >> lane) & 1")


def _conditions(active: int, present: int, launch: Launch) -> Iterator[Condition]:
    """Conditions that may be it, the simplest first."""
    lanes = _worth(_LANE, active)
    yield _range(_LANE, lanes[0], lanes[-1], present)
    yield _outside(_worth(_LANE, present & ~active))
    for atom in [*_PARTS, *thread_basis(launch), *_REMAINDERS]:
        values = _worth(atom, active)
        low, high = min(values), max(values)
        here = _range(atom, low, high, present)
        yield here
        # Rounded: `lane % 2 == 0 && lane < 8`, where no lane is active between 6 and 8.
        step = max(atom.values) + 1
        yield _both(here, _range(_LANE, lanes[0] // step * step, lanes[-1] // step * step + step - 1, present))
        yield _both(here, _range(_LANE, lanes[0], lanes[-1], present))


def _range(atom: Atom, low: int, high: int, present: int) -> Condition:
    """The atom is from low to high."""
    possible = _worth(atom, present)
    ends = [f"{atom.text} >= {low}"] * (low > min(possible)) + [f"{atom.text} < {high + 1}"] * (high < max(possible))
    text = f"{atom.text} == {low}" if low == high else " && ".join(ends)
    return text, sum(1 << lane for lane, value in enumerate(atom.values) if low <= value <= high)


def _outside(idle: list[int]) -> Condition:
    """Every lane but the run from the first idle one to the last."""
    low, high = idle[0], idle[-1]
    text = f"lane != {low}" if low == high else f"lane < {low} || lane >= {high + 1}"
    return text, ~sum(1 << lane for lane in range(low, high + 1))


def _both(first: Condition, second: Condition) -> Condition:
    return " && ".join(filter(None, (first[0], second[0]))), first[1] & second[1]


def _worth(atom: Atom, bits: int) -> list[int]:
    """What an atom is worth in the lanes whose bits are set, ascending by lane."""
    return [value for lane, value in enumerate(atom.values) if bits >> lane & 1]
