"""What a prediction takes for granted: rules that are assumed, and counts that are bounds."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.access import Access
from warpviz.hardware import ATOMIC_OPS, LANES, LINE_BYTES, WORD_BYTES, base_arch, check_arch
from warpviz.model.banks import lanes_per_phase
from warpviz.model.rows import count_distinct
from warpviz.model.sectors import rounds

MEASURED_ARCH = "sm_90"
_GLOBAL_ATOMICS = "lanes of an atomic that have the same address go out one after the other, in rounds"
_SCATTERED_LINES = 4  # up to so many lines a global atomic was always counted as predicted


def assumptions(access: Access, arch: str, element_type: str = "int") -> tuple[str, ...]:
    """What the prediction of an access takes for granted, a sentence each.

    Empty when every rule that it uses is measured on `arch`. access: a batch of one. element_type: of what a lane
    touches, as C spells it. Raises ValueError for an arch that is no `sm_XX`.
    """
    check_arch(arch)
    return tuple(_assumptions(access, arch, element_type))


def is_lower_bound(access: Access) -> bool:
    """Whether the sectors and lines predicted for an access, a batch of one, are the fewest there can be."""
    if access.space != "global" or access.op not in ATOMIC_OPS:
        return False
    return bool((count_distinct(access.addresses // LINE_BYTES, access.active) > _SCATTERED_LINES).any())


def main_rule(access: Access) -> str:
    """The rule of the hardware that decides what an access, a batch of one, costs; in words."""
    if access.space == "const":
        return "constant memory takes one request for each distinct address"
    if access.space == "global":
        return _GLOBAL_ATOMICS if access.op in ATOMIC_OPS else "each distinct 32-byte sector moves once"
    if access.op == "ldmatrix":
        return "an ldmatrix has one phase for each 8 row addresses"
    lanes = int(lanes_per_phase(access)[0])
    phases = f"{access.width} bytes a lane go in phases of {lanes} lanes"
    if access.op in ATOMIC_OPS:
        return f"{phases}, in which an atomic's lanes of one bank take turns"
    if lanes * max(access.width, WORD_BYTES) > LANES * WORD_BYTES:
        return f"where lanes agree in pairs, loads of {phases}, which NVIDIA documents for 7.x alone"
    return f"{phases}, in which lanes with different words of one bank take turns"


def _assumptions(access: Access, arch: str, element_type: str) -> Iterator[str]:
    if base_arch(arch) != MEASURED_ARCH:
        yield f"the rules are measured on {MEASURED_ARCH}; that they hold on {arch} is assumed"
    if access.op not in ATOMIC_OPS:
        return
    if access.space == "shared" and (access.width == 8 or element_type in ("float", "double")):
        yield (
            f"a shared atomicAdd of {element_type} is a loop of compare-and-swap; this is the cost of one instruction, "
            "as of an exchange or an add of 4-byte integers"
        )
    if access.space == "global":
        if (rounds(access)[access.active] > 0).any():
            yield "lanes with the same address go out in rounds; sectors, lines and bytes count once in each round"
        if is_lower_bound(access):
            yield "sectors and lines of a global atomic that scatters over many lines are a lower bound"
