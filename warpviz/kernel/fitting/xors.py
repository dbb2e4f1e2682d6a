"""Whole numbers that are bits of the lane's number put elsewhere, xored: `8*((lane % 8) ^ (lane / 16)) + 64`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpviz.hardware import LANES
from warpviz.kernel.fitting.lanes import Ints, lanes_of
from warpviz.kernel.fitting.sums import Atom, lane_part, literal, sum_text

_LANE_BITS = LANES.bit_length() - 1


@dataclass(frozen=True)
class _Move:
    """Lane bits from low to below high, put so many bits further up."""

    low: int
    high: int
    up: int

    @property
    def touched(self) -> int:
        """The bits of the result that may change."""
        return (1 << (self.high + self.up)) - (1 << (self.low + self.up))


def xored(values: Ints, bits: int) -> str | None:
    """The xor of such moves and a number, joined by + where no bits meet; None where there is none.

    values: of the lanes whose bits are set, ascending by lane.
    """
    lanes = lanes_of(bits)
    images = _images(values.tolist(), lanes.tolist()) if values.min() >= 0 else None
    if images is None:
        return None
    constant = int(values[0])
    for bit, image in enumerate(images):
        constant ^= image if lanes[0] >> bit & 1 else 0
    used = int(lanes[-1]).bit_length()
    moves = list(_moves(images))
    terms = sorted((_term(group, constant, used) for group in _groups(moves)), key=lambda term: -term[0])
    rest = constant & ~_touched(moves)
    if len(terms) == 1 and terms[0][0] == 1 and not rest:
        return terms[0][1].text
    return sum_text([(factor, _added(factor, atom)) for factor, atom in terms], rest)


def _images(values: list[int], lanes: list[int]) -> list[int] | None:
    """What each bit of the lane's number does to the value, by xor; None where the bits do not act so. A bit that the
    others determine in these lanes does nothing."""
    pivots: dict[int, tuple[int, int]] = {}  # by the lowest of its lane bits: (lane bits, value bits)
    for lane, value in zip(lanes, values, strict=True):
        move, image = lane ^ lanes[0], value ^ values[0]
        while move and (move & -move) in pivots:
            known = pivots[move & -move]
            move, image = move ^ known[0], image ^ known[1]
        if move:
            pivots[move & -move] = move, image
        elif image:
            return None
    images = [0] * _LANE_BITS
    for low in sorted(pivots, reverse=True):
        move, image = pivots[low]
        for bit in range(_LANE_BITS):
            image ^= images[bit] if (move ^ low) >> bit & 1 else 0
        images[low.bit_length() - 1] = image
    return images


def _moves(images: list[int]) -> Iterator[_Move]:
    """The images as moves of runs of bits."""
    highest = max(image.bit_length() for image in images)
    for up in range(-_LANE_BITS + 1, highest):
        low = None
        for bit in range(_LANE_BITS + 1):
            moves = bit < _LANE_BITS and bit + up >= 0 and images[bit] >> (bit + up) & 1
            if moves and low is None:
                low = bit
            elif not moves and low is not None:
                yield _Move(low, bit, up)
                low = None


def _groups(moves: list[_Move]) -> list[list[_Move]]:
    """The moves, those together whose touched bits meet."""
    groups: list[list[_Move]] = []
    for move in moves:
        meeting = [group for group in groups if _touched(group) & move.touched]
        groups = [group for group in groups if group not in meeting]
        groups.append([*(one for group in meeting for one in group), move])
    return groups


def _touched(moves: list[_Move]) -> int:
    bits = 0
    for move in moves:
        bits |= move.touched
    return bits


def _term(moves: list[_Move], constant: int, used: int) -> tuple[int, Atom]:
    """A factor and what it multiplies: the group, and what the constant has in the bits that it touches.

    used: how many of the lane's bits are ever set.
    """
    lowest = min(move.low + move.up for move in moves)
    flipped = (constant & _touched(moves)) >> lowest
    operands = [_operand(move, lowest, used) for move in sorted(moves, key=lambda move: (abs(move.up), move.low))]
    bound = (_touched(moves) >> lowest,)  # the most that it is worth
    if len(operands) == 1 and not flipped:
        return 1 << lowest, Atom(operands[0].text, bound)
    text = " ^ ".join([*(operand.factor for operand in operands), *([literal(flipped)] if flipped else [])])
    return 1 << lowest, Atom(text, bound)


def _added(factor: int, atom: Atom) -> Atom:
    """In C, + binds more tightly than ^."""
    return Atom(atom.factor, atom.values) if factor == 1 and "^" in atom.text else atom


def _operand(move: _Move, lowest: int, used: int) -> Atom:
    part = lane_part(move.low, move.high, is_open=move.high >= used)
    shift = move.low + move.up - lowest
    return Atom(f"{1 << shift}*{part.factor}", part.values) if shift else part
