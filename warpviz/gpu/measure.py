"""One measurement on the device: check, evaluate, time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from warpviz.gpu import limits
from warpviz.gpu.bandwidth import time_global
from warpviz.gpu.conditions import ConditionsReader
from warpviz.gpu.device import Device
from warpviz.gpu.evaluate import check_addresses
from warpviz.gpu.measurement import Measurement, Unavailable
from warpviz.gpu.request import ProbeRequest
from warpviz.gpu.timing import time_constant, time_shared

_NOT_COUNTED = Unavailable("the hardware counters were not asked for")


def measure(
    device: Device, request: ProbeRequest, conditions: ConditionsReader, progress: Callable[[str], None]
) -> Measurement:
    """Everything but the counters, which need a process of their own.

    conditions: what reads them, halfway through the timing of global memory, else after the timing. progress is told
    each stage as it begins. Raises GpuError: refused, before anything that touches the memory under study is
    launched, or failed.
    """
    pattern = request.access
    limits.check(pattern, device.limits())
    if request.source:
        progress("evaluating the addresses on the GPU")
        check_addresses(device, request)
    progress("timing")
    slope = bandwidth = None
    if pattern.space == "shared":
        slope = time_shared(device, pattern)
    elif pattern.space == "const":
        slope = time_constant(device, pattern)
    else:
        bandwidth = time_global(device, pattern, halfway=lambda: conditions.begin(device.uuid))
    return Measurement(
        origin="measured",
        gpu=device.describe(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        access=pattern,
        wavefronts=slope,
        counters=_NOT_COUNTED,
        bandwidth=bandwidth,
        addresses_agree=True,
        conditions=conditions.read(device.uuid),
    )
