"""Global memory: fewer sectors by alignment and neighbouring lanes, fewer requests by wider loads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warpviz.access import Access
from warpviz.advice.count import Count, count_of
from warpviz.advice.fix import Fix
from warpviz.advice.samples import sample
from warpviz.advice.setting import Setting
from warpviz.expression import ExpressionError
from warpviz.expression.rewrite import with_width
from warpviz.hardware import ATOMIC_OPS, LANES, SECTOR_BYTES
from warpviz.model import predict

_WIDEST_BYTES = 16
_TURNS = 100  # so many values of a knob are tried
_VERBS = {"ld": "load", "st": "store"}


def coalesced(setting: Setting, index: int) -> tuple[list[Fix], list[str]]:
    """What makes one global access cheaper: an aligned start, neighbouring lanes, wider loads; what cannot."""
    access, count = setting.access(index), setting.counts[index]
    if access.op in ATOMIC_OPS:
        return [], _why_rounds(access)
    if count.is_least:
        return [fix for fix in (_wider(setting, index),) if fix is not None], []
    start = _start_aligned(access)
    best = count_of(predict(start, setting.arch))
    fixes = []
    if best.now < count.now:
        fixes.append(_align(setting, index, best))
    if not best.is_least:
        fixes.append(_neighbouring(setting, index, best))
    wider = _wider(setting, index)
    return [*fixes, wider] if wider is not None else fixes, []


def _start_aligned(access: Access) -> Access:
    """The access moved down, so that its first byte is that of a sector."""
    first = access.addresses[access.active].min()
    return replace(access, addresses=access.addresses - first % SECTOR_BYTES)


def _align(setting: Setting, index: int, best: Count) -> Fix:
    """A knob turned so that the first lane begins a sector; without one, the advice."""
    access, element = setting.access(index), setting.evaluations[index].element_type
    title = f"begin at a multiple of {SECTOR_BYTES // access.width} {element}s"
    turns = sorted(_turns(setting, index, best), key=lambda turn: abs(turn[1] - setting.values[turn[0]]))
    for name, value in turns:
        values = {**setting.values, name: value}
        weighed = setting.weigh(setting.patterns, values)
        if weighed is not None and setting.is_cheaper(weighed):
            after = tuple(count.now for count in weighed)
            title = f"{title}: turn {name} to {value}"
            return Fix("align", title, setting.patterns, values, setting.before, after, "sector", 0)
    return Fix("align", title, (), setting.values, setting.before, _with(setting, index, best.now), "sector", 0)


def _turns(setting: Setting, index: int, best: Count) -> Iterator[tuple[str, int]]:
    """Knobs and values that move all lanes alike, to where the access costs the best."""
    access, program = setting.access(index), setting.programs[index]
    lanes = access.active[0]
    for name, knob in setting.knobs.items():
        if name not in program.free_names:
            continue
        for value in sample(knob, setting.values[name], _TURNS):
            try:
                moved = program.evaluate({**setting.values, name: value}).access
            except ExpressionError:
                continue
            steps = np.unique((moved.addresses - access.addresses)[0, lanes])
            same_lanes = (moved.active == access.active).all()
            if same_lanes and steps.size == 1 and count_of(predict(moved, setting.arch)).now == best.now:
                yield name, value


def _neighbouring(setting: Setting, index: int, best: Count) -> Fix:
    """The advice to give neighbouring lanes neighbouring elements."""
    access, element = setting.access(index), setting.evaluations[index].element_type
    stride = _stride(access)
    apart = "scattered" if stride is None else f"{abs(stride)} bytes from lane to lane"
    return Fix(
        "coalesce",
        f"let neighbouring lanes {_VERBS[access.op]} neighbouring {element}s",
        (),
        setting.values,
        setting.before,
        _with(setting, index, best.least),
        "sector",
        None,
        f"now {apart}: swap the lane and the loop's index, or go through a tile in shared memory",
    )


def _wider(setting: Setting, index: int) -> Fix | None:
    """16 bytes a lane, where the lanes take neighbouring elements."""
    access = setting.access(index)
    if access.width >= _WIDEST_BYTES or _stride(access) != access.width or not access.active.all():
        return None
    try:
        pattern = with_width(setting.patterns[index], _WIDEST_BYTES)
    except ExpressionError:
        return None
    patterns = (*setting.patterns[:index], pattern, *setting.patterns[index + 1 :])
    weighed = setting.weigh(patterns, setting.values)
    if weighed is None:
        return None
    factor = _WIDEST_BYTES // access.width
    requests = [_requests(setting, other) for other in range(len(setting.patterns))]
    before = [factor if other == index else count for other, count in enumerate(requests)]
    return Fix(
        "wider",
        f"{_VERBS[access.op]} {_WIDEST_BYTES} bytes a lane, as float4",
        patterns,
        setting.values,
        tuple(before),
        tuple(requests),
        "request",
        0,
        f"one request instead of {factor} for the same {_WIDEST_BYTES * LANES} bytes; "
        f"lane i takes {factor} neighbours, {_WIDEST_BYTES}-byte aligned",
    )


def _requests(setting: Setting, index: int) -> int:
    """Requests of an access; of one to shared memory its passes."""
    cost = predict(setting.access(index), setting.arch)
    counts = cost.requests if cost.requests is not None else cost.wavefronts
    assert counts is not None, "every space has one of them"
    return int(counts[0])


def _with(setting: Setting, index: int, cost: int) -> tuple[int, ...]:
    """What the accesses cost when one costs this."""
    return (*setting.before[:index], cost, *setting.before[index + 1 :])


def _stride(access: Access) -> int | None:
    """Bytes from lane to lane, where it is the same for all the active ones."""
    lanes = np.flatnonzero(access.active[0])
    if lanes.size < 2:
        return None
    addresses: NDArray[np.int64] = access.addresses[0, lanes]
    step, rest = divmod(int(addresses[1] - addresses[0]), int(lanes[1] - lanes[0]))
    constant = not rest and (addresses == addresses[0] + step * (lanes - lanes[0])).all()
    return step if constant else None


def _why_rounds(access: Access) -> list[str]:
    addresses = access.addresses[access.active]
    if np.unique(addresses).size == addresses.size:
        return []
    return [
        "lanes with the same address go out one after the other, in rounds, however the array lies; "
        "add up within the warp first"
    ]
