"""Reading the machine code of measured accesses: the worker compiles, this process disassembles and remembers.

Disassembling takes some 0.4 s, and its answer is the same for all patterns of one kind of instruction on one GPU: so it
is asked for on demand, once for each kind, and kept from one run of the program to the next.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from warpviz.gpu.code.compile import compile_cubin
from warpviz.gpu.code.disassembler import find_disassembler, kept_listing
from warpviz.gpu.code.machine_code import Resources, code_in
from warpviz.gpu.errors import GpuError
from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.kernels import Source, timed_kernel
from warpviz.gpu.measurement import Code, Unavailable


@dataclass(frozen=True)
class Compiled:
    """The machine code that was run for an access. kernel: the name of the one in it that makes the accesses."""

    cubin: bytes
    kernel: str
    resources: Resources

    @classmethod
    def of(cls, pattern: FrozenAccess, arch: str, resources: Callable[[Source, str], Resources]) -> Compiled:
        """resources: what the GPU says of a kernel. Raises GpuError."""
        source = timed_kernel(pattern)
        kernel = "stream" if pattern.space == "global" else "timed"
        return cls(compile_cubin(source, arch), kernel, resources(source, kernel))

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"cubin": base64.b64encode(self.cubin).decode()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Compiled:
        return cls(base64.b64decode(data["cubin"]), data["kernel"], Resources(**data["resources"]))


class CodeReader:
    """Remembers what it has read. Of one GPU; any thread may use it."""

    def __init__(self) -> None:
        self._known: dict[Source, Code | Unavailable] = {}
        self._lock = threading.Lock()

    def read(self, pattern: FrozenAccess, compiled: Callable[[], Compiled]) -> Code | Unavailable:
        """compiled: gives the machine code; called when nothing is known of this kind of instruction."""
        kind = timed_kernel(pattern)
        with self._lock:
            if kind in self._known:
                return self._known[kind]
            try:
                self._known[kind] = _read(pattern, compiled)
            except GpuError as error:
                return Unavailable(error.sentence)
            return self._known[kind]


def _read(pattern: FrozenAccess, compiled: Callable[[], Compiled]) -> Code | Unavailable:
    disassembler = find_disassembler()
    if isinstance(disassembler, Unavailable):
        return disassembler
    made = compiled()
    listing = kept_listing(disassembler, made.cubin)
    if isinstance(listing, Unavailable):
        return listing
    return code_in(listing, made.kernel, pattern, made.resources, disassembler.tool)
