"""What stops a kernel while it runs: one sentence each, which begins with the line of the user's file."""

from __future__ import annotations

from warpviz.kernel.ptx.syntax import Instruction


class Stopped(Exception):  # noqa: N818 - not all of them are the kernel's fault
    """A kernel that does not run to its end. line: in the user's file, 0 where nothing is said."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {sentence}" if line else sentence)
        self.sentence = sentence
        self.line = line


class Trapped(Stopped):
    """A trap instruction or a failed assertion."""


class BarrierNotReached(Stopped):
    """Threads wait at a barrier that others of their block do not reach."""


class DoesNotEnd(Stopped):
    """More steps than the limit allows."""


class Cancelled(Stopped):
    """Nobody wants the result any more."""


def trapped(instruction: Instruction, who: str) -> Trapped:
    """The error of a thread that comes to a trap or a failed assertion. who: the first such thread."""
    what = "reaches a trap" if instruction.opcode == "trap" else "fails an assertion"
    return Trapped(f"{who} {what}", instruction.line.number)
