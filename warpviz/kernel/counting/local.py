"""Local memory: the same word of a warp's 32 lanes lies in 128 bytes next to each other."""

from __future__ import annotations

import numpy as np

from warpviz.hardware import LANES, SECTOR_BYTES, WORD_BYTES
from warpviz.kernel.counting.patterns import Patterns
from warpviz.model.rows import Ints, count_distinct

_LANES_PER_SECTOR = SECTOR_BYTES // WORD_BYTES


def local_sectors(patterns: Patterns, width: int) -> Ints:
    """Sectors of each access. Shape (n,).

    addresses: each lane's offset in its own local memory. A lane touches whole words, at least one; of a word, eight
    neighbouring lanes fill a sector. An H200 counts each sector of an access once, whatever its width.
    """
    granule = max(width, WORD_BYTES)
    place = patterns.addresses // granule * LANES + np.arange(LANES) // _LANES_PER_SECTOR
    return count_distinct(place, patterns.active) * (granule // WORD_BYTES)
