"""One sentence on what an access costs, and what such sentences count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from warpviz.access import Access
from warpviz.expression.reading import growth_per_lane

Tone = Literal["good", "bad", "plain"]


@dataclass(frozen=True)
class Reason:
    """subject: one or two words that the sentence is about. text: the sentence, with the access's own numbers, at most
    160 characters. tone: whether it makes the access cheap, makes it dear, or neither."""

    subject: str
    text: str
    tone: Tone


def pointing_lanes(access: Access) -> list[int]:
    """The lanes of a batch of one whose address is read, ascending."""
    return [lane for lane, reads in enumerate(access.pointing[0].tolist()) if reads]


def byte_stride(access: Access, lanes: Sequence[int]) -> int | None:
    """Bytes from each of these lanes to the next lane number, of a batch of one; None where that is not constant."""
    return growth_per_lane({lane: int(access.addresses[0, lane]) for lane in lanes})
