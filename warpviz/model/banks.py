"""Shared memory: phases, wavefronts, and the lanes that the hardware serves together.

The rules are those that an H200 (compute capability 9.0) shows under Nsight Compute, counted with
`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*` over several thousand patterns.
"""

from __future__ import annotations

import numpy as np

from warpviz.access import Access
from warpviz.hardware import ATOMIC_OPS, BANKS, LANES, WORD_BYTES
from warpviz.model.rows import Bools, Ints, fullest_column_distinct, fullest_column_lanes


def granule_bytes(access: Access) -> int:
    """The bytes of one lane that always travel together: its words, at least one. 4, 8 or 16."""
    return max(access.width, WORD_BYTES)


def granules(access: Access) -> Ints:
    """Each lane's place in shared memory counted in granules. Shape (N, 32).

    Aligned granules of 8 or 16 bytes fill the same 2 or 4 neighbouring banks, so counting granules in
    32 / (granule words) columns is the same as counting words in 32 banks.
    """
    return access.addresses >> (granule_bytes(access).bit_length() - 1)


def granule_columns(access: Access) -> int:
    """How many granules lie side by side in the 32 banks: 32, 16 or 8."""
    return BANKS * WORD_BYTES // granule_bytes(access)


def broadcasts(access: Access) -> bool:
    """Whether lanes that want the same word share it. Atomics do not: each lane takes its own turn."""
    return access.op not in ATOMIC_OPS


def lanes_per_phase(access: Access) -> Ints:
    """How many neighbouring lanes the hardware serves together. Shape (N,); values 32, 16 or 8.

    1, 2 and 4 bytes: 32 lanes. 8 bytes: 16. 16 bytes: 8, and 8 for an ldmatrix, whose lanes point to 16-byte rows.
    Loads of 8 and 16 bytes double it when lanes agree in pairs (`lanes_pair_up`); stores and atomics never do.
    """
    natural = min(LANES, granule_columns(access))
    lanes = np.full(len(access), natural, dtype=np.int64)
    if access.op == "ld" and natural < LANES:
        lanes[lanes_pair_up(access)] *= 2
    return lanes


def lanes_pair_up(access: Access) -> Bools:
    """Whether, over the whole warp, lanes l and l^1 (or else l and l^2) have equal addresses. Shape (N,).

    A pair with an inactive lane counts as agreeing.
    """
    return _agree_across(access, 1) | _agree_across(access, 2)


def _agree_across(access: Access, distance: int) -> Bools:
    partner = np.arange(LANES) ^ distance
    equal = access.addresses == access.addresses[:, partner]
    both_active = access.active & access.active[:, partner]
    agreeing: Bools = (equal | ~both_active).all(axis=1)
    return agreeing


def wavefronts(access: Access) -> tuple[Ints, Ints]:
    """(wavefronts, ideal wavefronts) of each access, both of shape (N,).

    A phase costs as many wavefronts as the fullest bank has distinct words (atomics: lanes). Ideal counts the phases
    that have an active lane. A phase without one costs nothing.
    """
    per_phase = lanes_per_phase(access)
    if not per_phase.size or (per_phase == per_phase[0]).all():
        return _wavefronts(access, LANES if not per_phase.size else int(per_phase[0]))
    total, ideal = np.empty_like(per_phase), np.empty_like(per_phase)
    for lanes in np.unique(per_phase).tolist():
        alike = np.flatnonzero(per_phase == lanes)
        total[alike], ideal[alike] = _wavefronts(access[alike], lanes)
    return total, ideal


def _wavefronts(access: Access, lanes: int) -> tuple[Ints, Ints]:
    """(wavefronts, ideal wavefronts) of accesses that all have this many lanes in a phase."""
    fullest = fullest_column_distinct if broadcasts(access) else fullest_column_lanes
    active = access.pointing.reshape(-1, lanes)
    cost = fullest(granules(access).reshape(-1, lanes), active, granule_columns(access))
    busy: Bools = np.asarray(active.any(axis=1))
    phases = LANES // lanes
    if phases == 1:
        return cost, busy.astype(np.int64)
    ideal: Ints = busy.reshape(-1, phases).sum(axis=1, dtype=np.int64)
    total: Ints = cost.reshape(-1, phases).sum(axis=1, dtype=np.int64)
    return total, ideal
