"""One memory instruction at work: it finds its bytes, tells the observer and moves them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from warpviz.hardware import Op
from warpviz.kernel.memory.checks import Bools, Bytes, Ints, Mask
from warpviz.kernel.memory.faults import BadAddress, Culprit, MemoryFault
from warpviz.kernel.memory.memory import ChunkMemory
from warpviz.kernel.memory.observing import AccessSpace, Kind, Observer, Threads
from warpviz.kernel.memory.transfer import gather, scatter
from warpviz.kernel.memory.values import Values
from warpviz.kernel.memory.watching import Watcher
from warpviz.wording import counted


class Running(Protocol):
    """What a memory instruction needs of the blocks that run."""

    @property
    def memory(self) -> ChunkMemory: ...

    @property
    def observer(self) -> Observer: ...

    @property
    def watcher(self) -> Watcher | None: ...

    @property
    def threads(self) -> Threads:
        """Those that stand in the rows of addresses, values and masks now."""
        ...

    def culprit(self, place: tuple[int, int, int]) -> Culprit:
        """The thread at a place of an array of threads.shape."""
        ...


@dataclass(frozen=True)
class Site:
    """An instruction that touches memory.

    index, line, name, op, matrices: as in Kind. space: in which its addresses are: one of AccessSpace, "generic" or
    "param". type: of one element, as PTX names it. size: of one element, in bytes. width: bytes a lane. is_told:
    whether observers are told: not of parameters, which a kernel has at hand without an access.
    """

    index: int
    line: int
    name: str
    space: str
    op: Op
    type: str
    size: int
    width: int
    matrices: int | None = None
    is_told: bool = True


@dataclass(frozen=True, eq=False)
class Found:
    """Where the threads of an access find their first bytes, in one memory space.

    index: among the cells, in units of the site's size. mask: the threads that touch this space; None: all.
    """

    space: str
    cells: Bytes
    index: Ints
    mask: Mask


def find(site: Site, running: Running, addresses: Ints, mask: Mask, values: Sequence[Values] = ()) -> list[Found]:
    """Find the bytes of all active threads, then tell the observer.

    addresses: int64, broadcastable to running.threads.shape, as mask is. values: of a store, the bits of each
    component. Raises MemoryFault.
    """
    memory, threads = running.memory, running.threads
    parts = list(memory.parts(site.space, addresses, mask))
    found = []
    for space, within, part in parts:
        try:
            cells, index = memory.locate(space, within, site.width, site.size, part, threads)
        except BadAddress as bad:
            raise MemoryFault(running.culprit(bad.place), _does(site), bad, site.line) from None
        found.append(Found(space, cells, index, part))
    for space, within, part in parts:
        tell(site, running, space, within, part, values)
    return found


def tell(site: Site, running: Running, space: str, addresses: Ints, mask: Mask, values: Sequence[Values] = ()) -> None:
    """Tell of an access in a memory space, unless it is one of parameters: the observer, of shared memory the watcher
    too."""
    if site.is_told and space != "param":
        kind = kind_of(site, space)
        running.observer.access(kind, addresses, mask, running.threads)
        if space == "shared" and running.watcher is not None:
            running.watcher.access(kind, addresses, values, mask, running.threads)


def kind_of(site: Site, space: str) -> Kind:
    """As observers are told of it, in one of AccessSpace."""
    told_as = cast(AccessSpace, space)
    return Kind(site.index, site.line, site.name, told_as, site.op, site.width, site.type, site.matrices)


def _does(site: Site) -> str:
    verb = {"ld": "reads", "ldmatrix": "reads", "st": "writes"}.get(site.op, "updates")
    return f"{verb} {counted(site.width, 'byte')}"


def load(site: Site, running: Running, addresses: Ints, mask: Mask) -> list[Values]:
    """What the threads read: of each component its bits, as unsigned integers. Of an inactive thread: anything."""
    parts = find(site, running, addresses, mask)
    return [_component(parts, component, site.size) for component in range(site.width // site.size)]


def _component(parts: list[Found], component: int, size: int) -> Values:
    read = [gather(part.cells, part.index + component if component else part.index, size) for part in parts]
    result = read[0]
    for part, values in zip(parts[1:], read[1:], strict=True):
        result = np.where(cast(Bools, part.mask), values, result)
    return result


def store(site: Site, running: Running, addresses: Ints, values: Sequence[Values], mask: Mask) -> list[Values]:
    """Write each component's bits, unsigned integers of the site's size. Gives no result."""
    for part in find(site, running, addresses, mask, values):
        for component, bits in enumerate(values):
            scatter(part.cells, part.index + component if component else part.index, bits, part.mask)
    return []
