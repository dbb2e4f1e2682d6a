"""CounterRun: hardware counters as a Probe asks for them: one run of Nsight Compute at a time, which may be stopped."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from warpviz.gpu import processes
from warpviz.gpu.counters.count import count
from warpviz.gpu.counters.launched import count_launch
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.launching.counts import LaunchCounts
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.link import Ask
from warpviz.gpu.measurement import Counts, Unavailable

T = TypeVar("T")


class CounterRun:
    """environment: gives what ncu and the process that it counts have beside this process's environment."""

    def __init__(self, environment: Callable[[], Mapping[str, str]]) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._ncu: subprocess.Popen[bytes] | None = None

    def count(self, patterns: Sequence[FrozenAccess], ask: Ask) -> list[Counts | Unavailable]:
        """What the counters show, in the order of the patterns. Where they cannot be read each is Unavailable.

        Raises GpuError when it takes too long, when the counted process fails, "cancelled" when it was stopped.
        """

        try:
            return self._run(partial(count, patterns), ask)
        except GpuError as error:
            if error.kind != "no_counters":
                raise
            return [Unavailable(error.sentence)] * len(patterns)

    def count_launch(self, request: LaunchRequest, ask: Ask) -> LaunchCounts:
        """What the counters show for one launch of a kernel.

        Raises GpuError: "no_counters" when they cannot be read, else as `count`.
        """
        return self._run(partial(count_launch, request), ask)

    def stop(self) -> None:
        """End Nsight Compute, if it runs. Does not wait."""
        with self._lock:
            if self._ncu is not None:
                processes.kill(self._ncu)

    def _run(self, counting: Callable[..., T], ask: Ask) -> T:
        """counting: takes timeout_s, started, told and environment, as `count` does."""

        def started(process: subprocess.Popen[bytes]) -> None:
            with self._lock:
                self._ncu = process
            if ask.void:
                self.stop()

        try:
            return counting(timeout_s=ask.timeout_s, started=started, told=ask.say, environment=self._environment())
        except GpuError:
            ask.check()
            raise
        finally:
            with self._lock:
                self._ncu = None
