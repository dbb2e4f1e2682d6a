"""Which rules are measured on which architecture, and which are assumed."""

from __future__ import annotations

import re

from warpviz.access import Access

MEASURED_ARCH = "sm_90"
_ARCH = re.compile(r"sm_(\d{2,3})([af]?)")


def check_arch(arch: str) -> None:
    """Raises ValueError, with a sentence, when `arch` is no architecture name such as sm_90."""
    if not _ARCH.fullmatch(arch):
        raise ValueError(f"arch is {arch!r}; an architecture is written like sm_75, sm_90 or sm_120")


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
