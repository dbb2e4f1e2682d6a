"""Digits that are read from the back of a room."""

from __future__ import annotations

DIGIT_ROWS = 5
_DIGIT_COLUMNS = 6  # a dot is twice as wide as high in characters, which makes it square
_GAP = 2  # columns between two digits
_DOTS = {  # three by five for each character
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# ### ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# ..# ..#",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "?": "### ..# .## ... .#.",
}


def big_width(characters: int, scale: int) -> int:
    """The columns that so many big characters take."""
    return (characters * (_DIGIT_COLUMNS + _GAP) - _GAP) * scale


def big_lines(text: str, scale: int, dot: str) -> list[str]:
    """Digits and question marks as 5 * scale lines of equal width, drawn with the character `dot`.

    >>> print(*big_lines("7", 1, "#"), sep="|")
    ######|    ##|    ##|    ##|    ##
    """
    rows = zip(*(_DOTS[character].split() for character in text), strict=True)
    wide = {"#": dot * 2 * scale, ".": " " * 2 * scale}
    lines = [(" " * _GAP * scale).join("".join(wide[mark] for mark in digit) for digit in row) for row in rows]
    return [line for line in lines for _ in range(scale)]
