"""Kernels that cannot be interpreted: one sentence and the line of the user's file."""

from __future__ import annotations

from warpviz.kernel.ptx.syntax import Instruction


class CannotRun(ValueError):  # noqa: N818 - the kernel is at fault, or what it asks for is not there
    """A kernel that is not interpreted. str() is one sentence that begins with the line where it is known.

    line: in the user's file, 0 where nothing is said.
    """

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(f"line {line}: {sentence}" if line else sentence)
        self.sentence = sentence
        self.line = line


class UnsupportedInstruction(CannotRun):
    """An instruction, or a form of one, that is not interpreted. name: as PTX writes it."""

    def __init__(self, instruction: Instruction) -> None:
        super().__init__(
            f"the PTX instruction {instruction.name} (PTX line {instruction.ptx_line}) is not interpreted",
            instruction.line.number,
        )
        self.name = instruction.name
