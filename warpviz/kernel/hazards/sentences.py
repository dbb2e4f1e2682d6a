"""What is wrong and how to mend it, in one sentence for each hazard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from warpviz.kernel.hazards.findings import Finding, Manner, Touch
from warpviz.kernel.machine.geometry import Index
from warpviz.wording import counted

_VERBS = {"st": "writes", "copy": "copies into", "atom": "updates", "red": "updates"}
_LENIENT = "hardware lets it pass, but CUDA leaves open what happens"


@dataclass(frozen=True)
class Case:
    """A finding with what its numbers stand for. threads, block: (x, y, z). element: what is touched, such as
    "tile[33] (word 33)", empty at a barrier."""

    finding: Finding
    threads: tuple[Index, ...]
    block: Index
    element: str

    @property
    def touches(self) -> tuple[Touch, ...]:
        return self.finding.touches

    @property
    def barrier(self) -> str:
        """What keeps the threads of this case apart."""
        return "__syncthreads()" if self.finding.across_warps else "__syncwarp()"


def sentence_of(case: Case) -> str:
    """One sentence, from the line of the source to the mend."""
    return _SENTENCES[case.finding.manner](case)


def _read(case: Case) -> str:
    (writer, reader), (writes, reads) = case.touches, case.threads
    says = (
        f"{_where(reader)} {_verb(reader)} {case.element} in thread {_at(reads)} while {_where(writer, reader)} "
        f"{_verb(writer)} it in thread {_at(writes)} of block {_at(case.block)}"
    )
    return f"{says}: {_between(case, writer, reader)}"


def _overwritten(case: Case) -> str:
    (reader, writer), (reads, writes) = case.touches, case.threads
    again = " again" if reader.line > writer.line else ""
    says = (
        f"{_where(writer)} {_verb(writer)} {case.element}{again} in thread {_at(writes)} while "
        f"{_where(reader, writer)} may still read it in thread {_at(reads)} of block {_at(case.block)}"
    )
    if again:
        return f"{says}: put {case.barrier} behind {_where(reader)}, before {_where(writer)} comes round again"
    return f"{says}: {_between(case, reader, writer)}"


def _between(case: Case, first: Touch, second: Touch) -> str:
    if first.line == second.line:
        return f"let all threads read, put {case.barrier}, then write; or use an atomic"
    wait = "wait for the copy (cp.async.wait_all), then " if "copy" in (first.op, second.op) else ""
    return f"{wait}put {case.barrier} between them"


def _written(case: Case) -> str:
    (first, second), (one, other) = case.touches, case.threads
    threads = f"threads {_at(one)} and {_at(other)} of block {_at(case.block)}"
    if first.index == second.index:
        return (
            f"{_where(first)} writes different values to {case.element} in {threads}: "
            "let one thread write it, or use an atomic"
        )
    if {first.op, second.op} & {"atom", "red"}:
        says = f"{_where(first)} {_verb(first)} {case.element} and {_where(second, first)} {_verb(second)} it"
        return f"{says} in {threads}, one of them with no atomic: {_apart(case)}"
    says = f"{_where(first)} and {_where(second, first)} write different values to {case.element}"
    return f"{says} in {threads}: {_apart(case)}"


def _apart(case: Case) -> str:
    first, second = case.touches
    return f"put {case.barrier} between them" if first.line != second.line else "use an atomic"


def _copied(case: Case) -> str:
    copy, other = case.touches
    return (
        f"{_where(other)} {_verb(other)} {case.element} in thread {_at(case.threads[1])} of block {_at(case.block)}, "
        f"which has not waited for its cp.async of {_where(copy)}: put cp.async.wait_all between them"
    )


def _unwritten(case: Case) -> str:
    (reader,), (thread,) = case.touches, case.threads
    return (
        f"{_where(reader)} {_verb(reader)} {case.element} in thread {_at(thread)} of block {_at(case.block)}, "
        "which no thread of the block has written: write it before, or leave it out"
    )


def _ended(case: Case) -> str:
    (barrier,), (waits, has_ended), (waiting, ended) = case.touches, case.threads, case.finding.counts
    return (
        f"{_where(barrier)}: {counted(waiting, 'thread')} of block {_at(case.block)} wait at this barrier, thread "
        f"{_at(waits)} first, when {counted(ended, 'other')} {'has' if ended == 1 else 'have'} ended, thread "
        f"{_at(has_ended)} first; {_LENIENT}: let all threads come to it, and end behind it"
    )


def _parted(case: Case) -> str:
    (first, second), (one, other), (here, there) = case.touches, case.threads, case.finding.counts
    return (
        f"{counted(here, 'thread')} of block {_at(case.block)} wait at {_where(first)}, thread {_at(one)} first, and "
        f"{there:,} at {_where(second, first)}, thread {_at(other)} first; {_LENIENT}: put one __syncthreads() where "
        "all threads come by"
    )


def _stuck(case: Case) -> str:
    *here, others, wants = case.finding.counts
    waits = [
        f"{counted(number, 'thread')} at {_where(touch)}, thread {_at(thread)} first"
        for number, touch, thread in zip(here, case.touches, case.threads, strict=False)
    ]
    alone = [f"{others:,} are elsewhere, thread {_at(case.threads[-1])} first"] if others else []
    needs = f"; the barrier is for {wants:,} threads" if wants else ""
    return (
        f"threads of block {_at(case.block)} wait at barriers for ever: {' and '.join([*waits, *alone])}{needs}: "
        "let all threads that a barrier waits for come to it"
    )


_SENTENCES: Mapping[Manner, Callable[[Case], str]] = {
    "read": _read,
    "overwritten": _overwritten,
    "written": _written,
    "copied": _copied,
    "unwritten": _unwritten,
    "ended": _ended,
    "parted": _parted,
    "stuck": _stuck,
}


def _where(touch: Touch, other: Touch | None = None) -> str:
    """The line of a touch; the same line once more where it is another's too."""
    if touch.line:
        return "the same line" if other is not None and other.line == touch.line else f"line {touch.line}"
    return f"the {touch.kind.name} at no line" if touch.kind else "a barrier at no line"


def _verb(touch: Touch) -> str:
    return _VERBS.get(touch.op, "reads")


def _at(index: Index) -> str:
    return f"({', '.join(map(str, index))})"
