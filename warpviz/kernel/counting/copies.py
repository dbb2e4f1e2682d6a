"""What a cp.async costs: bytes that go from global to shared memory without a register between.

The rules are those that an H200 shows under Nsight Compute (`smsp__sass_…_op_ldgsts`), with strides, offsets and
broadcasts of either side, and in a matrix with padded rows.
"""

from __future__ import annotations

import numpy as np

from warpviz.hardware import BANKS, LANES, LINE_BYTES, SECTOR_BYTES, WORD_BYTES
from warpviz.kernel.counting.patterns import CopyPatterns, Ints
from warpviz.kernel.memory.observing import Kind
from warpviz.model.rows import count_distinct, fullest_column_lanes, rank_among_equals

_HALF_BYTES = SECTOR_BYTES // 2
_PER_LINE = LINE_BYTES // SECTOR_BYTES
_TARGET_BITS = 16  # more than there are sectors of shared memory


def copy_cost(kind: Kind, found: CopyPatterns) -> tuple[Ints, Ints]:
    """(sectors that are read, wavefronts that write shared memory) of each copy, (n,) each. kind: of either half."""
    if "cg" in kind.name.split("."):
        return _past_l1(found)
    return count_distinct(found.sources // SECTOR_BYTES, found.reading), _through_l1(found, kind.width)


def _through_l1(found: CopyPatterns, width: int) -> Ints:
    """Wavefronts of .ca: a phase costs as many as the fullest bank has lanes, where they read or where they write.
    Lanes with one word share nothing."""
    columns = lanes = BANKS * WORD_BYTES // width  # a phase has as many lanes as there are such places in the banks
    active = found.active.reshape(-1, lanes)
    fullest = [
        fullest_column_lanes((addresses // width).reshape(-1, lanes), active, columns)
        for addresses in (found.sources, found.targets)
    ]
    wavefronts: Ints = np.maximum(*fullest).reshape(-1, LANES // lanes).sum(axis=1)
    return wavefronts


def _past_l1(found: CopyPatterns) -> tuple[Ints, Ints]:
    """(sectors, wavefronts) of .cg, which bypasses L1: 16 bytes a lane, half a sector.

    A sector counts once for each sector that takes some of it, and apart where its halves change places. A wavefront
    takes sectors of one line to one line, each once, that are all moved alike: by an even number of places or by an odd
    one; with the halves where they are, or the first into the second's place, or the second into the first's.
    """
    source, target = found.sources // SECTOR_BYTES, found.targets // SECTOR_BYTES
    half, into = found.sources // _HALF_BYTES % 2, found.targets // _HALF_BYTES % 2
    turned = np.where(half == into, 0, 1 + into)
    move = _one_number(source, target, turned, 3)
    parity = (target - source) % 2
    group = _one_number(source // _PER_LINE, target // _PER_LINE, 2 * turned + parity, 6)
    first = found.active & (rank_among_equals(move, found.active) == 0)
    turn = rank_among_equals(group * _PER_LINE + source % _PER_LINE, first)
    return count_distinct(move, found.reading), count_distinct(group * LANES + turn, first)


def _one_number(source: Ints, target: Ints, kind: Ints, kinds: int) -> Ints:
    """Different ones for different triples. target: of sectors or lines of shared memory, from whatever start."""
    return ((source << _TARGET_BITS) + target) * kinds + kind
