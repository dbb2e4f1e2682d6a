"""Sums of products as C, and the atoms that they are made of: parts of the lane's number, and of the thread's index."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from warpviz.hardware import LANES

_LANE_BITS = LANES.bit_length() - 1
_INT_END = 1 << 31


@dataclass(frozen=True)
class Atom:
    """text: C. values: what it is worth in each of the 32 lanes."""

    text: str
    values: tuple[int, ...]

    @property
    def factor(self) -> str:
        """As it stands in a product."""
        return self.text if self.text.replace(".", "").isalnum() else f"({self.text})"


Basis = tuple[Atom, ...]


def lane_part(low: int, high: int, *, is_open: bool = False) -> Atom:
    """The bits of the lane's number from low to below high. is_open: the bits above are 0 wherever it matters.

    >>> lane_part(3, 5).text, lane_part(0, 3).text, lane_part(1, 3).text
    ('lane / 8', 'lane % 8', 'lane / 2 % 4')
    """
    text = f"lane / {1 << low}" if low else "lane"
    if high < _LANE_BITS and not is_open:
        text += f" % {1 << (high - low)}"
    return Atom(text, tuple(lane >> low & (1 << (high - low)) - 1 for lane in range(LANES)))


def _lane_bases() -> tuple[Basis, ...]:
    """The lane's five bits cut into runs in every way, the fewest runs first; the highest run first in each."""
    inner = range(1, _LANE_BITS)
    cuts = [cut for count in range(_LANE_BITS) for cut in combinations(inner, count)]
    return tuple(
        tuple(lane_part(low, high) for low, high in zip((0, *cut), (*cut, _LANE_BITS), strict=True))[::-1]
        for cut in cuts
    )


LANE_BASES = _lane_bases()


def sum_text(terms: Iterable[tuple[int, Atom]], constant: int) -> str:
    """Factors times atoms, and a number.

    >>> lane = lane_part(0, 5)
    >>> sum_text([(4, lane)], 1), sum_text([(-1, lane)], 31), sum_text([(2, lane_part(3, 5)), (1, lane_part(0, 3))], 0)
    ('4*lane + 1', '31 - lane', '2*(lane / 8) + lane % 8')
    """
    terms = sorted(terms, key=lambda term: -abs(term[0]))
    plus = [_product(factor, atom) for factor, atom in terms if factor > 0]
    minus = [_product(-factor, atom) for factor, atom in terms if factor < 0]
    if constant > 0 and plus:
        plus.append(literal(constant))
    elif constant > 0 or not (plus or minus):
        plus.insert(0, literal(constant))
    elif constant < 0:
        minus.append(literal(-constant))
    return " + ".join(plus) + "".join(
        f" - {part}" if plus or number else f"-{part}" for number, part in enumerate(minus)
    )


def _product(factor: int, atom: Atom) -> str:
    if factor == 1:
        return atom.text
    is_wide = factor * max(map(abs, atom.values)) >= _INT_END
    return f"{literal(factor, is_wide=is_wide)}*{atom.factor}"


def literal(value: int, *, is_wide: bool = False) -> str:
    """A number in C. One near the end of int's range, or is_wide, has 64 bits, so that what is added fits as well."""
    return f"{value}ll" if is_wide or not -_INT_END // 2 <= value < _INT_END // 2 else str(value)
