"""Long arrays in pieces that stay in the processor's cache, with all that a function of many steps makes on its way."""

from __future__ import annotations

import numpy as np

from warpviz.kernel.machine.arithmetic.operation import Array, Compute

PIECE_THREADS = 1 << 14


def in_pieces(compute: Compute) -> Compute:
    """The function of arrays of ndim 3 done on some thread blocks (the first dimension) after the other, where a source
    is long. Worth it from about ten numpy steps on."""

    def pieces(*sources: Array) -> Array:
        if max(source.size for source in sources) <= 2 * PIECE_THREADS:
            whole: Array = compute(*sources)
            return whole
        blocks, warps, lanes = np.broadcast_shapes(*(source.shape for source in sources))
        step = max(PIECE_THREADS // (warps * lanes), 1)
        parts = [
            compute(*(source if len(source) == 1 else source[start : start + step] for source in sources))
            for start in range(0, blocks, step)
        ]
        return np.concatenate(parts)

    return pieces
