"""An observer that counts what each instruction's accesses cost."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.hardware import ATOMIC_OPS, DEFAULT_ARCH, LANES, SECTOR_BYTES, WORD_BYTES, Op, check_arch
from warpviz.kernel.counting.copies import copy_cost
from warpviz.kernel.counting.local import local_sectors
from warpviz.kernel.counting.patterns import Patterns, copy_patterns, patterns
from warpviz.kernel.memory.observing import Half, Kind, Threads
from warpviz.model import predict

Ints = NDArray[np.int64]

_FEW = 4  # patterns: what they cost is kept, since most instructions make the same few again and again
_MOST_KEPT = 4096


@dataclass
class Count:
    """Sums over all accesses of an instruction in one memory space.

    accesses: each of one warp with an active lane. requests: as the caches count them: one an access; of local memory
    one for each 4 bytes of a lane, of constant memory one for each distinct address. lanes: active ones. sectors,
    lines, bytes_used: global, the distinct ones of an access, of an atomic too; sectors: local too. ideal_sectors:
    those that would do if the bytes used lay next to each other. wavefronts, ideal_wavefronts, conflicts: shared. What
    does not apply is 0.
    """

    accesses: int = 0
    requests: int = 0
    lanes: int = 0
    sectors: int = 0
    lines: int = 0
    bytes_used: int = 0
    ideal_sectors: int = 0
    wavefronts: int = 0
    ideal_wavefronts: int = 0
    conflicts: int = 0

    def add(self, other: Count) -> None:
        """Add another's sums to these."""
        for field in fields(Count):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


class Counter:
    """counts: what each kind of access costs so far, in the order of first use. Several threads may tell it."""

    def __init__(self, arch: str = DEFAULT_ARCH) -> None:
        """Raises ValueError for an arch that is no `sm_XX`."""
        check_arch(arch)
        self.counts: dict[Kind, Count] = {}
        self._arch = arch
        self._lock = Lock()

    def access(self, kind: Kind, addresses: Ints, mask: NDArray[np.bool_] | None, threads: Threads) -> None:
        """Count one instruction's accesses; see Observer."""
        found = patterns(addresses, mask, threads.shape)
        count = cost_of(kind, found, self._arch)
        self._add(kind, count)

    def copy(self, read: Half, written: Half, threads: Threads) -> None:
        """Count both halves of one instruction's copies; see Observer."""
        found = copy_patterns(read.addresses, read.mask, written.addresses, written.mask, threads.shape)
        sectors, wavefronts = (int(each @ found.times) for each in copy_cost(read.kind, found))
        reads, writes = (
            cost_of(half.kind, patterns(half.addresses, half.mask, threads.shape), self._arch)
            for half in (read, written)
        )
        self._add(read.kind, replace(reads, sectors=sectors))
        conflicts = wavefronts - writes.ideal_wavefronts
        self._add(written.kind, replace(writes, wavefronts=wavefronts, conflicts=conflicts))

    def _add(self, kind: Kind, count: Count) -> None:
        with self._lock:
            self.counts.setdefault(kind, Count()).add(count)

    def barrier(self, threads: Threads, mask: NDArray[np.bool_] | None) -> None:
        """Costs no memory access."""


def cost_of(kind: Kind, found: Patterns, arch: str = DEFAULT_ARCH) -> Count:
    """What some accesses of a kind cost together: to be read, not changed."""
    if len(found.times) > _FEW:
        return _computed(kind, found, arch)
    return _kept(kind, found.addresses.tobytes(), found.active.tobytes(), found.times.tobytes(), arch)


@lru_cache(maxsize=_MOST_KEPT)
def _kept(kind: Kind, addresses: bytes, active: bytes, times: bytes, arch: str) -> Count:
    found = Patterns(
        np.frombuffer(addresses, dtype=np.int64).reshape(-1, LANES),
        np.frombuffer(active, dtype=np.bool_).reshape(-1, LANES),
        np.frombuffer(times, dtype=np.int64),
    )
    return _computed(kind, found, arch)


def _computed(kind: Kind, found: Patterns, arch: str) -> Count:
    def total(each: Ints | None) -> int:
        return 0 if each is None else int(each @ found.times)

    warps = int(found.times.sum())
    count = Count(warps, warps, lanes=total(np.count_nonzero(found.active, axis=1)))
    if kind.space == "local":
        count.requests = warps * max(1, kind.width // WORD_BYTES)
        count.sectors = total(local_sectors(found, kind.width))
        return count
    cost = predict(Access(found.addresses, found.active, kind.width, _costs_as(kind), kind.space, kind.matrices), arch)
    if kind.space == "const":
        count.requests = total(cost.requests)
    for name in ("sectors", "lines", "bytes_used", "wavefronts", "ideal_wavefronts", "conflicts"):
        setattr(count, name, total(getattr(cost, name)))
    if cost.bytes_used is not None:
        count.ideal_sectors = total(-(-cost.bytes_used // SECTOR_BYTES))
    return count


def _costs_as(kind: Kind) -> Op:
    """The op whose rules apply.

    Sectors are those of `smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_*`, which counts the distinct ones of a
    global atomic, where `l1tex__t_sectors_…`, the counter of a single access, goes by its rounds.
    """
    if kind.op in ATOMIC_OPS and kind.space == "global":
        return "ld"
    return "st" if kind.merges else kind.op
