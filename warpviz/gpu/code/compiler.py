"""NVRTC in a process of its own: a text that crashes it, or that it never gets done with, takes nothing else with it.

`python -m warpviz.gpu.code.compiler` reads requests and prints answers, each a JSON object on a line: the fields of a
Source, arch, and what is wanted, "ptx" or "cubin"; the fields of a Ptx, {"cubin"} in base64, or {"kind", "sentence",
"log"} of an error.
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
import threading
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any

from warpviz.gpu import processes
from warpviz.gpu.code.compile import Ptx, RejectedError, compile_cubin, compile_ptx
from warpviz.gpu.errors import GpuError
from warpviz.gpu.from_json import tuples
from warpviz.gpu.kernels import Source

_SECONDS = 60.0


class Compiler:
    """A process that compiles, from `with` to its end, one source after the other.

    seconds: that one source may take.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._late = False

    def __enter__(self) -> Compiler:
        try:
            self._process = processes.start(processes.python_module("warpviz.gpu.code.compiler"))
        except OSError as error:
            raise GpuError("failed", f"Python does not start to compile: {error.strerror or error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        processes.end(self._process)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # of what it never read
                pipe.close()

    def ptx(self, source: Source, arch: str) -> Ptx:
        """As `compile_ptx`; besides raises GpuError when NVRTC crashes ("failed") or takes too long ("timed_out")."""
        return Ptx(**self._made(source, arch, "ptx"))

    def cubin(self, source: Source, arch: str) -> bytes:
        """As `compile_cubin`; besides raises what `ptx` does."""
        return base64.b64decode(self._made(source, arch, "cubin")["cubin"])

    def _made(self, source: Source, arch: str, wanted: str) -> dict[str, Any]:
        reply = self._ask({**asdict(source), "arch": arch, "wanted": wanted})
        if "sentence" not in reply:
            return reply
        if reply["log"] is not None:
            raise RejectedError(reply["sentence"], reply["log"])
        raise GpuError(reply["kind"], reply["sentence"])

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        timer = threading.Timer(self._seconds, self._stop)
        timer.start()
        try:
            stdin.write(json.dumps(request).encode() + b"\n")
            stdin.flush()
            line = stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            raise self._ended()
        reply: dict[str, Any] = tuples(json.loads(line))
        return reply

    def _stop(self) -> None:
        self._late = True
        processes.kill(self._process)

    def _ended(self) -> GpuError:
        if self._late:
            return GpuError("timed_out", f"NVRTC was not done within {self._seconds:g} s and was stopped")
        return GpuError("failed", f"NVRTC itself crashes on this text ({processes.how_it_ended(self._process)})")


def running(compiler: Compiler | None) -> AbstractContextManager[Compiler]:
    """The one that is running, which goes on to run; for None one that ends with the `with`. Raises GpuError."""
    return Compiler() if compiler is None else contextlib.nullcontext(compiler)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    arch, wanted = request.pop("arch"), request.pop("wanted")
    try:
        if wanted == "cubin":
            return {"cubin": base64.b64encode(compile_cubin(Source(**request), arch)).decode()}
        return asdict(compile_ptx(Source(**request), arch))
    except GpuError as error:
        log = error.log if isinstance(error, RejectedError) else None
        return {"kind": error.kind, "sentence": error.sentence, "log": log}


def main() -> None:
    for line in sys.stdin.buffer:
        print(json.dumps(_answer(tuples(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
