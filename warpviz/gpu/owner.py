"""Owner: keeps the worker process, which owns the GPU: started when needed, replaced after an accident."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from warpviz.gpu.errors import GpuError
from warpviz.gpu.link import Ask, Link


class Owner:
    """Threads may ask at the same time; the worker answers one after the other.

    command: what runs as the worker. environment: gives what it has beside this process's environment.
    """

    def __init__(self, command: Sequence[str], environment: Callable[[], Mapping[str, str]]) -> None:
        self._command = list(command)
        self._environment = environment
        self._turn = threading.Lock()  # whose turn it is to ask
        self._lock = threading.Lock()  # of the link
        self._link: Link | None = None

    def ask(self, message: dict[str, Any], ask: Ask) -> dict[str, Any]:
        """The worker's answer. Raises GpuError; after any the next message is answered, if the GPU does its part."""
        with self._turn:
            try:
                return self._running(ask).ask(message, ask)
            except BaseException as error:
                # What is refused leaves the worker in order. After anything else, an interruption too, its context may
                # be lost, or its answer would be taken for the next one's.
                if not (isinstance(error, GpuError) and error.kind == "refused"):
                    self.end()
                raise

    def kill(self) -> None:
        """Kill the worker, if there is one, without waiting for its end."""
        with self._lock:
            if self._link is not None:
                self._link.kill()

    def end(self) -> None:
        """End the worker, if there is one. A later message starts one again."""
        with self._lock:
            link, self._link = self._link, None
        if link is not None:
            link.end()

    def _running(self, ask: Ask) -> Link:
        """The worker, with the GPU started. A start is of use to whatever newer is asked, so it is waited for; but what
        was stopped starts none."""
        with self._lock:
            link = self._link
        if link is None or not link.alive:
            self.end()
            starting = replace(ask, wanted=lambda: True)
            starting.check()
            link = Link(self._command, self._environment())
            with self._lock:
                self._link = link
            starting.check()  # a stop before now did not see this worker
            link.ask({"start": True}, starting)
        return link
