"""`warpviz.cost`: accesses a second, beside the plain lane-by-lane oracle."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import warpviz
from tests.model import oracle

_ACCESSES = 500_000
_ACTIVE = [True] * 32


def report() -> list[str]:
    """A line for each kind of access: accesses a second on one core, and how many times the oracle's."""
    lines = []
    for name, width in (("4-byte shared load", 4), ("16-byte shared load", 16)):
        addresses = np.random.default_rng(1).integers(0, 4096, (_ACCESSES, 32)) * width
        few = addresses[:2000].tolist()
        fast = _ACCESSES / _seconds(lambda a=addresses, w=width: warpviz.cost(a, space="shared", width=w))
        slow = len(few) / _seconds(lambda f=few, w=width: [oracle.wavefronts(row, _ACTIVE, "ld", w, None) for row in f])
        lines.append(f"{name:<20} {fast:12,.0f} accesses/s   {fast / slow:.0f} x the oracle ({slow:,.0f}/s)")
    return lines


def _seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
