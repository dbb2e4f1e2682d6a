"""The worker process: owns the GPU context and measures what it is asked. `python -m warpviz.gpu.worker`.

One JSON object a line, in and out. In: a ProbeRequest. Out, for each: any number of {"progress": text}, then either
{"measurement": …} or {"error": {"kind", "sentence"}}. It ends when its input does, also in the middle of a measurement,
and after a failure, because a failed context does not recover.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.measure import measure
from warpviz.gpu.request import ProbeRequest


def main() -> None:
    replies = _private_stdout()

    def reply(message: dict[str, Any]) -> None:
        replies.write(json.dumps(message).encode() + b"\n")
        replies.flush()

    requests = _requests()
    device: Device | None = None
    while True:
        request = requests.get()
        try:
            if device is None:
                reply({"progress": "starting the GPU"})
                device = Device()
            measurement = measure(device, request, lambda stage: reply({"progress": stage}))
            reply({"measurement": measurement.to_json()})
        except GpuError as error:
            reply({"error": {"kind": error.kind, "sentence": error.sentence}})
            if error.kind != "refused":
                return
        except Exception as error:  # whatever it is, the other side gets a sentence
            reply({"error": {"kind": "failed", "sentence": f"the GPU worker stumbles over {error!r}"}})
            return


def _private_stdout() -> BinaryIO:
    """The pipe to the parent; what a library prints goes nowhere."""
    pipe = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return pipe


def _requests() -> queue.SimpleQueue[ProbeRequest]:
    """What the parent asks. A thread reads it, and ends the process when the parent is gone."""
    waiting: queue.SimpleQueue[ProbeRequest] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            waiting.put(ProbeRequest.from_json(json.loads(line)))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return waiting


if __name__ == "__main__":
    main()
