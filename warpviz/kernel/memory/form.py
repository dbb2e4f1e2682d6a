"""What the modifiers of a memory instruction say."""

from __future__ import annotations

from dataclasses import dataclass

from warpviz.kernel.memory.values import MemoryType, memory_type
from warpviz.kernel.ptx.syntax import Instruction

_SPACES = {
    "global": "global",
    "shared": "shared",
    "shared::cta": "shared",
    "local": "local",
    "const": "const",
    "param": "param",
    "param::entry": "param",
    "param::func": "param",
}
_COMPONENTS = {"v2": 2, "v4": 4}
# How an access is ordered and cached: neither what is read and written nor what it costs changes.
_WITHOUT_EFFECT = frozenset(
    "weak volatile relaxed acquire release acq_rel mmio cta cluster gpu sys "
    "nc ca cg cs lu cv wb wt noftz "
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
    "L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B".split()
)
_ATOMIC_OPERATIONS = frozenset("add inc dec min max and or xor exch cas".split())
_WIDEST_BYTES = 16


@dataclass(frozen=True)
class Form:
    """space: "global", "shared", "local", "const", "param" or "generic". type: of each of its components, 1, 2 or 4.
    operation: of an atomic, such as "add"; else empty."""

    space: str
    type: MemoryType
    components: int
    operation: str

    @property
    def width(self) -> int:
        """Bytes that a thread touches."""
        return self.type.size * self.components


def form_of(instruction: Instruction) -> Form | None:
    """The form of a ld, ldu, st, atom or red; None where a modifier says what is not known here."""
    *modifiers, type_name = instruction.modifiers or ("",)
    kind = memory_type(type_name)
    space, components, operation = "generic", 1, ""
    for modifier in modifiers:
        if modifier in _SPACES:
            space = _SPACES[modifier]
        elif modifier in _COMPONENTS:
            components = _COMPONENTS[modifier]
        elif modifier in _ATOMIC_OPERATIONS:
            operation = modifier
        elif modifier not in _WITHOUT_EFFECT:
            return None
    if kind is None or kind.size * components > _WIDEST_BYTES or (operation and components > 1):
        return None
    return Form(space, kind, components, operation)
