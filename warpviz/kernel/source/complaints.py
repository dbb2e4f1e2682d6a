"""What NVRTC says of a text that it does not accept: the places, in the user's own lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SAID = re.compile(
    r"^(?P<file>[^\n]+?)\((?P<line>\d+)\): (?:catastrophic )?error(?: #\d+(?:-D)?)?: (?P<text>[^\n]*)"
    r"(?:\n  (?P<code>[^\n]*)\n  (?P<caret>[ \t]*)\^)?",
    re.MULTILINE,
)
_AT_THE_END = re.compile(r"^At end of source: error(?: #\d+(?:-D)?)?: (?P<text>[^\n]*)", re.MULTILINE)
_MISSING_HEADER = re.compile(r'(?:could not|cannot) open source file "(?P<header>[^"]+)"')


@dataclass(frozen=True)
class Message:
    """file: as the compiler is told its name. line: from 1; 0 where the compiler names none. column: from 1; None
    likewise. text: what it says."""

    file: str
    line: int
    column: int | None
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


class CompileError(ValueError):
    """messages: all that is wrong, at least one thing. str() is the first, and how many more there are."""

    def __init__(self, messages: Sequence[Message]) -> None:
        more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
        super().__init__(f"{messages[0]}{more}")
        self.messages = tuple(messages)


def messages_in(log: str, main_file: str) -> list[Message]:
    """The errors of a log, each once, in their order. Warnings are none."""
    messages = [
        Message(
            said["file"],
            int(said["line"]),
            len(said["caret"]) + 1 if said["caret"] is not None else None,
            said["text"].strip(),
        )
        for said in _SAID.finditer(log)
    ]
    messages += [
        Message(main_file, 0, None, f"at the end of the file: {said['text'].strip()}")
        for said in _AT_THE_END.finditer(log)
    ]
    return list(dict.fromkeys(messages))


def missing_header(message: Message) -> str | None:
    """The header that the message misses."""
    match = _MISSING_HEADER.search(message.text)
    return match["header"] if match else None
