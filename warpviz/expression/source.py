"""Places in the user's own texts: where an error or a warning points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Source = Literal["expression", "declarations", "where", "set"]

_CARET_LINE_LENGTH = 76
_CLIPPED_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Text:
    """One text that the user gave, and which one it is."""

    source: Source
    content: str


@dataclass(frozen=True, slots=True)
class Place:
    """A character of a text. offset: how many characters of the text come before it."""

    text: Text
    offset: int

    @property
    def source(self) -> Source:
        return self.text.source

    @property
    def line(self) -> int:
        """1-based."""
        return self.text.content.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        """1-based, in characters."""
        return self.offset - self._line_start() + 1

    def caret(self) -> str:
        """Two lines: the text's line, clipped to what fits a terminal, and a ^ under this place."""
        content, start = self.text.content, self._line_start()
        end = content.find("\n", start)
        line = content[start : end if end >= 0 else len(content)]
        first = max(0, self.offset - start - _CARET_LINE_LENGTH * 3 // 4) if len(line) > _CARET_LINE_LENGTH else 0
        shown = line[first : first + _CARET_LINE_LENGTH]
        visible = "".join(c if c.isprintable() else " " for c in shown)
        return f"{visible}\n{' ' * (self.offset - start - first)}^"

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}" if "\n" in self.text.content else f"column {self.column}"
        return f"{self.source}, {where}"

    def _line_start(self) -> int:
        return self.text.content.rfind("\n", 0, self.offset) + 1


def clipped(spelling: str) -> str:
    """A user's word as a sentence can hold it: printable, and never longer than a few dozen characters."""
    visible = "".join(c if c.isprintable() else "?" for c in spelling[:_CLIPPED_NAME_LENGTH])
    return visible + ("…" if len(spelling) > _CLIPPED_NAME_LENGTH else "")
