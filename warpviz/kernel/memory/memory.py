"""All memory of a launch, and of the blocks that run together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpviz.hardware import LANES
from warpviz.kernel.memory.arena import Arena
from warpviz.kernel.memory.checks import Bytes, Ints, Mask
from warpviz.kernel.memory.layout import Place, lay_out
from warpviz.kernel.memory.observing import Threads
from warpviz.kernel.memory.own import OwnMemory
from warpviz.kernel.memory.windows import WINDOW_STARTS, in_window
from warpviz.kernel.ptx.syntax import Parameter, Variable

_POINTER_BYTES = 8


class Memory:
    """What all threads of a launch share, and where everything lies.

    arena: the launch's arrays and the global variables of the module. An array keeps its name there, also where a
    variable has the same. layout: of all other variables.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        parameters: Sequence[Parameter],
        arrays: Sequence[tuple[str, int]] = (),
        dynamic_shared_bytes: int = 0,
    ) -> None:
        """variables: that the kernel uses, of the module and its own, of all spaces. parameters: of the kernel.
        arrays: (name, bytes) of those that the launch adds to global memory, at first zeros."""
        launched = {name for name, _ in arrays}
        self._in_arena = {
            variable.name: f"{variable.name} of the module" if variable.name in launched else variable.name
            for variable in variables
            if variable.space == "global"
        }
        sizes = {variable.name: variable.size for variable in variables}
        self.arena = Arena([*arrays, *((name, sizes[symbol]) for symbol, name in self._in_arena.items())])
        self.layout = lay_out(variables, parameters, dynamic_shared_bytes)
        self.const = OwnMemory("constant memory", self.layout.sizes["const"])
        self.param = OwnMemory("the kernel's parameters", self.layout.sizes["param"])
        for variable in variables:
            self._initialise(variable)

    def place(self, symbol: str) -> Place | None:
        """Where a variable or a parameter lies; None for a name that has no address."""
        if symbol in self._in_arena:
            return Place("global", self.arena.arrays[self._in_arena[symbol]].address)
        return self.layout.places.get(symbol)

    def set_parameters(self, contents: bytes) -> None:
        """Fill in the kernel's parameters, from the first on."""
        self.param.fill(contents)

    def _initialise(self, variable: Variable) -> None:
        """Write a variable's first value. The address of a function is 0: nothing reads it but an indirect call."""
        if variable.space not in ("global", "const"):
            return
        pointers_end = max((offset + _POINTER_BYTES for offset, _, _ in variable.addresses), default=0)
        contents = bytearray(variable.initial.ljust(pointers_end, b"\0"))
        for offset, symbol, addend in variable.addresses:
            place = self.place(symbol)
            if place is not None:
                contents[offset : offset + _POINTER_BYTES] = (place.generic + addend).to_bytes(_POINTER_BYTES, "little")
        if variable.space == "global":
            cells = self.arena.cells_of(self._in_arena[variable.name])
        else:
            cells = self.const.cells[self.layout.places[variable.name].address :]
        cells[: len(contents)] = np.frombuffer(bytes(contents), dtype=np.uint8)


class ChunkMemory:
    """What the threads of some blocks see: the launch's memory, their blocks' shared and their own local memory."""

    def __init__(self, memory: Memory, blocks: int, warps_per_block: int) -> None:
        self.launch = memory
        sizes = memory.layout.sizes
        self.shared = OwnMemory("shared memory", sizes["shared"], blocks)
        self.local = OwnMemory(
            "local memory", sizes["local"], blocks * warps_per_block * LANES if sizes["local"] else 1
        )

    def parts(self, space: str, addresses: Ints, mask: Mask) -> list[tuple[str, Ints, Mask]]:
        """The spaces that an access touches: (space, addresses in it, the threads that touch it).

        One, as it is, unless the space is "generic".
        """
        if space != "generic":
            return [(space, addresses, mask)]
        parts: list[tuple[str, Ints, Mask]] = []
        for candidate in ("global", *WINDOW_STARTS):
            within = in_window(candidate, addresses)
            start = WINDOW_STARTS.get(candidate, 0)
            if within.all():
                return [(candidate, addresses - start, mask)]
            part = within if mask is None else within & mask
            if part.any():
                parts.append((candidate, np.where(within, addresses - start, 0), part))
        return parts or [("global", addresses, mask)]

    def locate(
        self, space: str, addresses: Ints, width: int, unit: int, mask: Mask, threads: Threads
    ) -> tuple[Bytes, Ints]:
        """The cells of a space, and the index among them, in units of so many bytes, of each thread's first byte.

        Raises BadAddress for an active thread's address that is misaligned or that nothing holds.
        """
        if space == "global":
            return self.launch.arena.cells, self.launch.arena.locate(addresses, width, unit, mask)
        if space == "shared":
            return self.shared.cells, self.shared.locate(addresses, width, unit, mask, threads.block)
        if space == "local":
            return self.local.cells, self.local.locate(addresses, width, unit, mask, threads.number)
        own = self.launch.const if space == "const" else self.launch.param
        return own.cells, own.locate(addresses, width, unit, mask)
