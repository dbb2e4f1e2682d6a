"""What Nsight Compute runs: makes the accesses that it counts. `ncu … python -m warpviz.gpu.counters.counting FILE`.

FILE: a JSON list of patterns. Out: one JSON object a line, for each pattern when it is done, {"turns": […]}, how many
turns each of its launches of the kernel `accesses` made, or {"refused": a sentence why there was none}. {"error":
{"kind", "sentence"}} ends the list.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warpviz.gpu import limits
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import Source, counted_kernel
from warpviz.gpu.lanes import Lanes

SHORT_TURNS, LONG_TURNS = 1, 3  # of the kernel's loop


def main() -> None:
    try:
        patterns = [FrozenAccess.from_json(data) for data in json.loads(Path(sys.argv[1]).read_bytes())]
        device = Device()
        known: set[Source] = set()
        for pattern in patterns:
            _tell(_launch_checked(device, pattern, known))
    except GpuError as error:
        _tell({"error": {"kind": error.kind, "sentence": error.sentence}})


def turns_to_launch(pattern: FrozenAccess, known: set[Source]) -> tuple[int, ...]:
    """One long launch, after a short one where what a launch costs once is not known. Adds to `known`.

    In shared and global memory a launch costs the same once whatever the addresses are, for they reach the kernel as
    parameters: one short launch of each source will do. Parameters lie in constant memory, though: there the active
    lanes' reads of their offsets are counted too, and requests that miss the constant cache may be made again.
    """
    source = counted_kernel(pattern)
    if source in known:
        return (LONG_TURNS,)
    if pattern.space != "const":
        known.add(source)
    return (SHORT_TURNS, LONG_TURNS)


def _launch_checked(device: Device, pattern: FrozenAccess, known: set[Source]) -> dict[str, Any]:
    try:
        limits.check(pattern, device.limits())
    except GpuError as error:
        return {"refused": error.sentence}
    turns = turns_to_launch(pattern, known)
    _launch(device, pattern, turns)
    return {"turns": turns}


def _launch(device: Device, pattern: FrozenAccess, all_turns: Sequence[int]) -> None:
    origin = limits.global_origin(pattern) if pattern.space == "global" else 0
    shared_bytes = pattern.end if pattern.space == "shared" else 0
    source = counted_kernel(pattern)
    step = ctypes.c_ulonglong(0) if pattern.space == "global" else ctypes.c_uint(0)
    with device.memory(pattern.end - origin) as memory:
        for turns in all_turns:
            arguments = (Lanes.of(pattern, origin), ctypes.c_ulonglong(memory), step, ctypes.c_int(turns))
            device.launch(source, "accesses", *arguments, ctypes.c_void_p(), shared_bytes=shared_bytes)
        device.wait()


def _tell(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
