"""Where the variables of a kernel lie, each in its own memory space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from warpviz.kernel.memory.checks import aligned
from warpviz.kernel.memory.windows import generic_address
from warpviz.kernel.ptx.syntax import Parameter, Variable

# The most that any GPU has: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
MOST_SHARED_BYTES = 227 << 10  # of a block
MOST_STATIC_SHARED_BYTES = 48 << 10  # of these, for variables whose size the file states
MOST_LOCAL_BYTES = 512 << 10  # of a thread

_DYNAMIC_ALIGNMENT_BYTES = 16


@dataclass(frozen=True)
class Place:
    """space: "global", "shared", "const", "local" or "param". address: in that space, in bytes."""

    space: str
    address: int

    @property
    def generic(self) -> int:
        """The generic address."""
        return generic_address(self.space, self.address)


@dataclass(frozen=True)
class Layout:
    """places: of every variable and parameter that has an address, by name, but those in global memory. sizes: bytes
    that the variables of a space take: of one block (shared), of one thread (local), of the launch (const, param)."""

    places: Mapping[str, Place]
    sizes: Mapping[str, int]


def lay_out(variables: Iterable[Variable], parameters: Iterable[Parameter], dynamic_shared_bytes: int) -> Layout:
    """Give each variable that is not in global memory its place.

    Variables follow one another at multiples of their alignment, in their order; shared ones without a size share the
    bytes that the launch gives, behind all others. A param variable is one of an inlined call: each thread has its own,
    as it has its own local memory. parameters: of the kernel.
    """
    sizes = dict.fromkeys(("shared", "local", "const", "param"), 0)
    places: dict[str, Place] = {}
    dynamic: list[Variable] = []
    for variable in variables:
        space = "local" if variable.space == "param" else variable.space
        if space == "shared" and variable.size == 0:
            dynamic.append(variable)
        elif space != "global":
            start = aligned(sizes[space], variable.align)
            places[variable.name] = Place(space, start)
            sizes[space] = start + variable.size
    if dynamic or dynamic_shared_bytes:
        alignment = max([_DYNAMIC_ALIGNMENT_BYTES, *(variable.align for variable in dynamic)])
        start = aligned(sizes["shared"], alignment)
        places.update((variable.name, Place("shared", start)) for variable in dynamic)
        sizes["shared"] = start + dynamic_shared_bytes
    for parameter in parameters:
        places[parameter.name] = Place("param", parameter.offset)
        sizes["param"] = max(sizes["param"], parameter.offset + parameter.size)
    return Layout(places, sizes)
