"""Link: the parent's end of the worker process. JSON lines both ways, with a time limit."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.errors import GpuError


class Link:
    """A running worker. command: what starts it. Raises GpuError when it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self.process = processes.start(command)
        except OSError as error:
            raise GpuError("failed", f"the GPU worker does not start: {error}") from error
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self.process, self._replies), daemon=True).start()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def ask(self, message: dict[str, Any], timeout_s: float) -> Iterator[dict[str, Any]]:
        """Send a message and give the replies as they come, for as long as the caller wants more.

        Raises GpuError: "timed_out" when they take longer than `timeout_s` together, "failed" when the worker ends.
        """
        deadline = time.monotonic() + timeout_s
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self._ended() from None
        while True:
            try:
                reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                sentence = f"the GPU gave no answer within {timeout_s:g} s, so the measurement was stopped"
                raise GpuError("timed_out", sentence) from None
            if reply is None:
                raise self._ended()
            yield reply

    def end(self) -> None:
        """Kill the worker."""
        processes.end(self.process)

    def _ended(self) -> GpuError:
        how = processes.how_it_ended(self.process)
        return GpuError("failed", f"the process that owns the GPU ended {how}; the next measurement starts a new one")


def _read(process: subprocess.Popen[bytes], replies: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Every reply, then None when the worker has ended."""
    assert process.stdout is not None
    for line in process.stdout:
        try:
            replies.put(json.loads(line))
        except ValueError:
            replies.put({"error": {"kind": "failed", "sentence": "the GPU worker sends what is no reply"}})
    replies.put(None)
