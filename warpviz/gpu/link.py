"""Link: the parent's end of the worker process. JSON lines both ways, with a time limit."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.errors import GpuError

_LOOK_EVERY_S = 0.05  # whether an answer is still wanted
_UNWANTED_S = (
    0.5  # how long an answer that nobody wants any more is waited for: most come in less, and the worker lives
)


@dataclass(frozen=True)
class Ask:
    """How something is asked. say: is told the progress, a few words at a time. timeout_s: for each answer. stopped:
    whether the user has cancelled it, or nobody is there any more. wanted: whether nothing newer is asked instead."""

    say: Callable[[str], None]
    timeout_s: float
    stopped: Callable[[], bool]
    wanted: Callable[[], bool] = lambda: True

    @property
    def void(self) -> bool:
        """Whether no answer is waited for."""
        return self.stopped() or not self.wanted()

    def check(self) -> None:
        """Raises GpuError of kind "cancelled" when no answer is waited for."""
        if self.void:
            raise GpuError("cancelled", "the measurement was cancelled")


class Link:
    """A running worker. command: what starts it; environment: beside this process's.

    Raises GpuError when it cannot be started.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self.process = processes.start(command, environment=environment)
        except OSError as error:
            raise GpuError("failed", f"the GPU worker does not start: {error}") from error
        self._killed = False
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self.process, self._replies), daemon=True).start()

    @property
    def alive(self) -> bool:
        return not self._killed and self.process.poll() is None

    def kill(self) -> None:
        """Kill the worker without waiting for its end. Whoever waits for an answer is told."""
        self._killed = True
        processes.kill(self.process)

    def end(self) -> None:
        """Kill the worker and wait until it is gone."""
        self._killed = True
        processes.end(self.process)

    def ask(self, message: dict[str, Any], ask: Ask) -> dict[str, Any]:
        """Send a message, tell the progress, give the answer.

        Raises GpuError: what the worker answers, "timed_out" when it takes too long, "failed" when the worker ends.
        """
        stage = ""
        self._send(message)
        for reply in self._replies_in_time(ask):
            if reply is None:
                raise self._ended()
            if "error" in reply:
                raise GpuError(reply["error"]["kind"], str(reply["error"]["sentence"]))
            if "progress" not in reply:
                return reply
            stage = str(reply["progress"])
            ask.say(stage)
        during = f" ({stage})" if stage else ""
        raise GpuError(
            "timed_out", f"the GPU gave no answer{during}: the measurement was stopped after {ask.timeout_s:g} s"
        )

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _replies_in_time(self, ask: Ask) -> Iterator[dict[str, Any] | None]:
        """The replies as they come, until the time limit; None when the worker has ended."""
        deadline = time.monotonic() + ask.timeout_s
        void = False
        while (left := deadline - time.monotonic()) > 0:
            try:
                yield self._replies.get(timeout=min(left, _LOOK_EVERY_S))
            except queue.Empty:
                if not void and ask.void:
                    void = True
                    deadline = min(deadline, time.monotonic() + _UNWANTED_S)

    def _ended(self) -> GpuError:
        how = processes.how_it_ended(self.process)
        return GpuError("failed", f"the process that owns the GPU ended {how}; the next measurement starts a new one")


def _read(process: subprocess.Popen[bytes], replies: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Every reply, then None when the worker has ended."""
    assert process.stdout is not None
    for line in process.stdout:
        replies.put(_reply(line))
    replies.put(None)


def _reply(line: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        reply = None
    error = reply.get("error", {"kind": "", "sentence": ""}) if isinstance(reply, dict) else None
    if not isinstance(reply, dict) or not isinstance(error, dict) or not {"kind", "sentence"} <= error.keys():
        return {"error": {"kind": "failed", "sentence": "the GPU worker sends what is no reply"}}
    return reply
