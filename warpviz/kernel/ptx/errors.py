"""What is wrong with PTX text: one sentence and its line."""

from __future__ import annotations

_LONGEST = 300  # characters of a sentence: what is quoted may be of any length


class PtxError(ValueError):
    """PTX text that is not understood. str() is one sentence that begins with the place.

    sentence: what is wrong, without the place. ptx_line: in the PTX text, from 1. line: in the user's file, 0 where
    nothing is said.
    """

    def __init__(self, sentence: str, ptx_line: int, line: int = 0) -> None:
        sentence = "".join(character if character.isprintable() else "?" for character in sentence[:_LONGEST])
        place = f"line {line}: PTX line {ptx_line}" if line else f"PTX line {ptx_line}"
        super().__init__(f"{place}: {sentence}")
        self.sentence = sentence
        self.ptx_line = ptx_line
        self.line = line
