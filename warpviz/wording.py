"""Numbers and their nouns, as sentences write them."""

from __future__ import annotations

from collections.abc import Sequence

_IN_FULL = 5  # so many numbers are listed one by one
_SMALL_NUMBERS = "no one two three four five six seven eight nine ten".split()


def listed(numbers: Sequence[int]) -> str:
    """Numbers with the middle of a long list left out.

    >>> listed([0, 8, 16, 24]), listed(range(32))
    ('0, 8, 16, 24', '0, 1, 2, … 31')
    """
    if len(numbers) <= _IN_FULL:
        return ", ".join(map(str, numbers))
    return f"{numbers[0]}, {numbers[1]}, {numbers[2]}, … {numbers[-1]}"


def counted(number: int, singular: str) -> str:
    """A number and its noun.

    >>> counted(2, "pass"), counted(1, "sector")
    ('2 passes', '1 sector')
    """
    return f"{number:,} {plural(number, singular)}"


def plural(number: float, singular: str) -> str:
    """The noun that goes with a number."""
    return singular if number == 1 else singular + ("es" if singular.endswith("s") else "s")


def spelled(number: int) -> str:
    """A small number as a word.

    >>> spelled(4), spelled(32)
    ('four', '32')
    """
    return _SMALL_NUMBERS[number] if number < len(_SMALL_NUMBERS) else str(number)


def between(numbers: Sequence[int]) -> str:
    """From the least to the most.

    >>> between([4, 4]), between([2, 3, 2]), between([1, 5])
    ('4', '2 or 3', '1 to 5')
    """
    least, most = min(numbers), max(numbers)
    if least == most:
        return str(least)
    return f"{least} {'or' if most == least + 1 else 'to'} {most}"


def ordinal(number: int) -> str:
    """A place in an order.

    >>> ordinal(2), ordinal(5), ordinal(11)
    ('2nd', '5th', '11th')
    """
    suffix = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def printable(text: str) -> str:
    """The text on one line: what is no printable character becomes a blank."""
    return "".join(c if c.isprintable() else " " for c in text)
