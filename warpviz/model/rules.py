"""Which rules are measured on which architecture, and which are assumed."""

from __future__ import annotations

from warpviz.access import Access
from warpviz.hardware import check_arch

MEASURED_ARCH = "sm_90"


def assumptions(access: Access, arch: str) -> tuple[str, ...]:
    """What the prediction takes for granted, a sentence each. Empty when every rule used is measured on `arch`."""
    check_arch(arch)
    said = []
    if not _is_measured(arch):
        said.append(f"the rules are measured on {MEASURED_ARCH}; that they hold on {arch} is assumed")
    if access.space == "global" and access.op in ("atom", "red"):
        said.append("sectors of a global atomic are a lower bound when its lanes scatter over many lines")
    return tuple(said)


def _is_measured(arch: str) -> bool:
    return arch.rstrip("af") == MEASURED_ARCH
