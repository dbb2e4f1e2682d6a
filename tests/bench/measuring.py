"""The explorer while a measurement runs: `python -m tests.bench.measuring` opens it and measures without end.

Where there is a GPU it is the real one, and a long sweep keeps it busy; elsewhere a stand-in that computes in
a process of its own, as the GPU's worker does, and tells its progress.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from warpviz.expression import Pattern
from warpviz.gpu import GpuError, ProbeRequest, gpu_present, processes
from warpviz.scene import Knob, scene_of_pattern
from warpviz.tui import measuring
from warpviz.tui.app import WarpvizApp
from warpviz.tui.screens import explorer

_TELL_EVERY_S = 0.02
_STRIDES = 1000  # takes an H200 some 20 s


class BusyProbe:
    """Measures until it is cancelled."""

    def __init__(self) -> None:
        self._cancelled = False

    def measure_each(
        self,
        requests: Sequence[ProbeRequest],
        *,
        progress: Callable[[str], None] | None = None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> list[Any]:
        self._cancelled = False
        busy = processes.start([sys.executable, "-c", "while True: pass"])
        number = 0
        while not self._cancelled and wanted():
            number += 1
            if progress:
                progress(f"measuring {number}")
            time.sleep(_TELL_EVERY_S)
        processes.end(busy)
        raise GpuError("cancelled", "the measurement was cancelled")

    def stop_counting(self) -> None:
        pass

    def cancel(self) -> None:
        self._cancelled = True

    def close(self) -> None:
        self.cancel()


def main() -> None:
    """Open the explorer on a stride."""
    measuring.can_measure = explorer.can_measure = lambda: True  # type: ignore[attr-defined]
    scene = replace(scene_of_pattern(Pattern("s[k*lane]"), {}), knobs=(Knob("k", 8, 0, _STRIDES),))
    WarpvizApp(scene, make_probe=None if gpu_present() else BusyProbe).run()  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
