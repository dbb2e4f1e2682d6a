"""Whole numbers as a sum of multiples of atoms: `33*(lane / 8) + lane % 8 + 5`."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpviz.kernel.fitting.lanes import Ints, lanes_of
from warpviz.kernel.fitting.sums import LANE_BASES, Atom, Basis, sum_text


def linear(values: Ints, bits: int) -> str | None:
    """A sum over runs of the lane's bits, of the fewest runs; None where there is none.

    values: of the lanes whose bits are set, ascending by lane.
    """
    return next((text for basis in LANE_BASES if (text := over(basis, values, bits)) is not None), None)


def over(basis: Basis, values: Ints, bits: int) -> str | None:
    """A sum of multiples of these atoms and a number; None where there is none."""
    factors = _factors(basis, values, bits)
    if factors is None:
        return None
    constant, *others = factors
    return sum_text([(factor, atom) for factor, atom in zip(others, basis, strict=True) if factor], constant)


def _factors(basis: Basis, values: Ints, bits: int) -> list[int] | None:
    """Of 1 and of each atom. An atom that the others determine in these lanes has 0."""
    kept, matrix, inverse = _solver(basis, bits)
    first = values[0]
    solved = np.rint(inverse @ (values - first)).astype(np.int64)
    if (matrix @ solved + first != values).any():
        return None
    factors = [0] * (len(basis) + 1)
    for index, factor in zip(kept, solved.tolist(), strict=True):
        factors[index] = factor
    factors[0] += int(first)
    return factors


@lru_cache(maxsize=4096)
def _solver(basis: Basis, bits: int) -> tuple[list[int], Ints, NDArray[np.float64]]:
    """Which columns of (1, atoms…) are independent, they as a matrix of shape (lanes, columns), and its inverse."""
    lanes = lanes_of(bits)
    columns = np.stack([np.ones(len(lanes), np.int64), *(_column(atom, lanes) for atom in basis)], axis=1)
    kept: list[int] = []
    for index in range(columns.shape[1]):
        if np.linalg.matrix_rank(columns[:, [*kept, index]]) > len(kept):
            kept.append(index)
    matrix = columns[:, kept]
    return kept, matrix, np.linalg.pinv(matrix)


def _column(atom: Atom, lanes: Ints) -> Ints:
    return np.array(atom.values, dtype=np.int64)[lanes]
