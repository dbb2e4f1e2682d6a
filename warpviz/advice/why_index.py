"""What the indices of an expression have to do with the lane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpviz.advice.reason import Reason
from warpviz.expression.reading import Reading

_LONGEST_NAME = 40  # characters of a user's expression in a sentence
_LONGEST_TEXT = 160


def index_reasons(readings: Sequence[Reading]) -> Iterator[Reason]:
    """One sentence on all indices; none where no lane is active or they are nothing but `lane` and numbers."""
    if all(_plain(reading) or not reading.distinct for reading in readings):
        return
    said: list[str] = []
    for reading in readings:
        versions = ([*said, version] for version in _versions(reading, said))
        fitting = next((version for version in versions if len("; ".join(version)) <= _LONGEST_TEXT), None)
        if fitting is None:
            break
        said = fitting
    if said:
        yield Reason("index", "; ".join(said), "plain")


def _plain(reading: Reading) -> bool:
    return reading.text in ("lane", str(reading.value))


def _versions(reading: Reading, before: Sequence[str]) -> Iterator[str]:
    """A reading with those of its parts that add something to it and to what is said before, and without parts."""
    whole = _one(reading)
    telling = [part for part in reading.parts if part.kind != "varying" or part.distinct != reading.distinct]
    parts = [said for said in dict.fromkeys(map(_one, telling)) if said not in before]
    if parts:
        yield f"{whole} ({'; '.join(parts)})"
    yield whole


def _one(reading: Reading) -> str:
    name = reading.text if len(reading.text) <= _LONGEST_NAME else reading.text[: _LONGEST_NAME - 1] + "…"
    if reading.kind == "uniform":
        if _plain(reading):
            return f"{name} is the same in every lane"
        return f"{name} is {reading.value} in every lane"
    if reading.stride is not None:
        verb = "grows" if reading.stride > 0 else "falls"
        return f"{name} {verb} by {abs(reading.stride)} a lane"
    return f"{name} takes {reading.distinct} different values"
