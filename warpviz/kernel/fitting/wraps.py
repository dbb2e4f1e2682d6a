"""Whole numbers that grow evenly with the lane but for jumps: `(lane + 5) / 20`, `(3*lane + 1) % 64`, two pieces."""

from __future__ import annotations

from collections import Counter

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.fitting.lanes import Ints, lanes_of
from warpviz.kernel.fitting.linear import over
from warpviz.kernel.fitting.sums import LANE_BASES, Atom, literal, sum_text

_STRAIGHT = LANE_BASES[0]
_LANE = _STRAIGHT[0]


def wrapped(values: Ints, bits: int) -> str | None:
    """A remainder, a sum of a quotient and a remainder, or two straight pieces; None where it is none of these.

    values: of the lanes whose bits are set, ascending by lane.
    """
    lanes = lanes_of(bits)
    steps, lengths = np.diff(values), np.diff(lanes)
    neighbours = lengths == 1
    if not neighbours.any():
        return None
    usual, _ = Counter(steps[neighbours].tolist()).most_common(1)[0]
    after = lanes[1:][neighbours & (steps != usual)]  # the first lanes behind a jump
    if not after.size:
        return None
    first = int(steps[neighbours & (steps != usual)][0])
    return (
        _remainder(values, lanes, usual, abs(usual - first))
        or _periodic(values, bits, after)
        or _two_pieces(values, bits, after)
    )


def _remainder(values: Ints, lanes: Ints, step: int, divisor: int) -> str | None:
    """(step*lane + c) % divisor."""
    step %= divisor
    start = int(values[0] - step * lanes[0]) % divisor
    if ((step * lanes + start) % divisor != values).any():
        return None
    return f"({sum_text([(step, _LANE)], start)}) % {literal(divisor)}"


def _periodic(values: Ints, bits: int, after: Ints) -> str | None:
    """A sum of multiples of (lane + c) / n and (lane + c) % n. after: the jumps, n lanes apart."""
    if len(after) < 2:
        return None
    period = int(np.diff(after).min())
    shift = int(-after[0] % period)
    shifted = sum_text([(1, _LANE)], shift)
    inner = f"({shifted})" if shift else shifted
    moved = range(shift, shift + LANES)
    quotient = Atom(f"{inner} / {period}", tuple(place // period for place in moved))
    remainder = Atom(f"{inner} % {period}", tuple(place % period for place in moved))
    return over((quotient, remainder), values, bits)


def _two_pieces(values: Ints, bits: int, after: Ints) -> str | None:
    """Evenly growing below a lane, and otherwise from there on."""
    lanes = lanes_of(bits)
    for middle in {int(after[0]), int(after[-1])}:
        below = bits & (1 << middle) - 1
        split = np.searchsorted(lanes, middle)
        pieces = [over(_STRAIGHT, values[:split], below), over(_STRAIGHT, values[split:], bits ^ below)]
        if None not in pieces:
            return f"lane < {middle} ? {pieces[0]} : {pieces[1]}"
    return None
