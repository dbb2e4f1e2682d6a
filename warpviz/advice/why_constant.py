"""Why an access to constant memory takes its requests."""

from __future__ import annotations

from collections.abc import Iterator

from warpviz.access import Access
from warpviz.advice.reason import Reason, pointing_lanes
from warpviz.model import Cost, Schedule
from warpviz.wording import counted, listed


def constant_reasons(access: Access, cost: Cost, served: Schedule) -> Iterator[Reason]:
    """The most telling first."""
    assert cost.requests is not None
    lanes, requests = pointing_lanes(access), int(cost.requests[0])
    if not lanes:
        yield Reason("no lane", "no lane takes part: nothing is asked for, no request", "plain")
        return
    loads = 1 + max(step.phase for step in served.steps)
    addresses = requests // loads
    each = "one request" if loads == 1 else f"{loads} requests"
    if len(lanes) == 1:
        yield Reason("requests", f"lane {lanes[0]} alone reads: {each}", "good")
    elif addresses == 1:
        yield Reason(
            "broadcast", f"one address for all {len(lanes)} lanes: {each}, given to every lane at once", "good"
        )
    else:
        asked = f"{counted(len(lanes), 'lane')} read {addresses} different addresses"
        yield Reason("requests", f"{asked}, {each} for each: {counted(requests, 'request')}", "bad")
    if loads > 1:
        text = f"{access.width} bytes a lane are {loads} loads of {access.width // loads}, with requests of their own"
        yield Reason("loads", text, "plain")
    shared = next((step.lanes for step in served.steps if len(step.lanes) > 1), ())
    if shared and addresses > 1:
        byte = int(access.addresses[0, shared[0]])
        yield Reason("sharing", f"lanes {listed(shared)} all read byte {byte}: one request serves them", "good")
