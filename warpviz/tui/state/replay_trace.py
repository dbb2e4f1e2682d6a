"""Trace: what one block of a kernel did, access by access, with all that the replay of it needs worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.hardware import LANES, LINE_BYTES, SECTOR_BYTES
from warpviz.kernel.code import Code
from warpviz.kernel.counting import Count, LineKind, Recorded, by_line
from warpviz.kernel.counting.local import local_sectors
from warpviz.kernel.counting.patterns import Patterns
from warpviz.kernel.fitting import Fitter
from warpviz.kernel.fitting.symbols import variable_name
from warpviz.kernel.interpret import RecordedBlock, record_block
from warpviz.kernel.memory.memory import Memory
from warpviz.kernel.memory.observing import AccessSpace, Kind
from warpviz.kernel.prepare import Prepared
from warpviz.kernel.program import Program
from warpviz.model import predict
from warpviz.tui.state.replay_words import Words, grain_of, words_of

Ints = NDArray[np.int64]

_MOST_EVENTS = 12_000_000  # some 400 MB while they are put in order
UNITS: Mapping[AccessSpace, str] = {"shared": "pass", "global": "sector", "local": "sector", "const": "request"}


@dataclass(frozen=True)
class Named:
    """An array or a variable. start: its first byte, from the start of its memory space."""

    name: str
    start: int


@dataclass(frozen=True, eq=False)
class Trace:
    """One block's accesses in their order. Arrays have an entry for each.

    block: by its place in the grid, x fastest. barriers: of each, how many accesses came before; ascending, each number
    once. is_full: whether there were more accesses than are kept. warps: how many made any. lines: what the accesses
    of a line are told apart by. line: which of `lines`. warp: of the block. cost: in the unit of its memory space.
    ideal: the least that it could be, where that is known; else the cost. used: bytes that lanes ask for, global
    memory. words: shared memory over time; None where nothing touches it. named: what lies in shared and in global
    memory, ascending by start.
    """

    block: int
    accesses: tuple[Recorded, ...]
    barriers: tuple[int, ...]
    is_full: bool
    warps: tuple[int, ...]
    lines: tuple[LineKind, ...]
    line: Ints
    warp: Ints
    cost: Ints
    ideal: Ints
    used: Ints
    words: Words | None
    named: Mapping[AccessSpace, tuple[Named, ...]]

    @property
    def count(self) -> int:
        """How many accesses."""
        return len(self.accesses)

    def named_at(self, space: AccessSpace, address: int) -> Named:
        """What an address lies in, or what begins last before it."""
        before = [one for one in self.named.get(space, ()) if one.start <= address]
        return before[-1] if before else Named("", 0)

    def access(self, position: int) -> Access | None:
        """One access for the model, a batch of one; of global memory counted from its array's start. None for local
        memory."""
        recorded = self.accesses[position]
        access = recorded.access
        if access is None or access.space != "global":
            return access
        start = self.named_at("global", int(recorded.addresses[recorded.active].min())).start
        start -= start % LINE_BYTES
        return Access(access.addresses - start, access.active, access.width, access.op, access.space, access.matrices)


@dataclass(frozen=True, eq=False)
class Replayable:
    """A block's trace, and what writes its accesses as C."""

    trace: Trace
    fitter: Fitter


def record(prepared: Prepared, block: int, code: Code | None, cancelled: Callable[[], bool]) -> Replayable:
    """Run one block of a kernel. code: see `record_block`. Raises what that does."""
    program, launch, compiled = prepared.program, prepared.launch, prepared.compiled
    recorded = record_block(program, launch, block, code=code, cancelled=cancelled)
    texts = [compiled.source.text, *(text for _, text in compiled.source.headers)]
    fitter = Fitter(program, recorded.memory, texts, launch.grid, launch.block)
    return Replayable(trace_of(recorded, program, prepared.arch), fitter)


def trace_of(recorded: RecordedBlock, program: Program, arch: str) -> Trace:
    """Work out what the replay of a block needs. arch: such as sm_90."""
    accesses = _told(recorded.accesses)
    addresses = np.array([one.addresses for one in accesses]).reshape(-1, 32)
    active = np.array([one.active for one in accesses]).reshape(-1, 32)
    of_kind = _places_of_kinds(accesses)
    lines = tuple(dict.fromkeys(_line_kind(kind) for kind in of_kind))
    line, cost, ideal, used = np.zeros((4, len(accesses)), dtype=np.int64)
    shared: list[tuple[Access, Ints]] = []
    for kind, places in of_kind.items():
        line[places] = lines.index(_line_kind(kind))
        if kind.space == "local":
            rows = Patterns(addresses[places], active[places], np.ones(len(places), dtype=np.int64))
            cost[places] = ideal[places] = local_sectors(rows, kind.width)
            continue
        access = Access(addresses[places], active[places], kind.width, kind.op, kind.space, kind.matrices)
        cost[places], ideal[places], used[places] = _costs(access, arch)
        if kind.space == "shared":
            shared.append((access, places))
    warp = np.array([one.warp for one in accesses], dtype=np.int64)
    return Trace(
        recorded.block,
        accesses,
        tuple(sorted({barrier for barrier in recorded.barriers if barrier <= len(accesses)})),
        recorded.is_full or len(accesses) < len(recorded.accesses),
        tuple(np.unique(warp).tolist()),
        lines,
        line,
        warp,
        cost,
        ideal,
        used,
        words_of(shared, len(accesses), recorded.memory.layout.sizes["shared"]),
        _named(program, recorded.memory),
    )


def _told(accesses: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    """The first of them: as many as make no more events in shared memory than are kept."""
    widths = np.array([one.kind.width if one.kind.space == "shared" else 0 for one in accesses], dtype=np.int64)
    events = np.cumsum(widths * LANES // grain_of(widths[widths > 0].tolist()))
    return accesses[: int(np.searchsorted(events, _MOST_EVENTS, side="right"))]


def _places_of_kinds(accesses: Sequence[Recorded]) -> dict[Kind, Ints]:
    places: dict[Kind, list[int]] = {}
    for place, one in enumerate(accesses):
        places.setdefault(one.kind, []).append(place)
    return {kind: np.array(found, dtype=np.int64) for kind, found in places.items()}


@lru_cache(maxsize=1024)
def _line_kind(kind: Kind) -> LineKind:
    return next(iter(by_line({kind: Count()})))


def _costs(access: Access, arch: str) -> tuple[Ints, Ints, Ints]:
    """Of each: the cost, the ideal, the bytes used."""
    cost = predict(access, arch)
    none = np.zeros(len(access.addresses), dtype=np.int64)
    if cost.wavefronts is not None and cost.ideal_wavefronts is not None:
        return cost.wavefronts, cost.ideal_wavefronts, none
    if cost.sectors is not None and cost.bytes_used is not None:
        return cost.sectors, -(-cost.bytes_used // SECTOR_BYTES), cost.bytes_used
    assert cost.requests is not None, "constant memory counts requests"
    return cost.requests, cost.requests, none


def _named(program: Program, memory: Memory) -> dict[AccessSpace, tuple[Named, ...]]:
    """What lies where, in shared and in global memory."""
    variables = [(variable_name(one.name), memory.place(one.name)) for one in program.variables]
    shared = [Named(name, place.address) for name, place in variables if place and place.space == "shared"]
    arrays = [Named(variable_name(name), array.address) for name, array in memory.arena.arrays.items()]
    return {
        "shared": tuple(sorted(shared, key=lambda one: one.start)),
        "global": tuple(sorted(arrays, key=lambda one: one.start)),
    }
