"""Which threads a warp's lanes are, as atoms of sums and conditions."""

from __future__ import annotations

from functools import lru_cache

from warpviz.expression.pattern import Launch
from warpviz.hardware import LANES
from warpviz.kernel.fitting.sums import Atom, Basis


@lru_cache(maxsize=256)
def thread_basis(launch: Launch) -> Basis:
    """threadIdx.z, .y and .x of blocks whose rows are no power of 2 long: parts of the lane's number do not give them.

    Empty for all other blocks.
    """
    x, y, z = launch.block
    if (_is_power_of_two(x) and (_is_power_of_two(y) or z == 1)) or y == z == 1:
        return ()
    threads = range(launch.warp * LANES, (launch.warp + 1) * LANES)
    axes = [
        Atom("threadIdx.y", tuple(thread // x % y for thread in threads)),
        Atom("threadIdx.x", tuple(thread % x for thread in threads)),
    ]
    if z == 1:
        return tuple(axes)
    return (Atom("threadIdx.z", tuple(thread // (x * y) for thread in threads)), *axes)


def _is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0
