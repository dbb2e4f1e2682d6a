"""Access -> Cost: what the hardware counters show for each access of a batch."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpviz.access import Access
from warpviz.hardware import DEFAULT_ARCH, LDMATRIX_ROW_BYTES, SECTOR_BYTES, WORD_BYTES, Op, Space, check_arch
from warpviz.model import banks, constant, sectors
from warpviz.model.rows import Ints

_ROWS_AT_ONCE = 4096  # keeps the working arrays inside a core's cache


@dataclass(frozen=True, eq=False)
class Cost:
    """The cost of N accesses: int64 arrays of shape (N,), None where a count does not apply to the memory space.

    requests: global and constant. sectors (of 32 bytes), lines (of 128 bytes), bytes_used: global.
    wavefronts, ideal_wavefronts, conflicts: shared; conflicts are wavefronts less ideal wavefronts.
    """

    requests: Ints | None = None
    sectors: Ints | None = None
    lines: Ints | None = None
    wavefronts: Ints | None = None
    ideal_wavefronts: Ints | None = None
    conflicts: Ints | None = None
    bytes_used: Ints | None = None

    @property
    def sector_efficiency(self) -> NDArray[np.float64] | None:
        """Bytes used over bytes moved, 0 to 1, shape (N,); NaN where nothing moves; None outside global memory."""
        if self.bytes_used is None or self.sectors is None:
            return None
        moved = self.sectors * SECTOR_BYTES
        efficiency: NDArray[np.float64] = np.full(moved.shape, np.nan)
        return np.divide(self.bytes_used, moved, out=efficiency, where=moved > 0)


def cost(
    addresses: ArrayLike,
    *,
    space: Space,
    op: Op = "ld",
    width: int = 4,
    active: ArrayLike | None = None,
    matrices: int | None = None,
    arch: str = DEFAULT_ARCH,
) -> Cost:
    """Predict what a batch of accesses costs.

    addresses: bytes, whole numbers of shape (N, 32), or (32,) for a batch of one. active: booleans of that shape;
    None means every lane. width: bytes a lane. op "ldmatrix" reads rows of 16 bytes, for which width may be left out;
    matrices, for it alone: 1, 2 or 4 (4 when left out).

    Raises ValueError, with a sentence, for what no access can be: see `Access.of`.

    >>> import numpy as np
    >>> int(cost(8 * 4 * np.arange(32), space="shared").wavefronts[0])
    8
    """
    if op == "ldmatrix" and width == WORD_BYTES:
        width = LDMATRIX_ROW_BYTES
    return predict(Access.of(addresses, space=space, op=op, width=width, active=active, matrices=matrices), arch)


def predict(access: Access, arch: str = DEFAULT_ARCH) -> Cost:
    """The cost of an Access that is already checked. Raises ValueError for an arch that is no `sm_XX`."""
    check_arch(arch)
    parts = [_predict_rows(access[start : start + _ROWS_AT_ONCE]) for start in range(0, len(access), _ROWS_AT_ONCE)]
    return _joined(parts) if parts else _predict_rows(access)


def _predict_rows(access: Access) -> Cost:
    if access.space == "shared":
        total, ideal = banks.wavefronts(access)
        return Cost(wavefronts=total, ideal_wavefronts=ideal, conflicts=total - ideal)
    if access.space == "const":
        return Cost(requests=constant.requests(access))
    moved, lines, bytes_used = sectors.counts(access)
    return Cost(
        requests=np.asarray(access.active.any(axis=1), dtype=np.int64),
        sectors=moved,
        lines=lines,
        bytes_used=bytes_used,
    )


def _joined(parts: list[Cost]) -> Cost:
    if len(parts) == 1:
        return parts[0]
    columns = {f.name: [getattr(part, f.name) for part in parts] for f in fields(Cost)}
    return Cost(**{name: None if v[0] is None else np.concatenate(v) for name, v in columns.items()})
