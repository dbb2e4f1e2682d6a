"""Why an access to global memory moves its sectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from warpviz.access import Access
from warpviz.advice.reason import Reason, byte_stride, pointing_lanes
from warpviz.hardware import LINE_BYTES, SECTOR_BYTES
from warpviz.model import Cost, Schedule
from warpviz.wording import between, counted, listed, ordinal, plural

_LINE_SECTORS = LINE_BYTES // SECTOR_BYTES


def global_reasons(access: Access, cost: Cost, served: Schedule) -> Iterator[Reason]:
    """The most telling first."""
    if not served.steps:
        yield Reason("no lane", "no lane takes part: nothing is asked for, no sector", "plain")
        return
    yield from _rounds(access, served)
    yield from _alignment(access, cost, served)
    yield _sectors(access, cost, served)
    yield from _bytes(cost)
    yield from _lines(cost, served)


def _rounds(access: Access, served: Schedule) -> Iterator[Reason]:
    """Atomics on one address go out one after the other."""
    sectors = Counter(step.phase for step in served.steps)
    if len(sectors) == 1:
        return
    busiest, lanes = _busiest_address(access)
    yield Reason(
        "rounds",
        f"lanes {listed(lanes)} update one address, byte {busiest}: {len(lanes)} lanes take {len(sectors)} rounds",
        "bad",
    )
    if len(set(sectors.values())) == 1:
        each = f"{len(sectors)} rounds of {counted(sectors[0], 'sector')} each"
    else:
        each = f"the {len(sectors)} rounds move {listed(list(sectors.values()))} sectors"
    yield Reason("rounds", f"{each}: {counted(len(served.steps), 'sector')} in all", "plain")


def _busiest_address(access: Access) -> tuple[int, list[int]]:
    """The address that most lanes want, and those lanes."""
    addresses = {lane: int(access.addresses[0, lane]) for lane in pointing_lanes(access)}
    busiest, _ = Counter(addresses.values()).most_common(1)[0]
    return busiest, [lane for lane, address in addresses.items() if address == busiest]


def _sectors(access: Access, cost: Cost, served: Schedule) -> Reason:
    """How many lanes a sector serves, and what makes it so."""
    assert cost.bytes_used is not None
    lanes = pointing_lanes(access)
    sectors, used = len(served.steps), int(cost.bytes_used[0])
    stride = byte_stride(access, lanes)
    prefix = f"stride {stride:,} {plural(abs(stride), 'byte')}: " if stride else ""
    serving = [len(step.lanes) for step in served.steps]
    in_rounds = any(step.phase for step in served.steps)
    if stride == 0 and not in_rounds:
        text = f"the address is uniform across the warp: 1 sector serves {len(lanes)} lanes"
        return Reason("sectors", f"{text}, {_used(used, f'its {SECTOR_BYTES} bytes')}", "plain")
    if used == sectors * SECTOR_BYTES:
        every = f"every byte of the {counted(sectors, 'sector')} is used"
        return Reason("coalesced", f"{prefix}{every}; a sector serves {_lanes(serving)}", "good")
    if len(lanes) == 1:
        whole = f"its sector's {SECTOR_BYTES} bytes"
        return Reason("sectors", f"lane {lanes[0]} alone: {_used(used, whole)}", "plain")
    if max(serving) == 1 and not in_rounds:
        text = f"each lane has a sector of its own and uses {access.width} of its {SECTOR_BYTES} bytes"
        return Reason("sectors", prefix + text, "bad")
    where = " in each round" if in_rounds else ""
    return Reason("sectors", f"{prefix}each {SECTOR_BYTES}-byte sector serves {_lanes(serving)}{where}", "plain")


def _used(used: int, whole: str) -> str:
    return f"{used:,} of {whole} {'is' if used == 1 else 'are'} used"


def _lanes(serving: list[int]) -> str:
    return f"{between(serving)} {plural(max(serving), 'lane')}"


def _alignment(access: Access, cost: Cost, served: Schedule) -> Iterator[Reason]:
    """Bytes in a row that begin in the middle of a sector reach into one more."""
    assert cost.bytes_used is not None
    lanes, used, sectors = pointing_lanes(access), int(cost.bytes_used[0]), len(served.steps)
    addresses = access.addresses[0, lanes]
    first, end = int(addresses.min()), int(addresses.max()) + access.width
    in_a_row = used == end - first and not any(step.phase for step in served.steps)
    past = first % SECTOR_BYTES
    if in_a_row and sectors > -(-used // SECTOR_BYTES):
        text = f"the first byte is {counted(past, 'byte')} past a sector's start: a {ordinal(sectors)} sector"
        yield Reason("alignment", text, "bad")


def _bytes(cost: Cost) -> Iterator[Reason]:
    """What is moved for nothing."""
    assert cost.bytes_used is not None
    assert cost.sectors is not None
    used, moved = int(cost.bytes_used[0]), int(cost.sectors[0]) * SECTOR_BYTES
    if used < moved:
        yield Reason("bytes", f"{_used(used, f'the {moved:,} bytes that move')}: {100 * used / moved:.3g}%", "bad")


def _lines(cost: Cost, served: Schedule) -> Iterator[Reason]:
    """Sectors that lie further apart than they need."""
    assert cost.lines is not None
    sectors, lines = len(served.steps), int(cost.lines[0])
    if any(step.phase for step in served.steps):
        return
    least = -(-sectors // _LINE_SECTORS)
    if lines > least:
        text = f"{counted(sectors, 'sector')} in {counted(lines, 'line')} of {LINE_BYTES} bytes"
        yield Reason("lines", f"{text}, where {counted(least, 'line')} could hold them", "plain")
