"""The worker process: owns the GPU context and does what it is asked. `python -m warpviz.gpu.worker`.

One JSON object a line, in and out. In: {"start": true}, {"measure": a ProbeRequest}, {"compile": a pattern},
{"prepare": the sources of the ProbeRequests that follow} or {"launch": a LaunchRequest}. Out, for each: any number of
{"progress": text}, then {"started": the GPU's UUID, "arch": such as "sm_90"}, {"measurement": …}, {"compiled": …},
{"prepared": true}, {"launched": a LaunchMeasurement} or {"error": {"kind", "sentence"}}. It ends when its input does,
also in the middle of a measurement, and after a failure, because a failed context does not recover.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from warpviz.gpu.code.compile import compile_ahead
from warpviz.gpu.code.reader import Compiled
from warpviz.gpu.conditions import ConditionsReader
from warpviz.gpu.device import Device
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import address_kernel
from warpviz.gpu.launching.request import LaunchRequest
from warpviz.gpu.launching.running import measure_launch
from warpviz.gpu.measure import measure
from warpviz.gpu.request import ProbeRequest

Message = dict[str, Any]
Reply = Callable[[Message], None]


def main() -> None:
    replies = _private_stdout()

    def reply(message: Message) -> None:
        replies.write(json.dumps(message).encode() + b"\n")
        replies.flush()

    messages = _messages()
    conditions = ConditionsReader()
    device: Device | None = None
    while True:
        message = messages.get()
        try:
            if device is None:
                reply({"progress": "starting the GPU"})
                device = Device()
            reply(_answer(device, message, conditions, reply))
        except GpuError as error:
            reply({"error": {"kind": error.kind, "sentence": error.sentence}})
            if error.kind != "refused":
                return
        except Exception as error:  # whatever it is, the other side gets a sentence
            reply({"error": {"kind": "failed", "sentence": f"the GPU worker stumbles over {error!r}"}})
            return


def _answer(device: Device, message: Message, conditions: ConditionsReader, reply: Reply) -> Message:
    if "start" in message:
        return {"started": device.uuid, "arch": device.arch}
    if "compile" in message:
        compiled = Compiled.of(FrozenAccess.from_json(message["compile"]), device.arch, device.resources)
        return {"compiled": compiled.to_json()}
    if "prepare" in message:
        compile_ahead([address_kernel(source) for source in message["prepare"]], device.arch)
        return {"prepared": True}

    def progress(stage: str) -> None:
        reply({"progress": stage})

    if "launch" in message:
        launch = LaunchRequest.from_json(message["launch"])
        return {"launched": measure_launch(device, launch, conditions, progress).to_json()}
    request = ProbeRequest.from_json(message["measure"])
    return {"measurement": measure(device, request, conditions, progress).to_json()}


def _private_stdout() -> BinaryIO:
    """The pipe to the parent; what a library prints goes nowhere."""
    pipe = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return pipe


def _messages() -> queue.SimpleQueue[Message]:
    """What the parent asks. A thread reads it, and ends the process when the parent is gone."""
    waiting: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            waiting.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return waiting


if __name__ == "__main__":
    main()
