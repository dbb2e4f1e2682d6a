"""Where each object lies in its memory space."""

from __future__ import annotations

from collections.abc import Iterable

from warpviz.expression.layout import aligned
from warpviz.expression.values import MemoryObject

# Where the second, third, … pointer of one lvalue points: far enough apart that no two share a sector.
POINTER_DISTANCE_BYTES = 1 << 40
# ptxas begins dynamic shared memory at a multiple of 16 bytes after the static arrays, whatever its type.
DYNAMIC_SHARED_ALIGN = 16


def base_addresses(declared: Iterable[MemoryObject], reached: Iterable[MemoryObject]) -> dict[MemoryObject, int]:
    """The byte address of each object in its space.

    Shared and constant objects lie one after the other in the order of their declaration, each at its alignment;
    those without a size (dynamic shared memory) all begin after the last. Global objects lie far apart: the first
    that is reached is at 0.
    """
    objects = list(declared)
    bases: dict[MemoryObject, int] = {}
    for space in ("shared", "const"):
        end = 0
        here = [home for home in objects if home.space == space]
        for home in here:
            if home.size is not None:
                bases[home] = aligned(end, home.align)
                end = bases[home] + home.size
        for home in here:
            if home.size is None:
                bases[home] = aligned(end, max(home.align, DYNAMIC_SHARED_ALIGN))
    far = [home for home in dict.fromkeys([*reached, *objects]) if home.space == "global"]
    bases.update({home: index * POINTER_DISTANCE_BYTES for index, home in enumerate(far)})
    return bases
