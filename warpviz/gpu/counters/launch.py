"""What Nsight Compute runs to count a user's kernel: `ncu … python -m warpviz.gpu.counters.launch FILE` launches it.

FILE: a LaunchRequest as JSON. Out, on a line: {"launched": the GPU's architecture, such as sm_90} or {"error": {"kind",
"sentence"}}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.launching.running import launch_once


def main() -> None:
    try:
        device = Device()
        launch_once(device, LaunchRequest.from_json(json.loads(Path(sys.argv[1]).read_bytes())))
        _tell({"launched": device.arch})
    except GpuError as error:
        _tell({"error": {"kind": error.kind, "sentence": error.sentence}})


def _tell(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
