"""What the hardware is made of, and the words for it. Needs nothing: a screen is drawn before numpy is loaded."""

from __future__ import annotations

import re
from typing import Literal, get_args

LANES = 32
WORD_BYTES = 4
SECTOR_BYTES = 32
LINE_BYTES = 128
BANKS = 32

Space = Literal["shared", "global", "const"]
Op = Literal["ld", "st", "atom", "red", "ldmatrix"]
SPACES: tuple[Space, ...] = get_args(Space)
OPS: tuple[Op, ...] = get_args(Op)
ATOMIC_OPS: tuple[Op, ...] = ("atom", "red")
LDMATRIX_ROW_BYTES = 16
MATRICES = (1, 2, 4)  # of 8x8 elements, in one ldmatrix

DEFAULT_MATRICES = 4

DEFAULT_ARCH = "sm_90"
_ARCH = re.compile(r"sm_\d{2,3}[af]?")
_DEVICE = re.compile(r"[0-9]{1,4}|GPU-[0-9A-Fa-f][0-9A-Fa-f-]*|MIG-[0-9A-Za-z/-]+")


def lanes_read(matrices: int | None) -> int:
    """Of how many lanes, from lane 0 on, the instruction reads the address: 8 for each matrix of an ldmatrix."""
    return LANES if matrices is None else 8 * matrices


def check_arch(arch: str) -> None:
    """Raises ValueError, with a sentence, when `arch` is no architecture name such as sm_90."""
    if not isinstance(arch, str) or not _ARCH.fullmatch(arch):
        raise ValueError(f"arch is {arch!r}; an architecture is written like sm_75, sm_90 or sm_120")


def base_arch(arch: str) -> str:
    """The architecture without the letter that stands for features of its own: sm_90 of sm_90a."""
    return arch.rstrip("af")


def check_device(device: str) -> None:
    """Raises ValueError, with a sentence, when `device` names no GPU: by a number or by how its UUID begins."""
    if not isinstance(device, str) or not _DEVICE.fullmatch(device):
        raise ValueError(f"{device!r} is no GPU; one is named by its number (0, 1, …) or by its UUID (GPU-… or MIG-…)")
