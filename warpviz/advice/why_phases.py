"""How a wide access to shared memory is split into phases, and what lanes that agree in pairs change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from warpviz.access import Access
from warpviz.advice.reason import Reason, pointing_lanes
from warpviz.hardware import ATOMIC_OPS, LANES, lanes_read
from warpviz.model import Schedule
from warpviz.model.banks import granule_columns, lanes_pair_up, lanes_per_phase
from warpviz.wording import counted

_GROUP = 4  # lanes l, l^1, l^2 are in one group of four: a group agrees or does not for itself
_NEARLY = 2  # so few groups that do not agree are worth naming


def phase_reason(access: Access, served: Schedule) -> Iterator[Reason]:
    """How many phases there are and how long each takes; nothing where the warp is always one phase."""
    if _natural_lanes(access) == LANES:
        return
    per_phase = int(lanes_per_phase(access)[0])
    passes = list(Counter(step.phase for step in served.steps).values())
    phases = lanes_read(access.matrices) // per_phase
    if access.op == "ldmatrix":
        what = f"ldmatrix .x{access.matrices} reads the rows that lanes 0 to {lanes_read(access.matrices) - 1} point to"
    else:
        what = f"{access.width} bytes a lane"
    split = f"{counted(phases, 'phase')} of {per_phase} lanes"
    if len(passes) < phases:
        split += f", {len(passes)} with an active lane"
    yield Reason("phases", f"{what}: {split}, {_taking(passes)}", "plain")


def _taking(passes: list[int]) -> str:
    total = counted(sum(passes), "pass")
    if len(passes) == 1:
        return total
    if len(set(passes)) == 1:
        return f"{counted(passes[0], 'pass')} each: {total}"
    return f"{' + '.join(map(str, passes))}: {total}"


def pair_reason(access: Access) -> Iterator[Reason]:
    """Loads whose lanes agree in pairs have phases of twice as many lanes; what else comes near it has not."""
    natural = _natural_lanes(access)
    if natural == LANES or access.op == "ldmatrix":
        return
    agree = bool(lanes_pair_up(access)[0])
    lanes = pointing_lanes(access)
    shared = len({int(access.addresses[0, lane]) for lane in lanes}) < len(lanes)
    if agree and access.op == "ld":
        gain = f"a load then has phases of {2 * natural} lanes, not {natural}"
        if shared:
            yield Reason("pairs", f"lanes have equal addresses in pairs: {gain}", "good")
        else:
            yield Reason("pairs", f"no pair of lanes has both active, so none differs: {gain}", "plain")
    elif agree and shared:
        what = "an atomic has not" if access.op in ATOMIC_OPS else "a store has not"
        text = f"lanes have equal addresses in pairs: a load would have phases of {2 * natural} lanes, {what}"
        yield Reason("pairs", text, "plain")
    elif access.op == "ld":
        yield from _nearly(access, natural)


def _nearly(access: Access, natural: int) -> Iterator[Reason]:
    """A load that only a few lanes keep from agreeing in pairs."""
    if not access.active.all():
        return
    groups = np.arange(LANES) // _GROUP == np.arange(LANES // _GROUP)[:, np.newaxis]
    each_alone = replace(access, addresses=np.repeat(access.addresses, len(groups), axis=0), active=groups)
    differing = np.flatnonzero(~lanes_pair_up(each_alone)).tolist()
    gain = f"phases would have {2 * natural} lanes, not {natural}"
    if not differing:
        text = f"some lanes are equal to l^1, some to l^2: if all were to one of them, {gain}"
        yield Reason("pairs", text, "plain")
    elif len(differing) <= _NEARLY:
        lanes = " and ".join(f"{_GROUP * group} to {_GROUP * group + _GROUP - 1}" for group in differing)
        yield Reason("pairs", f"only lanes {lanes} are not equal in pairs: if they were, {gain}", "plain")


def _natural_lanes(access: Access) -> int:
    """The lanes of a phase where no lanes agree in pairs."""
    return min(LANES, granule_columns(access))
