"""Counting within each row of a (rows, lanes) array, without a loop over rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_NOTHING = np.iinfo(np.int64).max  # stands for an inactive lane: sorts behind every address


def count_distinct(values: Ints, active: Bools) -> Ints:
    """How many different values the active lanes of each row hold. (rows, lanes) -> (rows,)."""
    counted, _ = _first_occurrences(values, active)
    distinct: Ints = counted.sum(axis=1, dtype=np.int64)
    return distinct


def fullest_column_distinct(values: Ints, active: Bools, columns: int) -> Ints:
    """Distinct values in the fullest column; a column is value modulo columns, a power of 2. Gives (rows,)."""
    counted, ordered = _first_occurrences(values, active)
    return _fullest_column(ordered, counted, columns)


def fullest_column_lanes(values: Ints, active: Bools, columns: int) -> Ints:
    """Active lanes in the fullest column; a column is value modulo columns, a power of 2. Gives (rows,)."""
    return _fullest_column(values, active, columns)


def rank_among_equals(values: Ints, active: Bools) -> Ints:
    """For each active lane: how many active lanes before it in its row hold the same value. Shape as given."""
    masked = np.where(active, values, _NOTHING)
    order = np.argsort(masked, axis=1, kind="stable")
    ordered = np.take_along_axis(masked, order, axis=1)
    place = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    run_start = np.maximum.accumulate(np.where(_differs_from_left(ordered), place, 0), axis=1)
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, place - run_start, axis=1)
    return ranks


def _first_occurrences(values: Ints, active: Bools) -> tuple[Bools, Ints]:
    """The row's values in order, and which of them are an active lane's and the first of their kind."""
    ordered = np.sort(np.where(active, values, _NOTHING), axis=1)
    return _differs_from_left(ordered) & (ordered != _NOTHING), ordered


def _differs_from_left(ordered: Ints) -> Bools:
    first = np.empty(ordered.shape, dtype=np.bool_)
    first[:, :1] = True
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    return first


def _fullest_column(values: Ints, counted: Bools, columns: int) -> Ints:
    rows = values.shape[0]
    cell = (values & (columns - 1)) + np.arange(rows)[:, np.newaxis] * columns
    occupancy = np.bincount(cell[counted], minlength=rows * columns)
    fullest: Ints = occupancy.reshape(rows, columns).max(axis=1).astype(np.int64, copy=False)
    return fullest
