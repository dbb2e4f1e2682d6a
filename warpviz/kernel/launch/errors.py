"""What is wrong with how a kernel is to be run: one sentence, and where it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Where:
    """A place in a launch: of a line of the file, or an option.

    option: such as "--grid"; empty for the file's text. line, column: there, from 1. file: its name; empty where it is
    not known.
    """

    option: str = ""
    line: int = 0
    column: int = 0
    file: str = ""

    def after(self, characters: int) -> Where:
        """The place so many characters further on its line."""
        return replace(self, column=self.column + characters)

    def __str__(self) -> str:
        in_file = f"{self.file}:{self.line}:{self.column}" if self.file else f"line {self.line}, column {self.column}"
        return self.option or in_file


class LaunchError(ValueError):
    """str() is one sentence that begins with the place, where there is one.

    sentence: what is wrong and how to mend it. where: None when something is missing everywhere.
    """

    def __init__(self, sentence: str, where: Where | None = None) -> None:
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.sentence = sentence
        self.where = where
