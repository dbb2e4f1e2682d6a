"""Examination: what the libraries of the GPU say of this machine, asked by child processes with a time limit."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

from warpviz.gpu import processes
from warpviz.gpu.from_json import tuples
from warpviz.gpu.machine.inventory import CompilerView, CudaGpu, CudaView, NvmlGpu, NvmlView
from warpviz.gpu.machine.listing import ListedGpu
from warpviz.gpu.measurement import Conditions, Unavailable

SECONDS = 20.0  # to answer in: a driver that is not kept loaded takes several to wake eight GPUs


class Examination:
    """Asks CUDA and NVML at once, and waits for each when its answer is wanted. Ends what it started.

    seconds: how long an answer may take.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._asked: list[subprocess.Popen[bytes]] = []
        self._cuda = self._ask("cuda")
        self._nvml = self._ask("nvml")

    @cached_property
    def cuda(self) -> CudaView | Unavailable:
        """What CUDA shows, with CUDA_VISIBLE_DEVICES as it is."""
        answer = self._answer(self._cuda, "CUDA")
        if isinstance(answer, Unavailable):
            return answer
        return CudaView(answer["version"], tuple(CudaGpu(**gpu) for gpu in answer["gpus"]))

    @cached_property
    def nvml(self) -> NvmlView | Unavailable:
        """What NVML, as nvidia-smi, shows: every GPU of the machine."""
        answer = self._answer(self._nvml, "NVML")
        if isinstance(answer, Unavailable):
            return answer
        return NvmlView(answer["driver"], answer["count"], tuple(map(_nvml_gpu, answer["gpus"])))

    def compiler(self, archs: Sequence[str]) -> CompilerView | Unavailable:
        """What NVRTC is, and whether it compiles for these architectures and the driver here, where there is one."""
        cuda = self.cuda.version if isinstance(self.cuda, CudaView) else ""
        answer = self._answer(self._ask("nvrtc", cuda, *archs), "NVRTC")
        if isinstance(answer, Unavailable):
            return answer
        return CompilerView(**answer)

    def close(self) -> None:
        for process in self._asked:
            processes.end(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, *what: str) -> subprocess.Popen[bytes]:
        """Raises OSError when Python does not start."""
        process = processes.start([*processes.python_module("warpviz.gpu.machine.inventory"), *what])
        self._asked.append(process)
        return process

    def _answer(self, process: subprocess.Popen[bytes], who: str) -> dict[str, Any] | Unavailable:
        """What it answers. A JSON object is the last that it prints, whatever a library prints before."""
        try:
            out, _ = process.communicate(timeout=self._seconds)
        except subprocess.TimeoutExpired:
            processes.end(process)
            return Unavailable(f"{who} gives no answer within {self._seconds:g} s")
        lines = [line for line in out.splitlines() if line.startswith(b"{")]
        if not lines:
            return Unavailable(f"the process that asks {who} ended {processes.how_it_ended(process)}")
        answer: dict[str, Any] = tuples(json.loads(lines[-1]))
        return Unavailable(answer["reason"]) if "reason" in answer else answer


def _nvml_gpu(answer: dict[str, Any]) -> NvmlGpu:
    conditions = answer["conditions"] and Conditions(**answer["conditions"])
    return NvmlGpu(**{**answer, "listed": ListedGpu(**answer["listed"]), "conditions": conditions})
