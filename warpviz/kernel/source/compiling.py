"""A .cu file to PTX: as it is, or where NVRTC does not accept that, without what is for the host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from warpviz.gpu.code.compile import Ptx, RejectedError
from warpviz.gpu.code.compiler import Compiler, running
from warpviz.gpu.kernels import Source
from warpviz.hardware import DEFAULT_ARCH
from warpviz.kernel.source.complaints import CompileError, Message, messages_in, missing_header
from warpviz.kernel.source.host import host_function, without_host_functions, without_rejected
from warpviz.kernel.source.names import readable
from warpviz.kernel.source.reading import KernelSource
from warpviz.kernel.source.unit import Unit, is_for_host, read_unit

_MOST_ROUNDS = 4  # what is left out may be used by what is rejected next
_MOST_MISSING = 20  # headers
_ENTRY = re.compile(r"^[^\n]*\.entry\s+([\w$.]+)", re.MULTILINE)
_INSTANCE = re.compile(r"[\w:<>,*&()\[\] +-]{1,200}", re.ASCII)
_OF_INSTANCES = "__nv_name_map"  # the name that NVRTC gives the text of the instances
_UNDEFINED = re.compile(r'identifier "(?P<name>\w+)" is undefined')
_LAUNCH_ON_DEVICE = "device-side kernel launch"
_UNINTERESTING = "in JIT mode"  # what is for the host: it is left out


@dataclass(frozen=True)
class Compiled:
    """ptx: of all kernels of the file. names: the kernels, by their name in the PTX, as people write them. source: what
    NVRTC was handed, for whoever compiles the same to machine code. log: its warnings."""

    ptx: str
    names: Mapping[str, str]
    source: Source
    log: str


def to_ptx(
    source: KernelSource, arch: str = DEFAULT_ARCH, kernel: str | None = None, *, compiler: Compiler | None = None
) -> Compiled:
    """Compile a file. kernel: the one that is wanted, which may be of a template: f<float>; None: that of the first
    launch line. compiler: one that is running; None for one of its own.

    Raises CompileError for what is wrong in the file, GpuError for what is wrong with NVRTC.
    """
    wanted = kernel or next((line.name for line in source.launches), "")
    instances = (wanted,) if "<" in wanted and _INSTANCE.fullmatch(wanted) else ()
    try:
        unit = read_unit(source.path, source.text, instances)
    except ValueError as error:
        raise CompileError([Message(source.path.name, 0, None, str(error))]) from None
    if not any("__global__" in text for text in unit.texts.values()):
        raise CompileError([Message(unit.name, 0, None, "has no CUDA kernel: no function is marked __global__")])
    with running(compiler) as one:
        unit, ptx = _Attempts(one, arch).compile(unit)
    lowered = dict(readable_names(ptx))
    if not lowered:
        sentence = "has kernels as templates only: name one with its arguments, as in --name 'f<float>'"
        raise CompileError([Message(unit.name, 0, None, sentence)])
    return Compiled(ptx.text, MappingProxyType(lowered), unit.source, ptx.log)


def readable_names(ptx: Ptx) -> list[tuple[str, str]]:
    """The kernels of the text in their order: their names there, and as people write them."""
    asked = {lowered: instance for instance, lowered in ptx.names}
    return [(name, asked.get(name) or readable(name)) for name in _ENTRY.findall(ptx.text)]


@dataclass(frozen=True)
class _Attempt:
    """ptx: of the unit; None when it is not accepted. messages: why."""

    unit: Unit
    ptx: Ptx | None
    messages: Sequence[Message] = ()


class _Attempts:
    """Compiles a unit with less and less of its host code."""

    def __init__(self, compiler: Compiler, arch: str) -> None:
        self._compiler = compiler
        self._arch = arch
        self._missing: list[Message] = []

    def compile(self, unit: Unit) -> tuple[Unit, Ptx]:
        """The unit that is accepted, and its PTX. Raises CompileError, GpuError."""
        as_it_is = self._attempt(unit)
        if as_it_is.ptx is not None:
            return as_it_is.unit, as_it_is.ptx
        for_device = last = self._attempt(replace(without_host_functions(as_it_is.unit), with_standard=True))
        for _ in range(_MOST_ROUNDS):
            fewer = last.unit if last.ptx is not None else without_rejected(last.unit, last.messages)
            if fewer == last.unit:
                break
            last = self._attempt(fewer)
        if last.ptx is not None:
            return last.unit, last.ptx
        raise CompileError([*self._missing, *_telling(unit, as_it_is, for_device, last)])

    def _attempt(self, unit: Unit) -> _Attempt:
        """Headers that are not there are taken for empty: the kernels may not need them."""
        while True:
            try:
                return _Attempt(unit, self._compiler.ptx(unit.source, self._arch))
            except RejectedError as error:
                messages = messages_in(error.log, unit.name) or [Message(unit.name, 0, None, error.sentence)]
            missing = next((message for message in messages if missing_header(message)), None)
            header = missing_header(missing) if missing else None
            if missing is None or header is None or header in unit.stand_ins or len(self._missing) >= _MOST_MISSING:
                return _Attempt(unit, None, messages)
            if not is_for_host(header):
                self._missing.append(replace(missing, text=_mend(header)))
            unit = replace(unit, stand_ins=unit.stand_ins | {header})


def _mend(header: str) -> str:
    parts = "cudart,cccl,curand" if header.startswith("curand") else "cudart,cccl"
    return (
        f"{header} is not found, neither beside the file nor with a CUDA toolkit: "
        f"set CUDA_HOME, or pip install 'cuda-toolkit[{parts}]'"
    )


def _telling(unit: Unit, as_it_is: _Attempt, for_device: _Attempt, last: _Attempt) -> list[Message]:
    """The errors that matter: those that are left without host code, unless what was left out last was needed; and at
    their lines what is said with the host code, where all is defined."""
    left = last if _lines(last) <= _lines(for_device) else for_device
    messages = [message for message in left.messages if message.file != _OF_INSTANCES]
    if not messages:
        name = unit.instances[0] if unit.instances else unit.name
        return [Message(unit.name, 0, None, f"has no kernel {name}")]
    there = [
        message
        for message in as_it_is.messages
        if (message.file, message.line) in _lines(left) and _UNINTERESTING not in message.text
    ]
    same = [message for message in there if message in messages]
    return [_explained(unit, message) for message in same or there or messages]


def _lines(attempt: _Attempt) -> set[tuple[str, int]]:
    return {(message.file, message.line) for message in attempt.messages}


def _explained(unit: Unit, message: Message) -> Message:
    """What is missing may be a function of the file, for the host; and a kernel that launches another lacks much."""
    if _LAUNCH_ON_DEVICE in message.text:
        return replace(message, text="a kernel launches another (dynamic parallelism): this is not interpreted")
    undefined = _UNDEFINED.search(message.text)
    host = host_function(unit, undefined["name"]) if undefined else None
    if undefined is None or host is None:
        return message
    file, line = host
    where = f"line {line}" if file == message.file else f"{file}:{line}"
    return replace(message, text=f"{undefined['name']} ({where}) is for the host alone: write __device__ before it")
