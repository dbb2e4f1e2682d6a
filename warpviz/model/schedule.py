"""Access -> Schedule: which lanes, and which words, are served in which pass.

The counts are the hardware's. The order of passes within a phase is not observable from outside; here each bank
serves its words in the order of the lowest lane that wants them, and sectors move in the order of their addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from warpviz.access import Access
from warpviz.hardware import BANKS, LANES, SECTOR_BYTES, WORD_BYTES
from warpviz.model import banks, constant, sectors

Unit = Literal["pass", "sector", "request"]


@dataclass(frozen=True)
class Cell:
    """One word that a step touches: its column (bank, or word of a line; 0..31), its index (byte address / 4), and
    the lanes that have bytes in it, ascending."""

    column: int
    word: int
    lanes: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """What is served together: one pass over the banks, one sector, or one constant request.

    phase: the phase (shared), round (global) or load (constant) that it belongs to, from 0. cells: ascending by word.
    """

    phase: int
    cells: tuple[Cell, ...]
    lanes: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """All steps of one access, in order. Their number is the predicted wavefronts, sectors or requests."""

    unit: Unit
    steps: tuple[Step, ...]

    def step_of_lane(self, lane: int) -> int | None:
        """The index of the step that serves this lane, or the last of its bytes; None for an inactive one."""
        return max((i for i, step in enumerate(self.steps) if lane in step.lanes), default=None)


def schedule(access: Access) -> Schedule:
    """The schedule of a batch of one. Raises ValueError for a larger batch."""
    if len(access) != 1:
        raise ValueError(f"a schedule is of one access; the batch has {len(access)}")
    if access.space == "shared":
        return Schedule("pass", tuple(_bank_passes(access)))
    if access.space == "const":
        return Schedule("request", tuple(_constant_requests(access)))
    return Schedule("sector", tuple(_sectors(access)))


def _bank_passes(access: Access) -> Iterable[Step]:
    per_phase = int(banks.lanes_per_phase(access)[0])
    lanes = _lanes(access.pointing[0])
    for phase in range(LANES // per_phase):
        members = [lane for lane in lanes if lane // per_phase == phase]
        for served in _turns(access, members):
            yield _step(access, phase, served)


def _turns(access: Access, lanes: list[int]) -> Iterable[list[int]]:
    """The lanes of one phase, pass by pass: each column serves the n-th item of its queue in pass n."""
    columns = banks.granule_columns(access)
    places = banks.granules(access)[0].tolist()
    shares = banks.broadcasts(access)
    queues: dict[int, list[list[int]]] = {}  # column -> items in order of arrival; an item is the lanes served at once
    place_of_item: dict[int, list[int]] = {}
    for lane in lanes:
        place = places[lane]
        if shares and place in place_of_item:
            place_of_item[place].append(lane)
            continue
        item = [lane]
        place_of_item[place] = item
        queues.setdefault(place % columns, []).append(item)
    for turn in range(max(map(len, queues.values()), default=0)):
        yield sorted(lane for queue in queues.values() if turn < len(queue) for lane in queue[turn])


def _sectors(access: Access) -> Iterable[Step]:
    in_round = sectors.rounds(access)[0].tolist()
    addresses = access.addresses[0].tolist()
    together: dict[tuple[int, int], list[int]] = {}
    for lane in _lanes(access.active[0]):
        together.setdefault((in_round[lane], addresses[lane] // SECTOR_BYTES), []).append(lane)
    for key in sorted(together):
        yield _step(access, key[0], together[key])


def _constant_requests(access: Access) -> Iterable[Step]:
    addresses = access.addresses[0].tolist()
    together: dict[int, list[int]] = {}
    for lane in _lanes(access.active[0]):
        together.setdefault(addresses[lane], []).append(lane)
    loads = constant.loads(access.width)
    for load in range(loads):
        for lanes in together.values():
            yield _step(access, load, lanes, load, loads)


def _step(access: Access, phase: int, lanes: list[int], part: int = 0, parts: int = 1) -> Step:
    """These lanes served together; of their bytes, one of so many equal parts."""
    part_bytes = access.width // parts
    wanted: dict[int, list[int]] = {}
    for lane in lanes:
        first = (int(access.addresses[0, lane]) + part * part_bytes) // WORD_BYTES
        for word in range(first, first + max(1, part_bytes // WORD_BYTES)):
            wanted.setdefault(word, []).append(lane)
    cells = tuple(Cell(word % BANKS, word, tuple(wanted[word])) for word in sorted(wanted))
    return Step(phase, cells, tuple(lanes))


def _lanes(active: Iterable[bool]) -> list[int]:
    return [lane for lane, is_active in enumerate(active) if is_active]
