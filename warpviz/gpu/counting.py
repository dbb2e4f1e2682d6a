"""What Nsight Compute runs: makes the accesses that it counts. `ncu … python -m warpviz.gpu.counting`.

In: a JSON list of patterns. Out: one JSON object, {"launched": [true or a sentence why not, for each]} or
{"error": {"kind", "sentence"}}. For each pattern that is launched, the kernel `accesses` runs twice: first with
SHORT_TURNS, then with LONG_TURNS.
"""

from __future__ import annotations

import ctypes
import json
import sys

from warpviz.gpu import limits
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import UNROLLED, counted_kernel
from warpviz.gpu.lanes import Lanes

SHORT_TURNS, LONG_TURNS = 1, 3
ACCESSES = (LONG_TURNS - SHORT_TURNS) * UNROLLED  # by which the two launches differ


def main() -> None:
    try:
        patterns = [FrozenAccess.from_json(data) for data in json.load(sys.stdin)]
        device = Device()
        print(json.dumps({"launched": [_launch_checked(device, pattern) for pattern in patterns]}))
    except GpuError as error:
        print(json.dumps({"error": {"kind": error.kind, "sentence": error.sentence}}))


def _launch_checked(device: Device, pattern: FrozenAccess) -> bool | str:
    try:
        limits.check(pattern, device.limits())
    except GpuError as error:
        return error.sentence
    _launch(device, pattern)
    return True


def _launch(device: Device, pattern: FrozenAccess) -> None:
    origin = limits.global_origin(pattern) if pattern.space == "global" else 0
    shared_bytes = pattern.end if pattern.space == "shared" else 0
    source = counted_kernel(pattern)
    step = ctypes.c_ulonglong(0) if pattern.space == "global" else ctypes.c_uint(0)
    with device.memory(pattern.end - origin) as memory:
        for turns in (SHORT_TURNS, LONG_TURNS):
            arguments = (Lanes.of(pattern, origin), ctypes.c_ulonglong(memory), step, ctypes.c_int(turns))
            device.launch(source, "accesses", *arguments, ctypes.c_void_p(), shared_bytes=shared_bytes)
        device.wait()


if __name__ == "__main__":
    main()
