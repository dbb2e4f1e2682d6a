"""PTX text as tokens, and a place among them."""

from __future__ import annotations

import re
from typing import NoReturn

from warpviz.kernel.ptx.errors import PtxError

_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TOKEN = re.compile(
    r"""[%$_A-Za-z][\w$]*(?:(?:\.|::)\w+)*  # a name, or an opcode with its modifiers: %r1, ld.global.L2::128B.f32
    | [0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?    # 0.5
    | [0-9]\w*                              # 12, 0x1F, 0f3F800000
    | \.[A-Za-z_]\w*(?:::\w+)*              # a directive or a type: .reg, .b32
    | "(?:[^"\\\n]|\\.)*"
    | \S""",
    re.VERBOSE,
)


class Tokens:
    """The tokens of a text, read from the first to the last. Comments are left out."""

    def __init__(self, text: str) -> None:
        self._texts: list[str] = []
        self._lines: list[int] = []
        for number, line in enumerate(_COMMENT.sub(_blank, text).split("\n"), 1):
            found = _TOKEN.findall(line)
            self._texts += found
            self._lines += [number] * len(found)
        self._texts += ("", "")  # what comes next can be asked for at the end too
        self._lines += [text.count("\n") + 1] * 2
        self._at = 0

    @property
    def next(self) -> str:
        """The token that comes next, "" at the end of the text."""
        return self._texts[self._at]

    @property
    def second(self) -> str:
        """The token after the next."""
        return self._texts[self._at + 1]

    @property
    def line(self) -> int:
        """Of the token that comes next."""
        return self._lines[self._at]

    def take(self) -> str:
        """The token that comes next, which is passed. Raises PtxError at the end of the text."""
        text = self._texts[self._at]
        if not text:
            self.fail("the text ends too early")
        self._at += 1
        return text

    def accept(self, text: str) -> bool:
        """Pass the next token if it is this one."""
        if self._texts[self._at] != text:
            return False
        self._at += 1
        return True

    def expect(self, text: str) -> None:
        """Pass the next token. Raises PtxError when it is another than this one."""
        if not self.accept(text):
            self.fail(f"{text} is expected, not {self.next or 'the end of the text'}")

    def skip_past(self, text: str) -> None:
        """Pass everything up to and with the next token of this text. Raises PtxError when there is none."""
        try:
            self._at = self._texts.index(text, self._at) + 1
        except ValueError:
            self.fail(f"{text} is missing")

    def followed(self, text: str) -> list[list[str]]:
        """The two tokens after each token of this text, in the whole of it."""
        places = [place for place, found in enumerate(self._texts) if found == text]
        return [self._texts[place + 1 : place + 3] for place in places]

    def labels_in_scope(self) -> list[str]:
        """The names before a colon from here to the end of the scope `{ … }` whose brace has just been passed."""
        names = []
        depth = 1
        for place in range(self._at, len(self._texts)):
            text = self._texts[place]
            if text == "{":
                depth += 1
            elif text == "}":
                depth -= 1
                if not depth:
                    break
            elif text == ":" and depth == 1:
                names.append(self._texts[place - 1])
        return names

    def refuse(self, sentence: str) -> NoReturn:
        """Raise PtxError at the token that has been passed last."""
        raise PtxError(sentence, self._lines[max(self._at - 1, 0)])

    def fail(self, sentence: str) -> NoReturn:
        """Raise PtxError at the next token."""
        raise PtxError(sentence, self.line)


def _blank(match: re.Match[str]) -> str:
    """A comment without its text, a string as it is."""
    text = match[0]
    return text if text[0] == '"' else " " + "\n" * text.count("\n")
