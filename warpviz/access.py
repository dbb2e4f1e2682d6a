"""Access: one warp instruction's 32 byte addresses. The currency that every part of warpviz trades in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpviz.hardware import DEFAULT_MATRICES, LANES, MATRICES, OPS, SPACES, Op, Space, lanes_read

_WIDTHS: dict[tuple[Space, Op], tuple[int, ...]] = {
    ("shared", "ld"): (1, 2, 4, 8, 16),
    ("shared", "st"): (1, 2, 4, 8, 16),
    ("shared", "atom"): (4, 8),
    ("shared", "red"): (4, 8),
    ("shared", "ldmatrix"): (16,),
    ("global", "ld"): (1, 2, 4, 8, 16),
    ("global", "st"): (1, 2, 4, 8, 16),
    ("global", "atom"): (4, 8),
    ("global", "red"): (4, 8),
    ("const", "ld"): (1, 2, 4, 8, 16),
}


@dataclass(frozen=True, eq=False)
class Access:
    """A batch of N accesses of one kind.

    addresses: int64, shape (N, 32): the first byte that each lane touches, from the start of its memory space
    (shared) or from a base aligned to 1,024 bytes (global, constant).
    active: bool, shape (N, 32): the lanes that take part. An inactive lane's address means nothing.
    width: bytes a lane; for ldmatrix the 16 bytes of the row that a lane points to.
    matrices: how many 8x8 matrices an ldmatrix loads (1, 2 or 4); None for every other op.
    """

    addresses: NDArray[np.int64]
    active: NDArray[np.bool_]
    width: int
    op: Op
    space: Space
    matrices: int | None = None

    @classmethod
    def of(
        cls,
        addresses: ArrayLike,
        *,
        space: Space,
        op: Op = "ld",
        width: int = 4,
        active: ArrayLike | None = None,
        matrices: int | None = None,
    ) -> Access:
        """Check what comes from outside and make an Access of it.

        addresses: whole numbers, shape (32,) or (N, 32). active: booleans of that shape; None means every lane.
        Raises ValueError, with a sentence, for a shape, space, op, width or matrices that no access has, and for
        an active lane whose address is not a multiple of the width.
        """
        batch = _batch(addresses)
        mask = np.ones(batch.shape, dtype=np.bool_) if active is None else _mask(active, batch.shape)
        _check_kind(space, op, width)
        if op == "ldmatrix":
            matrices = DEFAULT_MATRICES if matrices is None else matrices
            if matrices not in MATRICES:
                raise ValueError(f"matrices is {matrices!r}; an ldmatrix loads 1, 2 or 4 matrices")
        elif matrices is not None:
            raise ValueError(f"matrices goes with op 'ldmatrix' alone, not with {op!r}")
        access = cls(batch, mask, int(width), op, space, matrices)
        _check_alignment(batch, access.pointing, access.width)
        return access

    @property
    def pointing(self) -> NDArray[np.bool_]:
        """The active lanes whose address is read, shape (N, 32): of an ldmatrix the first 8 for each matrix."""
        return self.active & (np.arange(LANES) < lanes_read(self.matrices))

    def __len__(self) -> int:
        return len(self.addresses)

    def __getitem__(self, rows: slice | NDArray[np.intp]) -> Access:
        """These accesses of the batch, as a smaller batch."""
        return replace(self, addresses=self.addresses[rows], active=self.active[rows])


def _batch(addresses: ArrayLike) -> NDArray[np.int64]:
    values = np.asarray(addresses)
    if values.dtype.kind not in "iu":
        raise ValueError(f"addresses are {values.dtype}; they are whole numbers of bytes")
    if values.ndim not in (1, 2) or values.shape[-1] != LANES:
        raise ValueError(f"addresses have shape {values.shape}; it is (32,) or (N, 32)")
    return np.atleast_2d(values).astype(np.int64, copy=False)


def _mask(active: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.atleast_2d(np.asarray(active))
    if mask.dtype != np.bool_:
        raise ValueError(f"active is {mask.dtype}; it is booleans, one for each lane")
    if mask.shape != shape:
        raise ValueError(f"active has shape {mask.shape}, the addresses have {shape}; they are the same")
    return mask


def _check_kind(space: str, op: str, width: int) -> None:
    if space not in SPACES:
        raise ValueError(f"space is {space!r}; it is one of {', '.join(SPACES)}")
    if op not in OPS:
        raise ValueError(f"op is {op!r}; it is one of {', '.join(OPS)}")
    widths = _WIDTHS.get((space, op))
    if widths is None:
        raise ValueError(f"{space} memory has no {op!r}")
    if not isinstance(width, (int, np.integer)) or isinstance(width, bool) or width not in widths:
        allowed = ", ".join(map(str, widths))
        raise ValueError(f"a {space} {op!r} of {width} bytes a lane is none that the hardware has: {allowed}")


def _check_alignment(addresses: NDArray[np.int64], active: NDArray[np.bool_], width: int) -> None:
    if width == 1:
        return
    misaligned = active & ((addresses & (width - 1)) != 0)
    if misaligned.any():
        row, lane = (int(i) for i in np.argwhere(misaligned)[0])
        raise ValueError(
            f"lane {lane} of access {row} is at byte {addresses[row, lane]}, which is not a multiple of {width}"
        )
