"""Why a kernel is not shown: what is wrong, and where in its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpviz.gpu import GpuError
from warpviz.kernel.launch import LaunchError
from warpviz.kernel.machine import Stopped
from warpviz.kernel.memory.faults import MemoryFault
from warpviz.kernel.program import CannotRun
from warpviz.kernel.source import CompileError, KernelSource


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. file: that it is in, when that is not the kernel's own. line, column: from 1; 0 where
    it is at no line, or no column is known."""

    sentence: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class KernelComplaint:
    """problems: at least one. lines: of the file in which they are."""

    problems: tuple[Problem, ...]
    lines: tuple[str, ...] = ()


def complaint_of(error: Exception, source: KernelSource | None) -> KernelComplaint:
    """What an error says. source: the file as it was read; None when it could not be."""
    lines = () if source is None else tuple(source.text.split("\n"))
    name = "" if source is None else source.path.name
    return KernelComplaint(tuple(_problems(error, name)), lines)


def _problems(error: Exception, name: str) -> Iterator[Problem]:
    """name: of the kernel's own file."""
    match error:
        case CompileError():
            for message in error.messages:
                file = "" if message.file == name else message.file
                yield Problem(message.text, file, message.line, message.column or 0)
        case LaunchError(where=where) if where is not None and not where.option:
            yield Problem(error.sentence, "", where.line, where.column)
        case Stopped() | CannotRun():
            yield Problem(error.sentence, "", error.line)
        case MemoryFault():
            yield Problem(str(error).removeprefix(f"line {error.line}: "), "", error.line)
        case GpuError():
            yield Problem(error.sentence)
        case _:
            yield Problem(str(error))
